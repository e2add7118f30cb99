package main

import (
	"fmt"
	"io"
	"strconv"

	"github.com/sotto-dp/sotto/synthesis"
)

// summariseRelease prints to standard error what a release wrote, and warns if more than
// half of the noisy total is other. It reads released figures alone, so it may be published
// as the report may.
func summariseRelease(w io.Writer, rows int64, s synthesis.Statement) {
	number := strconv.FormatInt(rows, 10) + " rows"
	if rows == 1 {
		number = "1 row"
	}
	line := fmt.Sprintf("sotto: done: %s; the noisy counts add up to %d; each %s loses at most %s", number, s.RecordsNoisy, s.Claim.Unit, nats(&s.Claim.Epsilon))
	if s.Claim.Delta > 0 {
		line += fmt.Sprintf(", with delta %g", s.Claim.Delta)
	}
	fmt.Fprintln(w, line)
	other, all := s.Other.Count, s.RecordsNoisy
	if all <= 0 || other <= all/2 {
		return
	}
	ask := "do the records have texts?"
	if len(s.Columns) > 0 {
		ask = "do --labels name the values of the column?"
	}
	fmt.Fprintf(w, "sotto: warning: other has a noisy count of %d of %d: %s see --check\n", other, all, ask)
}

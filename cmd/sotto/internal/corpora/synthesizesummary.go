package corpora

import (
	"fmt"
	"io"
	"strconv"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/synthesis"
)

// ofPairs says what the noisy counts count, if that is not records.
func ofPairs(s synthesis.Statement) string {
	if s.Counted != synthesis.UserCells {
		return ""
	}
	return " of " + s.Counted.String() + ","
}

// summariseRelease prints to standard error what a release wrote, and warns if more than
// half of the noisy total is other. It reads released figures alone, and whether vectors were
// given, so it may be published as the report may.
func summariseRelease(w io.Writer, rows int64, s synthesis.Statement, vectors bool) {
	number := strconv.FormatInt(rows, 10) + " rows"
	if rows == 1 {
		number = "1 row"
	}
	line := fmt.Sprintf("sotto: done: %s; the noisy counts%s add up to %d; each %s loses at most %s", number, ofPairs(s), s.RecordsNoisy, s.Claim.Unit, cli.Nats(&s.Claim.Epsilon))
	if s.Claim.Delta > 0 {
		line += fmt.Sprintf(", with delta %g", s.Claim.Delta)
	}
	fmt.Fprintln(w, line)
	other, all := s.Other.Count, s.RecordsNoisy
	if all <= 0 || other <= all/2 {
		return
	}
	ask := "do the records have texts"
	if len(s.Columns) > 0 {
		ask = "do --labels name the values of the column, and do the records have texts"
	}
	if vectors {
		ask += ", and does --text-vectors have a row for each record"
	}
	fmt.Fprintf(w, "sotto: warning: other has a noisy count%s of %d of %d: %s? see --check\n", ofPairs(s), other, all, ask)
}

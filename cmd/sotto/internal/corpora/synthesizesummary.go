package corpora

import (
	"fmt"
	"io"
	"strconv"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/synthesis"
	"github.com/sotto-dp/sotto/text"
)

// ofPairs says what the noisy counts count, if that is not records.
func ofPairs(s synthesis.Statement) string {
	if s.Counted != synthesis.UserCells {
		return ""
	}
	return " of " + s.Counted.String() + ","
}

// records names what each record is where a reader may take it for something else: a line or a
// whole file; empty for rows, elements and several kinds.
func (c *SynthesizeCmd) records(files []string) string {
	kind := ""
	for i, name := range files {
		one := ""
		switch f := c.input().FormatOf(name); {
		case f == text.Lines:
			one = ", a line,"
		case f.Whole:
			one = ", a file,"
		}
		if i > 0 && one != kind {
			return ""
		}
		kind = one
	}
	return kind
}

// summariseRelease prints to standard error what a release wrote, and warns if more than
// half of the noisy total is other. It reads released figures, what each record is by the names of
// the files, and whether vectors were given, so it may be published as the report may.
func summariseRelease(w io.Writer, rows int64, s synthesis.Statement, records string, vectors bool) {
	number := strconv.FormatInt(rows, 10) + " rows"
	if rows == 1 {
		number = "1 row"
	}
	if s.Claim.Unit != privacy.Record {
		records = ""
	}
	line := fmt.Sprintf("sotto: done: %s; the noisy counts%s add up to %d; each %s%s loses at most %s", number, ofPairs(s), s.RecordsNoisy, s.Claim.Unit, records, cli.Nats(&s.Claim.Epsilon))
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

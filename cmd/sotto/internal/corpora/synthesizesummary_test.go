package corpora

import (
	"bytes"
	"testing"

	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/synthesis"
)

// The line and the warning follow from the rows and the released figures. Half of the
// total is not more than half.
func TestSummaryOfARelease(t *testing.T) {
	const done = "sotto: done: 7 rows; the noisy counts add up to "
	columns := []synthesis.ColumnFigures{{Name: "label", Values: []string{"a"}}}
	for _, c := range []struct {
		other, all int64
		columns    []synthesis.ColumnFigures
		vectors    bool
		want       string
	}{
		{5, 10, columns, false, done + "10; each record loses at most 2\n"},
		{5, 11, columns, false, done + "11; each record loses at most 2\n"},
		{6, 11, columns, false, done + "11; each record loses at most 2\nsotto: warning: other has a noisy count of 6 of 11: do --labels name the values of the column, and do the records have texts? see --check\n"},
		{6, 10, nil, false, done + "10; each record loses at most 2\nsotto: warning: other has a noisy count of 6 of 10: do the records have texts? see --check\n"},
		{6, 10, nil, true, done + "10; each record loses at most 2\nsotto: warning: other has a noisy count of 6 of 10: do the records have texts, and does --text-vectors have a row for each record? see --check\n"},
		{3, 0, columns, false, done + "0; each record loses at most 2\n"},
	} {
		var log bytes.Buffer
		summariseRelease(&log, 7, synthesis.Statement{
			Claim: privacy.Claim{Unit: privacy.Record, Epsilon: 2}, Columns: c.columns, RecordsNoisy: c.all, Other: synthesis.Interval{Count: c.other},
		}, "", c.vectors)
		if log.String() != c.want {
			t.Errorf("%d of %d: %q, want %q", c.other, c.all, log.String(), c.want)
		}
	}
}

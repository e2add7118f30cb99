package text

import (
	"bytes"

	"github.com/sotto-dp/sotto/text/internal/jsonfield"
	"github.com/sotto-dp/sotto/text/internal/records"
)

// jsonRows are the rows of JSON lines.
type jsonRows struct{ jsonfield.Fields }

func (*jsonRows) form() records.Form { return records.Lines }

func (j *jsonRows) begin(_ func() ([]byte, error), fields []string) error {
	for i, f := range fields {
		if i == 0 && f == "" {
			return (&jsonLines{}).missing()
		}
		p, err := jsonfield.Parse(f)
		if err != nil {
			return err
		}
		j.Paths = append(j.Paths, p)
	}
	return nil
}

func (j *jsonRows) blank(record []byte) bool {
	return records.Blank(bytes.TrimPrefix(record, records.Mark))
}

func (j *jsonRows) values(record []byte) Row {
	record = bytes.TrimPrefix(record, records.Mark)
	end, _ := records.CutLine(record, 0)
	return j.Values(record[:end])
}

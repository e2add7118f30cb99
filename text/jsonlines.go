package text

import (
	"encoding/json"
	"slices"

	"github.com/sotto-dp/sotto/text/internal/jsonfield"
	"github.com/sotto-dp/sotto/text/internal/records"
)

// jsonLines holds one JSON document per line. The strings at some paths are texts;
// all other bytes stay.
type jsonLines struct {
	jsonfield.Fields
	grouped *jsonfield.Path // of Options.By
	single  bool            // Options.Single
	least   int             // records of a first batch that tell whether a field is there
	// empty is a record that holds nothing but its texts, in the pieces around them. Where
	// fields exclude each other, such as a and a.b, it has the first.
	empty [][]byte
}

func (*jsonLines) form() records.Form { return records.Lines }

func (j *jsonLines) open(_ func() ([]byte, error), o Options) ([]byte, error) {
	if len(o.Fields) == 0 {
		return nil, j.missing()
	}
	for _, f := range o.Fields {
		p, err := jsonfield.Parse(f)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(j.Paths, p.Same) {
			if o.Single && (o.Each || o.By != "") && p.Many() {
				return nil, ManyTexts(f)
			}
			p.Optional = o.KeepMissing
			j.Paths = append(j.Paths, p)
		}
	}
	j.Each = o.Each
	if j.Total = o.Total; j.Total {
		j.single = o.Single && len(j.Paths) == 1
		j.empty = jsonfield.Empty(j.Paths)
		if o.Each {
			j.empty = make([][]byte, len(j.Paths)+1) // a text for each, and nothing written
		}
		if o.Prompt {
			j.least = max(2, o.Records) // an error about one record would depend on it
		}
	}
	if o.By == "" {
		return nil, nil
	}
	grouped, err := jsonfield.Parse(o.By)
	if err != nil {
		return nil, err
	}
	grouped.Optional = o.Missing != ""
	if slices.ContainsFunc(j.Paths, grouped.Meets) {
		return nil, groupedByText(o.By)
	}
	j.grouped = &grouped
	return nil, nil
}

func (*jsonLines) missing() error {
	return &FieldError{Missing: true, What: "jsonl needs a field, the path of a string, such as text or items[*].body"}
}

func (j *jsonLines) find(data []byte, line int) ([]records.Span, error) {
	var spans []records.Span
	for at := 0; at < len(data); line++ {
		end, next := records.CutLine(data, at)
		if !records.Blank(data[at:end]) {
			found, _, err := j.Find(data[:end], at, line)
			if j.Total && (err != nil || j.single && len(found) > 1) {
				found, err = records.Unreadable(data, at, next, j.empty), nil
			}
			if err != nil {
				return nil, err
			}
			spans = append(spans, found...)
		}
		at = next
	}
	return spans, nil
}

func (j *jsonLines) by(record []byte, line int) (value string, ok bool, err error) {
	end, _ := records.CutLine(record, 0)
	document := record[:end]
	switch {
	case records.Blank(document):
		return "", false, nil
	case j.grouped == nil:
		return "", true, nil
	case j.Total && !json.Valid(document): // a document that something follows
		return "", true, nil
	}
	value, err = j.grouped.Single(document, line)
	if err != nil && j.Total {
		value, err = "", nil
	}
	return value, true, err
}

// LineEnd ends a record that could not be read: no string ends its line.
func (j *jsonLines) LineEnd() string { return "\n" }

func (j *jsonLines) Encode(dst, private []byte) []byte { return jsonfield.Append(dst, private) }

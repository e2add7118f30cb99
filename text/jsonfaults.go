package text

import (
	"slices"

	"github.com/sotto-dp/sotto/text/internal/records"
)

func (j *jsonLines) sift(data []byte, line int, invalid Invalid) (kept []byte, faults []*InputError) {
	kept = make([]byte, 0, len(data))
	for at := 0; at < len(data); line++ {
		end, next := records.CutLine(data, at)
		var err error
		if !records.Blank(data[at:end]) {
			if err = invalid.Check(data[at:next], line); err == nil {
				_, _, err = j.Find(data[:end], at, line)
			}
		}
		if fault, ok := err.(*InputError); ok {
			faults = append(faults, fault)
		} else {
			kept = append(kept, data[at:next]...)
		}
		at = next
	}
	return kept, faults
}

func (j *jsonLines) names(data []byte, line int) error {
	n, lacks, err := j.lacking(data, line)
	if err == nil && lacks != "" {
		return absentField(lacks, n)
	}
	return err
}

// foundIn walks the records once more: it is called for one batch.
// It says nothing about fewer records than a batch has: where the input paused, they may be one.
func (j *jsonLines) foundIn(data []byte, line int) error {
	n, lacks, err := j.lacking(data, line)
	if err == nil && lacks != "" && n >= j.least {
		return absentField(lacks, n)
	}
	return nil
}

// lacking returns the number of records, and a field that none of them has, or the error of
// the first that cannot be read. With Options.Total that is one that is not JSON.
func (j *jsonLines) lacking(data []byte, line int) (n int, lacks string, err error) {
	found := make([]bool, len(j.Paths))
	for at := 0; at < len(data); line++ {
		end, next := records.CutLine(data, at)
		if !records.Blank(data[at:end]) {
			_, leads, err := j.Find(data[:end], at, line)
			if err != nil && (leads == nil || !j.Total) {
				return 0, "", err
			}
			n++
			for i, ok := range leads {
				found[i] = found[i] || ok
			}
		}
		at = next
	}
	if i := slices.Index(found, false); i >= 0 && n > 0 {
		lacks = j.Paths[i].Text
	}
	return n, lacks, nil
}

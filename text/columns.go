package text

import (
	"fmt"
	"slices"
	"strings"
)

// separators names what is between columns, for a header that seems to have one column.
var separators = map[string]string{"csv": "commas, not semicolons or tabs", "tsv": "tabs"}

// chooseColumns finds the chosen columns in a header.
func chooseColumns(format string, header, fields []string) ([]bool, error) {
	if len(fields) == 0 {
		return nil, &FieldError{Missing: true, What: fmt.Sprintf("%s needs a field, the name of a column (columns in the header: %d)", format, len(header))}
	}
	chosen := make([]bool, len(header))
	for _, f := range fields {
		if !slices.Contains(header, f) {
			missing := NoColumn(f, "the header (columns: %d)", header)
			if len(header) == 1 {
				missing.What += fmt.Sprintf("; %s separates columns by %s", format, separators[format])
			}
			return nil, missing
		}
		for i, h := range header { // a name that occurs twice means both
			chosen[i] = chosen[i] || h == f
		}
	}
	return chosen, nil
}

// absentField returns the error for a path that leads to nothing in any of some records.
func absentField(path string, records int) *FieldError {
	return &FieldError{What: fmt.Sprintf("there is no field %q in the first %d records", path, records)}
}

// ManyTexts returns the error for a field that can have several texts in a record, where
// every record has one.
func ManyTexts(field string) *FieldError {
	return &FieldError{What: fmt.Sprintf("field %q can have several texts in a record, and every record must have one: choose a field with a single value", field)}
}

// groupedByText returns the error for a value of Options.By that is one of the texts.
func groupedByText(field string) *FieldError {
	return &FieldError{What: fmt.Sprintf("field %q holds the texts: records are not grouped by them", field)}
}

// NoColumn returns the error for a field that is not a column. It has the number of
// columns, and the position of one that differs only in case or space.
func NoColumn(field, where string, columns []string) *FieldError {
	what := fmt.Sprintf("there is no column %q in %s", field, fmt.Sprintf(where, len(columns)))
	for i, c := range columns {
		if strings.EqualFold(strings.TrimSpace(c), strings.TrimSpace(field)) {
			what += fmt.Sprintf("; number %d differs only in case or space", i+1)
			break
		}
	}
	return &FieldError{What: what}
}

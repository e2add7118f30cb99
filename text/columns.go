package text

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sotto-dp/sotto/text/internal/records"
)

// separators names what is between columns, for a header that seems to have one column.
var separators = map[byte]string{',': "commas, not semicolons or tabs", '\t': "tabs"}

func separatorOf(comma byte) string { return cmp.Or(separators[comma], strconv.QuoteRune(rune(comma))) }

// chooseColumns finds the chosen columns in a header.
func chooseColumns(format string, comma byte, header, fields []string) ([]bool, error) {
	if len(fields) == 0 {
		return nil, &FieldError{Missing: true, Columns: header, What: fmt.Sprintf("%s needs a field, the name of a column (columns in the header: %d)", format, len(header))}
	}
	chosen := make([]bool, len(header))
	for _, f := range fields {
		if !slices.Contains(header, f) {
			missing := NoColumn(f, "the header (columns: %d)", header)
			if len(header) == 1 {
				missing.What += fmt.Sprintf("; %s separates columns by %s", format, separatorOf(comma))
			}
			return nil, missing
		}
		for i, h := range header { // a name that occurs twice means both
			chosen[i] = chosen[i] || h == f
		}
	}
	return chosen, nil
}

// columnOf returns the place of a column that must be there once.
func columnOf(format string, comma byte, header []string, field string) (int, error) {
	if _, err := chooseColumns(format, comma, header, []string{field}); err != nil {
		return 0, err
	}
	at := slices.Index(header, field)
	if slices.Contains(header[at+1:], field) {
		return 0, &FieldError{What: fmt.Sprintf("the header has the column %q twice", field)}
	}
	return at, nil
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
	return &FieldError{What: what, Columns: columns}
}

// emptyRecord returns a record of empty cells, in the pieces around the chosen ones.
func emptyRecord(chosen []bool, comma byte) [][]byte {
	pieces := [][]byte{nil}
	for i, is := range chosen {
		last := &pieces[len(pieces)-1]
		if i > 0 {
			*last = append(*last, comma)
		}
		if is {
			pieces = append(pieces, nil)
		}
	}
	return pieces
}

// textsOf returns the number of the text of each chosen column: those with one name share
// it.
func textsOf(names []string, chosen []bool) (numbers []int) {
	var seen []string
	for i, name := range names {
		if !chosen[i] {
			continue
		}
		number := slices.Index(seen, name)
		if number < 0 {
			number = len(seen)
			seen = append(seen, name)
		}
		numbers = append(numbers, number)
	}
	return numbers
}

// joined returns the texts of a record, of which spans[i] is part of number of[i]. The
// first of each comes before those that are joined to it.
func joined(spans []records.Span, of []int) (texts []records.Span) {
	for i, s := range spans {
		if of[i] == len(texts) {
			s.Begin(s)
			texts = append(texts, s)
			continue
		}
		texts[of[i]].Join(s)
	}
	return texts
}

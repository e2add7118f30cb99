package cli

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/segment"
	"github.com/sotto-dp/sotto/privacy"
)

// Plural formats a count of things.
func Plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func FirstOf(a, b error) error {
	if a != nil {
		return a
	}
	return b
}

// PrintJSON writes one document, indented.
func PrintJSON(term *Terminal, v any) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	_, err = term.Out.Write(append(data, '\n'))
	return err
}

// PrintPieces explains what a word is, if a claim is for the words of a table of pieces.
func PrintPieces(term *Terminal, table *embedding.Table, unit privacy.Unit) error {
	if table == nil || table.Segmentation().Kind() != segment.Pieces || unit.Whole() {
		return nil
	}
	_, err := fmt.Fprintln(term.Out, "A word is a piece of the table's list: a word of the language that has several pieces loses epsilon for each.")
	return err
}

// Nats formats an epsilon, rounded up; nil is one that no finite figure bounds.
func Nats(e *float64) string {
	if e == nil {
		return "infinity"
	}
	return privacy.Above(*e, 6)
}

func Percent(share float64) string { return strconv.FormatFloat(100*share, 'g', 3, 64) + " %" }

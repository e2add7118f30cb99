package main

import (
	"fmt"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/segment"
	"github.com/sotto-dp/sotto/privacy"
)

// printPieces explains what a word is, if a claim is for the words of a table of pieces.
func printPieces(term *terminal, table *embedding.Table, unit privacy.Unit) error {
	if table == nil || table.Segmentation().Kind() != segment.Pieces || unit == privacy.Text || unit == privacy.User {
		return nil
	}
	_, err := fmt.Fprintln(term.out, "A word is a piece of the table's list: a word of the language that has several pieces loses epsilon for each.")
	return err
}

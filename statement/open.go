package statement

import (
	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
)

// openToAll lists what no use of this configuration protects.
func (s Statement) openToAll(entry mechanism.Entry) []string {
	not := []string{}
	if entry.Standing == privacy.Refuted {
		not = append(not, "anything beyond the claim above: the published guarantee is refuted")
	}
	if s.Randomness == "seeded" {
		not = append(not, "anything from a reader who knows the seed: this was a test run")
	}
	if s.Claim.Notion == privacy.Metric || s.Claim.Notion == privacy.MetricApproximate {
		not = append(not, "the difference between distant words: epsilon is per unit of distance")
		if e := s.Embeddings; e != nil && e.Never != nil && e.Never.LeftOut > 0 {
			not = append(not, "a smaller distance for words that never come out: each counts as the word nearest to it, which it is read as")
		}
	}
	return not
}

// What a copied file keeps of the original. Where words are replaced an empty text stays
// empty; an empty whole text is replaced like any other.
const (
	besideTexts      = besideFields + "which texts are empty, null or missing, " + besideLayout
	besideWholeTexts = besideFields + "which texts are null, " + besideLayout
	besideFields     = "what a file holds beside the chosen texts: other fields and columns, the number and order of records, "
	besideLayout     = "the layout of JSON, row groups and metadata of Parquet"
)

// Parts of statements about a text that is rewritten again.
const (
	againEverywhere = "the same text rewritten again, or names repeated in it: each use costs again"
	againTexts      = "the same text rewritten again: each use costs again"
	piecesAreWords  = "words of the language: a word of the claim is a piece of the table's list, and a word of several pieces loses the claim for each"
)

// What becomes of records without a text that can be read.
const (
	unreadRecords = unreadFields + "a null holds no text and is kept"
	unreadPooled  = unreadFields + "a null holds no text and is left out, or drawn for as the empty text if an account of records pays"
	unreadFields  = "that a record of a file could not be read as one of its format, or lacks the text's field: its text is drawn for like any other, and its other fields are left out, which shows; "
	endedEarly    = "that the run did not end early: a damaged file ends it, and so do CSV whose quotes do not match or stand inside a cell that does not begin with one, a row with another number of cells than the header where other columns are copied, a field that the file does not have and, where the run was told to fail on them, texts that are not UTF-8; on Beam, a part with such CSV or such a row is left out instead"
)

// broughtVectors is for vectors of texts by an encoder of the caller's.
const broughtVectors = "the vectors of the texts: the claim assumes that the encoder that made them is public and reads one text at a time, which cannot be checked here"

// declared returns whether a corpus is declared public.
func declared(c *corpus.Corpus) string {
	if c.Declared() {
		return "its builder declared it public"
	}
	return "nobody declared it public"
}

// unverified adds who could have forged the figures of a certificate that this process
// did not compute.
func unverified(not []string, c *audit.Certificate) []string {
	if c == nil {
		return not
	}
	switch c.Source {
	case mechanism.Stated:
		return append(not, "the certificate's figures from the maker of the file they were read from: they were not recomputed (an audit recomputes them)")
	case mechanism.Cached:
		return append(not, "the certificate's figures from anyone who can write this user's cache and read its key: they were read from there and not recomputed (an audit recomputes them)")
	}
	return not
}

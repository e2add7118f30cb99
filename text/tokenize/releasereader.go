package tokenize

import (
	"strings"

	"github.com/sotto-dp/sotto/embedding"
)

// ReleaseReader reads texts that [Tokenizer.Detokenize] wrote. It returns the entries that
// were written, including those that [Tokenizer.Tokenize] never returns. For example, a
// table may have the entry so-called, which Tokenize cuts. It is for one goroutine.
type ReleaseReader struct{ tokens *Tokenizer }

// NewReleaseReader returns the reader of a vocabulary.
func NewReleaseReader(v Vocabulary) *ReleaseReader { return &ReleaseReader{NewTokenizer(v)} }

// Read appends the entries of a written text to dst.
func (r *ReleaseReader) Read(dst []embedding.ID, text []byte) []embedding.ID {
	if !r.tokens.hasCutEntries() {
		dst, _ = r.tokens.Tokenize(dst, text)
		return dst
	}
	spelled := string(text)
	for at := 0; at < len(text); {
		end := at
		for end < len(text) && !separates(text[end]) {
			end++
		}
		if end > at {
			dst = r.tokens.readGroup(dst, text[at:end], spelled[at:end])
		}
		at = end + 1
	}
	return dst
}

func separates(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }

// The signs that Detokenize writes directly before and after an entry.
const (
	signsBefore = `([{$"'`
	signsAfter  = `.!?,;:)]}%"'`
)

// readGroup appends the entries of a written text without spaces: an entry as it is
// spelled, one between signs, or else what Tokenize returns.
func (t *Tokenizer) readGroup(dst []embedding.ID, group []byte, spelled string) []embedding.ID {
	if len(group) <= LongestWord {
		if id, ok := t.lexicon.vocabulary.Lookup(spelled); ok {
			return append(dst, id)
		}
		from := 0
		for from < len(group) && strings.IndexByte(signsBefore, group[from]) >= 0 {
			from++
		}
		for to := len(group); to > from; to-- {
			if id, ok := t.lexicon.vocabulary.Lookup(spelled[from:to]); ok {
				dst, _ = t.Tokenize(dst, group[:from])
				dst, _ = t.Tokenize(append(dst, id), group[to:])
				return dst
			}
			if strings.IndexByte(signsAfter, group[to-1]) < 0 {
				break
			}
		}
	}
	dst, _ = t.Tokenize(dst, group)
	return dst
}

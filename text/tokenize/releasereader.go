package tokenize

import (
	"bytes"
	"strings"

	"github.com/sotto-dp/sotto/embedding"
)

// ReleaseReader reads texts that [Tokenizer.Detokenize] wrote. It returns the entries that
// were written, including those that [Tokenizer.Tokenize] never returns. For example, a
// table may have the entry so-called, which Tokenize cuts. It is for one goroutine.
type ReleaseReader struct {
	tokens  *Tokenizer
	written []byte // scratch
}

// NewReleaseReader returns the reader of a vocabulary. unknown is how the writer spelled the
// unknown entry; empty means as in the vocabulary.
func NewReleaseReader(v Vocabulary, unknown string) *ReleaseReader {
	t := NewTokenizer(v)
	t.WriteUnknown(unknown)
	if t.lexicon.possesses && !t.hasCutEntries() { // with them it is apart where Tokenize reads is
		t.lexicon.release, t.lexicon.takesIs = true, nil
	}
	return &ReleaseReader{tokens: t}
}

// Wrote reports whether [Tokenizer.Detokenize] writes the entries that were read from a text
// as the text is. Most texts that it did not write have capitals, spaces or words that it
// writes otherwise.
func (r *ReleaseReader) Wrote(ids []embedding.ID, text []byte) bool {
	r.written = r.tokens.Detokenize(r.written[:0], ids)
	return bytes.Equal(r.written, text)
}

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

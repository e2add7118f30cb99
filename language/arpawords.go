package language

import (
	"bytes"
	"context"
	"io"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
)

// ReadARPAAlone reads an ARPA file as [ReadARPA] does, as a model over the words of the
// file itself, in its order. The unknown entry is <unk>, which is added as the last word
// if the file lacks it. The card names no table.
func ReadARPAAlone(ctx context.Context, r io.Reader, public bool) (*Model, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	words, err := arpaWords(ctx, data)
	if err != nil {
		return nil, err
	}
	unknown := slices.IndexFunc(words, isUnknown)
	if unknown < 0 {
		unknown, words = len(words), append(words, markUnknown)
	}
	vocabulary, err := newVocabulary(words, embedding.ID(unknown), nil)
	if err != nil {
		return nil, damaged("%v", err)
	}
	return readARPA(ctx, bytes.NewReader(data), vocabulary, Card{Public: public})
}

// arpaWords returns the words of the unigrams, <s> and </s> left out.
func arpaWords(ctx context.Context, data []byte) ([]string, error) {
	a := newARPA(bytes.NewReader(data), nil)
	if _, err := a.header(); err != nil {
		return nil, err
	}
	var words []string
	for n := range a.counts[0] {
		line, err := a.next()
		if err == nil && n%(1<<16) == 0 {
			err = ctx.Err()
		}
		if err != nil {
			return nil, a.cut(err)
		}
		a.split(line)
		if len(a.fields) < 2 {
			return nil, a.fault("%d unigrams, the file states %d", n, a.counts[0])
		}
		if w := string(a.fields[1]); w != markBegin && w != markEnd {
			words = append(words, w)
		}
	}
	return words, nil
}

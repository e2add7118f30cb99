package request

import (
	"context"
	"fmt"
	"strconv"

	"github.com/sotto-dp/sotto/autoencoder"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/segment"
)

// InLanguage is the language of the texts, which the caller knows without reading them.
type InLanguage struct {
	Language string `json:"language,omitempty" placeholder:"CODE" group:"input" help:"Language of the texts, such as en or de. A table, corpus or model that is known to be of another is refused. It must not depend on the texts."`
}

// CheckLanguage refuses what no language is called.
func (l InLanguage) CheckLanguage() error {
	if l.Language != "" && !segment.CanLanguage(l.Language) {
		return &ValueError{"language", strconv.Quote(l.Language), "two or three lower-case letters such as de"}
	}
	return nil
}

// Refuse refuses what is known to be of another language. What states no language passes.
func (l InLanguage) Refuse(what, name, of string) error {
	if l.Language == "" || of == "" || of == l.Language {
		return nil
	}
	return &ValueError{"language", strconv.Quote(l.Language), fmt.Sprintf("%s, the language of the %s %s", of, what, name)}
}

// over returns sources that open nothing of another language.
func (l InLanguage) over(from Sources) Sources {
	if l.Language == "" {
		return from
	}
	table, texts, model := from.Table, from.Corpus, from.Model
	from.Table = func(ctx context.Context, name string) (*embedding.Table, error) {
		t, err := table(ctx, name)
		if err != nil {
			return nil, err
		}
		return t, l.Refuse("table", t.Name(), t.Language())
	}
	from.Corpus = func(ctx context.Context, name string) (*corpus.Corpus, error) {
		c, err := texts(ctx, name)
		if err != nil {
			return nil, err
		}
		return c, l.Refuse("corpus", c.Name(), c.Language())
	}
	from.Model = func(ctx context.Context, name string) (*autoencoder.Model, error) {
		m, err := model(ctx, name)
		if err != nil {
			return nil, err
		}
		return m, l.Refuse("table of the model", m.Table().Name(), m.Table().Language())
	}
	return from
}

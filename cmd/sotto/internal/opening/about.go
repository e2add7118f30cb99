package opening

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/privacy/provenance"
	"github.com/sotto-dp/sotto/progress"
	"github.com/sotto-dp/sotto/text/about"
)

// AboutFlag names public words for labels.
type AboutFlag struct {
	About string `path:"corpus" placeholder:"NAME|FILE" group:"privacy" help:"Public words for labels: a line per label, a tab, its words. Or a list that ships: ${about_lists}. Choose it without looking at private texts."`
}

// AboutWords reads the words, nil if none are named.
func (a *AboutFlag) AboutWords(ctx context.Context) (*about.Words, error) {
	if a.About == "" {
		return nil, nil
	}
	data, ok := about.List(a.About)
	if !ok {
		var err error
		if data, err = cli.ReadInput(ctx, a.About); err != nil {
			return nil, cli.WrongUsage("give a file, or one of "+strings.Join(about.Lists(), ", "), "--about: %v", err)
		}
	}
	w, err := about.Read(data)
	if err != nil {
		return nil, fmt.Errorf("--about %s: %w", strconv.Quote(a.About), err)
	}
	return w, nil
}

// Inputs are the words as what something was computed from; none if none are named. Those of a
// file are public only by the word of whoever gave it.
func (a *AboutFlag) Inputs() provenance.Inputs {
	if a.About == "" {
		return nil
	}
	_, ships := about.List(a.About)
	return provenance.Inputs{{Kind: provenance.Public, Name: cli.ShownInput(a.About), What: []string{"words for labels"}, Assumed: !ships}}
}

// Along returns a corpus cut along words for labels too; the corpus itself for nil.
func Along(ctx context.Context, c *corpus.Corpus, w *about.Words, table *embedding.Table, report progress.Func) (*corpus.Corpus, error) {
	if w == nil {
		return c, nil
	}
	along, err := c.Along(ctx, w, table, report)
	if err != nil {
		return nil, fmt.Errorf("--about: %w", err)
	}
	return along, nil
}

// AlongOf returns a corpus as a release used it whose report has the digest of words for
// labels: cut along the words of --about, unless it was built along them.
func (a *AboutFlag) AlongOf(ctx context.Context, c *corpus.Corpus, digest, report string, table *embedding.Table, progress progress.Func) (*corpus.Corpus, error) {
	if digest == "" {
		return c, nil
	}
	w, err := a.AboutWords(ctx)
	if err != nil {
		return nil, err
	}
	own := c.Card().Encoder.About
	built := own != nil && own.SHA256 == digest
	if built && w == nil {
		return c, nil
	}
	if err := a.SameWords(digest, w, report); err != nil || built {
		return c, err
	}
	return Along(ctx, c, w, table, progress)
}

// SameWords refuses other words for labels than those of a report, and none.
func (a *AboutFlag) SameWords(digest string, w *about.Words, report string) error {
	switch {
	case w == nil:
		return cli.WrongUsage("give the same --about FILE", "%s: the release was made with --about", report)
	case w.Digest() != digest:
		return cli.WrongUsage("give the same --about FILE", "%s: the release was made with other words for labels (sha256 %.12s, not %.12s)", report, digest, w.Digest())
	}
	return nil
}

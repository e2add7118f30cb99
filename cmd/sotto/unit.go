package main

import (
	"context"
	"os"
	"strconv"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/privacy"
)

// unitFlags choose what one draw protects.
type unitFlags struct {
	Unit   string `placeholder:"WHAT" group:"privacy" help:"What epsilon protects: word, each token at its position (the default), or text, a whole text with all its words."`
	Corpus string `path:"table" placeholder:"NAME|FILE" group:"input" help:"With --unit text: corpus of public texts, which are the outputs (see sotto corpus build; default: english, embedded)."`
}

// whole reports whether the flags choose whole texts.
func (u *unitFlags) whole(m *mechanismFlags) bool {
	if entry, ok := catalog.Find(m.Mechanism); ok && u.Unit == "" && u.Corpus == "" {
		return entry.New == nil && entry.NewRetriever != nil
	}
	return u.Unit == "text" || u.Unit == "" && u.Corpus != ""
}

// untimed reports whether nobody sees when single texts are drawn: the inputs are whole
// files that nobody is writing to, and one output file appears when everything is drawn.
// A pipe or a terminal shows when each part comes.
func untimed(output string, files []string) bool {
	if output == "" || isStdout(output) || isFolder(output) || special(output) {
		return false
	}
	for _, name := range files {
		if info, err := os.Stat(name); isStdin(name) || err != nil || !info.Mode().IsRegular() {
			return false
		}
	}
	return true
}

// check refuses flags that cannot be combined.
func (u *unitFlags) check(m *mechanismFlags) error {
	switch {
	case u.Unit != "" && u.Unit != "word" && u.Unit != "text":
		return wrongUsage("", "--unit must be word or text, got %s", strconv.Quote(u.Unit))
	case u.Unit == "word" && u.Corpus != "":
		return wrongUsage("leave out --unit word", "--corpus needs --unit text: a corpus replaces whole texts")
	case !u.whole(m):
		return nil
	case m.Words != nil:
		return wrongUsage("", "--words cannot be used with --unit text")
	}
	m.unworded = true
	return nil
}

// apply opens the corpus, if whole texts are chosen.
func (u *unitFlags) apply(ctx context.Context, m *mechanismFlags, cfg *sotto.Config) (err error) {
	if !u.whole(m) {
		if u.Unit == "word" {
			cfg.Unit = privacy.Token
		}
		return nil
	}
	cfg.Unit = privacy.Text
	if u.Corpus != "" {
		cfg.Corpus, err = openCorpus(ctx, u.Corpus)
	}
	return err
}

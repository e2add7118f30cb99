package opening

import (
	"context"
	"os"
	"strconv"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/privacy"
)

// UnitFlags choose what one draw protects.
type UnitFlags struct {
	Unit   string `placeholder:"WHAT" group:"privacy" help:"What epsilon protects: word, each token at its position (the default), or text, a whole text with all its words."`
	Corpus string `path:"table" placeholder:"NAME|FILE" group:"input" help:"With --unit text: corpus of public texts, which are the outputs (see sotto corpus build; default: english, embedded)."`
}

// Whole reports whether the flags choose whole texts.
func (u *UnitFlags) Whole(m *MechanismFlags) bool {
	if entry, ok := catalog.Find(m.Mechanism); ok && u.Unit == "" && u.Corpus == "" {
		return entry.New == nil && entry.NewRetriever != nil
	}
	return u.Unit == "text" || u.Unit == "" && u.Corpus != ""
}

// Untimed reports whether nobody sees when single texts are drawn: the inputs are whole
// files that nobody is writing to, and one output file appears when everything is drawn.
// A pipe or a terminal shows when each part comes.
func Untimed(output string, files []string) bool {
	if output == "" || cli.IsStdout(output) || cli.IsFolder(output) || cli.Special(output) {
		return false
	}
	for _, name := range files {
		if info, err := os.Stat(name); cli.IsStdin(name) || err != nil || !info.Mode().IsRegular() {
			return false
		}
	}
	return true
}

// Check refuses flags that cannot be combined.
func (u *UnitFlags) Check(m *MechanismFlags) error {
	switch {
	case u.Unit != "" && u.Unit != "word" && u.Unit != "text":
		return cli.WrongUsage("", "--unit must be word or text, got %s", strconv.Quote(u.Unit))
	case u.Unit == "word" && u.Corpus != "":
		return cli.WrongUsage("leave out --unit word", "--corpus needs --unit text: a corpus replaces whole texts")
	case !u.Whole(m):
		return nil
	case m.Words != nil:
		return cli.WrongUsage("", "--words cannot be used with --unit text")
	}
	m.Unworded = true
	return nil
}

// Apply opens the corpus, if whole texts are chosen.
func (u *UnitFlags) Apply(ctx context.Context, m *MechanismFlags, cfg *sotto.Config) (err error) {
	if !u.Whole(m) {
		if u.Unit == "word" {
			cfg.Unit = privacy.Token
		}
		return nil
	}
	cfg.Unit = privacy.Text
	if u.Corpus != "" {
		cfg.Corpus, err = Corpus(ctx, u.Corpus)
	}
	return err
}

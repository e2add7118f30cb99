// Package opening opens what the flags of a command name: mechanisms, tables, corpora, models
// and the reports of releases.
package opening

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"strconv"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/autoencoder"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/progress"
	"github.com/sotto-dp/sotto/request"
)

// MechanismFlags are shared by the commands that open a mechanism.
type MechanismFlags struct {
	request.Opening
	TableFlags
	JSON bool `name:"json" group:"output" help:"Print one JSON document."`
}

// OverTable checks the flags and opens the vocabulary, for a command that opens the mechanism
// itself.
func (f *MechanismFlags) OverTable(ctx context.Context, term *cli.Terminal, command string) (spec mechanism.Spec, table *embedding.Table, err error) {
	if err := f.Check(command, "token"); err != nil {
		return spec, nil, err
	}
	table, err = f.Table(ctx)
	return f.Spec(Sources(term.Progress())), table, err
}

// TableFlags choose the vocabulary.
type TableFlags struct {
	request.Vocabulary
	request.Listed
}

// Table opens the chosen vocabulary.
func (f *TableFlags) Table(ctx context.Context) (*embedding.Table, error) {
	return f.Vocabulary.Table(ctx, Sources(nil), f.Listed)
}

// WordsAlone is Table for a command that reads no vectors.
func (f *TableFlags) WordsAlone(ctx context.Context) (*embedding.Table, error) {
	from := Sources(nil)
	from.Table = from.Words
	return f.Vocabulary.Table(ctx, from, f.Listed)
}

// Sources open what flags name: with the user's cache, library and files.
func Sources(report progress.Func) request.Sources {
	return request.Sources{
		Table: Table, Words: Words, Without: Without, Corpus: Corpus, Encode: Encode, Model: Model, Certificate: Certificate, Codebook: Codebook, Kept: Kept,
		Open: sotto.OpenFile, Cache: cli.UserCache(), Progress: report,
	}
}

// NewSpec returns the spec with which every command opens a mechanism: with the user's
// cache and files.
func NewSpec(parameters mechanism.Values, report progress.Func) mechanism.Spec {
	spec := new(request.Opening).Spec(Sources(report))
	maps.Copy(spec.Parameters, parameters)
	return spec
}

func MechanismNames() (names []string) {
	for _, e := range catalog.All() {
		names = append(names, e.Name)
	}
	return names
}

func UnknownMechanism(name string) error {
	hint := cli.DidYouMean(name, MechanismNames())
	if hint == "" {
		hint = "see sotto mechanisms"
	}
	return cli.WrongUsage(hint, "mechanism %q is not in the catalogue", name)
}

// TableOfTexts is Table for the encoder of a new corpus: without a name it is the embedded table
// of sentence vectors.
func TableOfTexts(ctx context.Context, name string) (*embedding.Table, error) {
	return Table(ctx, cmp.Or(name, builtin.SentencesName))
}

// Table opens an embedded table, a file, or an imported table. It ends with ctx, even
// if the file is a pipe that nobody writes to.
func Table(ctx context.Context, name string) (*embedding.Table, error) {
	return found(ctx, name, embedding.Find)
}

// Words is Table for a use of the words alone.
func Words(ctx context.Context, name string) (*embedding.Table, error) {
	return found(ctx, name, embedding.FindWords)
}

func found(ctx context.Context, name string, find func(string) (*embedding.Table, error)) (*embedding.Table, error) {
	if t, err := builtin.Find(name); t != nil || err != nil {
		return t, err
	}
	t, err := cli.Within(ctx, func() (*embedding.Table, error) { return find(name) })
	if errors.Is(err, fs.ErrNotExist) {
		return nil, cli.WrongUsage("see sotto embeddings list", "there is no table and no file %s", strconv.Quote(name))
	}
	return t, err
}

// Model reads a model's file.
func Model(ctx context.Context, name string) (*autoencoder.Model, error) {
	data, err := cli.ReadInput(ctx, name)
	if err != nil {
		return nil, err
	}
	m, err := autoencoder.Read(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return m, nil
}

// Certificate reads a certificate's file.
func Certificate(ctx context.Context, name string) (*audit.Certificate, error) {
	file, err := cli.OpenInput(ctx, name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	cert, err := audit.ReadCertificate(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return cert, nil
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

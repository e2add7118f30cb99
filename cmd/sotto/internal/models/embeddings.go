package models

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/opening"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/embedding/model2vec"
	"github.com/sotto-dp/sotto/embedding/segment"
	"github.com/sotto-dp/sotto/files/paths"
	"github.com/sotto-dp/sotto/statement"
)

type EmbeddingsCmd struct {
	Import embeddingsImport `cmd:"" help:"Convert a vector file to a table that opens fast."`
	Info   embeddingsInfo   `cmd:"" help:"Describe a table or a vector file."`
	List   embeddingsList   `cmd:"" help:"List the available tables."`
}

type embeddingsImport struct {
	File         string `path:"file" arg:"" help:"Vector file: .txt, .vec, .bin, plain or .gz or .zst; or a folder of model2vec."`
	Name         string `placeholder:"NAME" group:"input" help:"Name in the library (default: the file's)."`
	Segmentation string `placeholder:"KIND" group:"input" help:"How texts are cut into the words: english, words or pieces (default: english)."`
	Language     string `placeholder:"CODE" group:"input" help:"With --segmentation: language of the words, such as de (default: that of a published set, else any)."`
}

// published is the form of the names of fastText's published sets, as cc.de.300.vec.gz.
// The names differ only after the first dot.
var published = regexp.MustCompile(`^((?:cc|wiki)\.([a-z_-]+)(?:\.\d+)?)\.(?:vec|bin)(?:\.gz|\.zst)?$`)

// name returns the table's name in the library.
func (c *embeddingsImport) name() string {
	if c.Name != "" {
		return c.Name
	}
	base := filepath.Base(c.File)
	if m := published.FindStringSubmatch(base); m != nil {
		return m[1]
	}
	name, _, _ := strings.Cut(base, ".")
	return name
}

// AlsoUses returns the file in the library.
func (c *embeddingsImport) AlsoUses() []paths.Use {
	dir, err := embedding.Library()
	if err != nil {
		return nil
	}
	return []paths.Use{{Flag: "--name", Name: filepath.Join(dir, c.name()+embedding.Extension), Writes: true}}
}

// language returns the language of the words: the one that was given, or that of the name
// of a published set; empty for any.
func (c *embeddingsImport) language() string {
	if c.Language != "" {
		return c.Language
	}
	if m := published.FindStringSubmatch(filepath.Base(c.File)); m != nil && segment.CanLanguage(m[2]) {
		return m[2]
	}
	return ""
}

// rules returns the kind and the language of the rules of segmentation.
func (c *embeddingsImport) rules() (kind segment.Kind, language string, err error) {
	kind, language = segment.Kind(c.Segmentation), c.language()
	if kind == "" {
		kind = segment.English
	}
	switch {
	case !slices.Contains(segment.Kinds(), kind):
		err = cli.WrongUsage("", "--segmentation must be english, words or pieces, got %q", c.Segmentation)
	case c.Language != "" && !segment.CanLanguage(c.Language):
		err = cli.WrongUsage("", "--language must be two or three lower-case letters such as de, got %q", c.Language)
	case kind == segment.English && c.Language != "" && c.Language != "en":
		err = cli.WrongUsage("give --segmentation words or pieces", "--language %s needs rules other than those for English", c.Language)
	}
	return kind, language, err
}

func (c *embeddingsImport) Run(ctx context.Context, term *cli.Terminal) error {
	name := c.name()
	if slices.Contains(embedded(), name) {
		return cli.WrongUsage("choose another with --name", "%s is the name of an embedded table", name)
	}
	kind, language, err := c.rules()
	if err != nil {
		return err
	}
	if info, err := os.Stat(c.File); err == nil && info.IsDir() {
		return c.folder(ctx, term, name)
	}
	left := 0
	table, err := cli.Within(ctx, func() (*embedding.Table, error) {
		t, err := embedding.Open(c.File)
		if err != nil || kind == segment.English {
			return t, err
		}
		other, err := embedding.Resegment(t, kind, language)
		if err == nil {
			left = t.Len() - other.Len()
		}
		return other, err
	})
	if err != nil {
		return err
	}
	path, err := embedding.Import(table, name)
	if err != nil {
		return err
	}
	if _, err = fmt.Fprintf(term.Out, "%s: %d words of %d dimensions, written to %s\n", name, table.Len(), table.Dim(), path); err != nil {
		return err
	}
	return c.printRules(term, table, left)
}

// folder imports an encoder of texts.
func (c *embeddingsImport) folder(ctx context.Context, term *cli.Terminal, name string) error {
	if c.Segmentation != "" || c.Language != "" {
		return cli.WrongUsage("leave out --segmentation and --language", "the folder %s has a tokenizer of its own", c.File)
	}
	table, err := cli.Within(ctx, func() (*embedding.Table, error) { return model2vec.Read(c.File, name) })
	if err != nil {
		return err
	}
	path, err := embedding.Import(table, name)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(term.Out, "%s: %d tokens of %d dimensions, written to %s\nan encoder of texts: for corpus build --embeddings, and embed --of documents\n", name, table.Len(), table.Dim(), path)
	return err
}

// printRules prints the rules that cut texts, if they are not those for English, or should
// not be. left is the number of words that the rules leave out.
func (c *embeddingsImport) printRules(term *cli.Terminal, table *embedding.Table, left int) (err error) {
	language := c.language()
	switch {
	case c.Segmentation != "" && table.Segmentation() != nil:
		_, err = fmt.Fprintf(term.Out, "texts are cut by the rules %s\nleft out: %s (of another case, or not one word by these rules)\n", cutBy(table), cli.Plural(left, "word"))
	case table.Segmentation() != nil:
		_, err = fmt.Fprintf(term.Out, "texts are cut by the rules %s\n", cutBy(table))
	case language != "" && language != "en":
		_, err = fmt.Fprintf(term.Out, "texts are cut by the rules for English: for the language %s, import with --segmentation words, or pieces if it does not separate words\n", language)
	}
	return err
}

type embeddingsInfo struct {
	Table  string `path:"table" arg:"" help:"Name or file."`
	Verify bool   `group:"output" help:"Report that the digest matches the values. Every opening checks it."`
	JSON   bool   `name:"json" group:"output" help:"Print one JSON document."`
}

func (c *embeddingsInfo) Run(ctx context.Context, term *cli.Terminal) error {
	table, err := opening.Table(ctx, c.Table)
	if err != nil {
		return err
	}
	if c.JSON {
		return cli.PrintJSON(term, map[string]any{
			"embeddings": statement.EmbeddingsOf(table),
			"step":       table.Step(), "unknown": table.Word(table.Unknown()),
			"segmentation": segmentation(table),
		})
	}
	w := tabwriter.NewWriter(term.Out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "name\t%s\nwords\t%d\ndimensions\t%d\ngrid step\t%g\nunknown tokens become\t%s\nsha256\t%s\n",
		table.Name(), table.Len(), table.Dim(), table.Step(), table.Word(table.Unknown()), table.Digest())
	if table.Subwords() != nil {
		fmt.Fprintln(w, "texts are cut by\tthe tokenizer of an encoder of texts")
	} else {
		fmt.Fprintf(w, "texts are cut by the rules\t%s\n", cutBy(table))
	}
	if c.Verify {
		fmt.Fprintln(w, "values\tverified against the digest")
	}
	return w.Flush()
}

// segmentation names how texts are cut into the entries of a table.
func segmentation(table *embedding.Table) segment.Kind {
	if table.Subwords() != nil {
		return "tokenizer"
	}
	return table.Segmentation().Kind()
}

type embeddingsList struct {
	JSON bool `name:"json" group:"output" help:"Print one JSON document."`
}

func (c *embeddingsList) Run(term *cli.Terminal) error {
	names, err := embedding.List()
	if err != nil {
		return err
	}
	dir, err := embedding.Library()
	if err != nil {
		return err
	}
	if c.JSON {
		return cli.PrintJSON(term, map[string]any{"builtin": embedded(), "imported": append([]string{}, names...), "library": dir})
	}
	w := tabwriter.NewWriter(term.Out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "name\tkind")
	for _, name := range embedded() {
		fmt.Fprintf(w, "%s\tbuiltin\n", name)
	}
	for _, name := range names {
		size := int64(0)
		if info, err := os.Stat(filepath.Join(dir, name+embedding.Extension)); err == nil {
			size = info.Size()
		}
		fmt.Fprintf(w, "%s\timported, %.1f MB\n", name, float64(size)/1e6)
	}
	return w.Flush()
}

// embedded returns the names of the embedded tables.
func embedded() (names []string) {
	for _, t := range builtin.Tables() {
		names = append(names, t.Name)
	}
	return names
}

// Package look has the command try: what releases look like, before one is paid for. It draws
// from invented texts only, never from a file.
package look

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/attack/measured"
	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/opening"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/text"
)

// TryCmd shows invented texts at three epsilons for each unit.
type TryCmd struct {
	Corpus       string  `path:"corpus" placeholder:"NAME|FILE" group:"privacy" help:"Corpus of public texts, which are the outputs for whole texts (default: for each invented text that of its field)."`
	InsecureSeed *uint64 `placeholder:"N" group:"advanced" help:"Reproducible draws."`
	cli.FormatFlags
	File string `path:"file" arg:"" optional:"" help:"A private file, for the commands to type next: its format and the number of its texts are read, and nothing is drawn from it."`
}

// invention is a text that is drawn for, and the corpus of its field.
type invention struct{ text, corpus string }

var invented = []invention{
	{"My order has not arrived and nobody answers the phone.", "support"},
	{"The room was clean, but the music next door kept us awake.", "reviews"},
	{"The patient has had a cough and a fever since Monday.", "clinical"},
}

// Epsilons that show little noise, some and much.
var (
	ofWords   = []float64{4, 8, 12}
	ofTexts   = []float64{2, 4, 8}
	ofRecords = []float64{0.5, 1, 2}
)

// among is the number of texts of a reader's line-up, as limits has it.
const among = 200

// Run shows the units one after the other, and the commands that follow.
func (c *TryCmd) Run(ctx context.Context, term *cli.Terminal) error {
	if err := c.CheckFormat(); err != nil {
		return err
	}
	if c.File != "" {
		if err := c.describe(ctx, term); err != nil {
			return err
		}
	}
	books, err := c.books(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintln(term.Out, "Invented texts, drawn at three epsilons for each unit. A smaller epsilon protects more.")
	if err := c.words(ctx, term.Out); err != nil {
		return err
	}
	if err := c.texts(ctx, term.Out, books); err != nil {
		return err
	}
	return c.records(term.Out)
}

// describe says what the file is. It counts its texts and looks at none of them.
func (c *TryCmd) describe(ctx context.Context, term *cli.Terminal) error {
	n := 0
	err := c.EachText(ctx, term, c.File, func([]byte) {}, func() error { n++; return nil })
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(term.Out, "%s: %s, %s%s. Nothing is drawn from it.\n\n", cli.ShownInput(c.File), c.FormatOf(c.File), cli.Plural(n, "text"), c.inFields())
	return err
}

func (c *TryCmd) inFields() string {
	if len(c.Field) == 0 {
		return ""
	}
	return " in " + strings.Join(c.Field, ", ")
}

// open opens a mechanism with its default parameters.
func (c *TryCmd) open(ctx context.Context, epsilon float64, book *corpus.Corpus) (*sotto.Rewriter, error) {
	return sotto.Open(ctx, sotto.Config{Epsilon: epsilon, Corpus: book, InsecureSeed: c.InsecureSeed, Cache: cli.UserCache()})
}

// books opens the corpus of each invented text.
func (c *TryCmd) books(ctx context.Context) ([]*corpus.Corpus, error) {
	books := make([]*corpus.Corpus, len(invented))
	for i, t := range invented {
		if c.Corpus != "" && i > 0 {
			books[i] = books[0]
			continue
		}
		var err error
		if books[i], err = opening.Corpus(ctx, cmp.Or(c.Corpus, t.corpus)); err != nil {
			return nil, err
		}
	}
	return books, nil
}

// drawn prints the copy of an invented text.
func drawn(ctx context.Context, w io.Writer, r *sotto.Rewriter, t invention) error {
	out, err := r.Rewrite(ctx, t.text)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "    %s\n", out.Text)
	return err
}

func (c *TryCmd) words(ctx context.Context, w io.Writer) error {
	fmt.Fprintf(w, "\nWORD BY WORD: epsilon is lost for each word, and adds up. For counts of words and search.\n  texts\n")
	for _, t := range invented {
		fmt.Fprintf(w, "    %s\n", t.text)
	}
	for _, epsilon := range ofWords {
		r, err := c.open(ctx, epsilon, nil)
		if err != nil {
			return err
		}
		risk := "not measured at this epsilon"
		if f, ok := measured.Find(r.Entry().Name, r.TableDigest(), epsilon); ok {
			risk = f.String()
		}
		fmt.Fprintf(w, "  epsilon %g: %s\n", epsilon, risk)
		for _, t := range invented {
			if err := drawn(ctx, w, r, t); err != nil {
				return err
			}
		}
	}
	return c.next(w, "rewrite --epsilon 8", "private")
}

func (c *TryCmd) texts(ctx context.Context, w io.Writer, books []*corpus.Corpus) error {
	names := c.Corpus
	if names == "" {
		names = "of its field (sotto corpus list)"
	}
	fmt.Fprintf(w, "\nWHOLE TEXTS: epsilon covers a text with all its words; a public text of the corpus %s comes out.\n"+
		"For readable examples, and what kind of text it was.\n", names)
	for _, epsilon := range ofTexts {
		linked, err := audit.LinkageLimit(epsilon, among)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "  epsilon %g: a reader tells which of %d texts it was at most %.2g of the time\n", epsilon, among, linked)
		for i, t := range invented {
			r, err := c.open(ctx, epsilon, books[i])
			if err != nil {
				return err
			}
			if err := drawn(ctx, w, r, t); err != nil {
				return err
			}
		}
	}
	return c.next(w, "rewrite --unit text"+c.named()+" --epsilon 4", "private")
}

func (c *TryCmd) records(w io.Writer) error {
	fmt.Fprintln(w, "\nRECORDS: epsilon covers a record of a whole corpus with its label; public texts come out, in noisy numbers.\nFor training data. The more records, the less the noise matters.")
	for _, epsilon := range ofRecords {
		guess, err := audit.LinkageLimit(epsilon, 2) // with the record and without it
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "  epsilon %g: a reader who knows all other records guesses correctly whether one took part at most %.2f of the time; 0.50 is a coin\n", epsilon, guess)
	}
	return c.next(w, "synthesize"+c.named()+" --epsilon 1", "copy")
}

// named returns the flag for the corpus: without one, that of the first field.
func (c *TryCmd) named() string { return " --corpus " + cmp.Or(c.Corpus, invented[0].corpus) }

// next prints the command to type.
func (c *TryCmd) next(w io.Writer, command, out string) error {
	name, fields := c.File, ""
	if name == "" || cli.IsStdin(name) {
		name = "FILE"
	}
	for _, f := range c.Field {
		fields += " --field " + f
	}
	extension := ".txt"
	if f := c.FormatOf(c.File); c.File != "" && f != text.Lines && len(f.Extensions) > 0 {
		extension = f.Extensions[0]
	}
	_, err := fmt.Fprintf(w, "  next: sotto %s%s --report report.json -o %s%s %s\n", command, fields, out, extension, name)
	return err
}

package corpora

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/charging"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/files/paths"
	"github.com/sotto-dp/sotto/internal/filelock"
	"github.com/sotto-dp/sotto/internal/writing"
)

type corpusWriteCmd struct {
	Public     bool   `group:"privacy" help:"Declare that the model was not trained on private texts of yours, so that what it writes is public. Claims over the corpus depend on it, and serve requires it."`
	Endpoint   string `placeholder:"URL" group:"input" help:"Where the model answers by the chat-completions protocol, such as http://127.0.0.1:8080/v1. SOTTO_WRITE_KEY has its key, if it needs one."`
	Model      string `placeholder:"NAME" group:"input" help:"Name of the model at the endpoint."`
	About      string `placeholder:"TEXT" group:"input" help:"What the texts are, such as \"support tickets of a parcel service, in German\". It is sent to the endpoint: it must be public."`
	Texts      int    `placeholder:"N" group:"input" help:"Number of texts to write."`
	Attributes string `path:"file" placeholder:"FILE" group:"input" help:"Public lines \"name: value; value\", in which the texts differ (default: the model proposes who, what, tone and length)."`
	Encoder    string `placeholder:"KIND" group:"input" help:"sif, lsa or sif+lsa, as for corpus build: lsa for texts that are not English (default: sif+lsa)."`
	Embeddings string `path:"table" placeholder:"NAME|FILE" group:"input" help:"Public table of word vectors for sif (default: sentences, embedded)."`
	Output     string `path:"update" short:"o" placeholder:"FILE" group:"output" help:"Corpus file to write."`
	Resume     bool   `group:"output" help:"Continue the run that ended before it was done. Its texts are in FILE.writing."`
	MaxTokens  int    `placeholder:"N" group:"advanced" help:"End before all requests together use more tokens than this (default: no bound)."`
	Batch      int    `default:"20" placeholder:"N" group:"advanced" help:"Texts to ask for at once (default: 20)."`
	Workers    int    `default:"4" placeholder:"N" group:"advanced" help:"Requests at once (default: 4)."`
	Seed       uint64 `default:"1" placeholder:"N" group:"advanced" help:"Chooses the attributes of each request, and is sent with it (default: 1)."`
	Timeout    int    `default:"300" placeholder:"SECONDS" group:"advanced" help:"Longest time of one request (default: 300)."`
	charging.QuietFlag
	JSON bool `name:"json" group:"output" help:"Print one JSON document."`
}

// stateFile is the file of an unfinished run.
func (c *corpusWriteCmd) stateFile() string { return c.Output + ".writing" }

// AlsoUses returns the file of the run.
func (c *corpusWriteCmd) AlsoUses() []paths.Use {
	if c.Output == "" {
		return nil
	}
	return []paths.Use{{Flag: "-o", Name: c.stateFile(), Writes: true}}
}

func (c *corpusWriteCmd) check() error {
	switch {
	case c.Endpoint == "" || c.Model == "" || c.About == "" || c.Texts == 0 || c.Output == "":
		return cli.WrongUsage("", "corpus write needs --endpoint URL, --model NAME, --about TEXT, --texts N and -o FILE")
	case c.Texts < 0 || c.Batch < 1 || c.Workers < 1 || c.Timeout < 1 || c.MaxTokens < 0:
		return cli.WrongUsage("", "--texts, --batch, --workers, --timeout and --max-tokens must be positive")
	case c.Batch > 200 || c.Workers > 256:
		return cli.WrongUsage("", "--batch must be at most 200, and --workers at most 256")
	case strings.TrimSpace(c.About) == "":
		return cli.WrongUsage("", "--about is empty")
	}
	build := corpusBuildCmd{Encoder: c.Encoder, Embeddings: c.Embeddings, Output: c.Output, Similar: corpus.DefaultSimilar}
	return build.check()
}

func (c *corpusWriteCmd) Run(ctx context.Context, term *cli.Terminal) error {
	if err := c.check(); err != nil {
		return err
	}
	w := &writing.Writer{Client: &writing.Client{Endpoint: c.Endpoint, Model: c.Model, Key: os.Getenv("SOTTO_WRITE_KEY"), Timeout: time.Duration(c.Timeout) * time.Second}}
	if err := w.Client.Check(); err != nil {
		return cli.WrongUsage("", "--endpoint: %v", err)
	}
	w.Plan = writing.Plan{About: strings.Join(strings.Fields(c.About), " "), Texts: c.Texts, Seed: c.Seed, Batch: c.Batch, Workers: c.Workers, MaxTokens: c.MaxTokens}
	if c.Attributes != "" {
		f, err := os.Open(c.Attributes)
		if err == nil {
			w.Attributes, err = writing.ReadAttributes(f)
			f.Close()
		}
		if err != nil {
			return fmt.Errorf("%s: %w", c.Attributes, cli.PlainError(err))
		}
	}
	options, _, err := c.build().options(ctx, term)
	if err != nil {
		return err
	}
	distinct := corpus.NewDistinct(corpus.DefaultSimilar)
	w.Distinct = func(text string) bool { return distinct.Add([]byte(text)) }
	if !c.Quiet {
		w.Report = c.progress(term, time.Now)
		w.Client.Again = again(term, time.Now)
	}
	kept, err := c.open(term)
	if err != nil {
		return err
	}
	defer kept.Close()
	texts, tally, err := w.Run(ctx, kept, c.Resume)
	if err != nil {
		return c.unfinished(kept, len(texts), err)
	}
	options.Written = &corpus.Written{Model: c.Model, About: w.About, Seed: c.Seed, Calls: tally.Calls, Refused: tally.Refused, Similar: tally.Similar}
	builder, err := corpus.NewBuilder(options)
	if err != nil {
		return err
	}
	for _, t := range texts {
		if err := builder.Add([]byte(t)); err != nil {
			return err
		}
	}
	built, err := builder.Build(ctx)
	if err != nil {
		return err
	}
	if err := c.build().write(ctx, term, built); err != nil {
		return err
	}
	return os.Remove(c.stateFile())
}

// build returns the command that would build the corpus from a file.
func (c *corpusWriteCmd) build() *corpusBuildCmd {
	return &corpusBuildCmd{Public: c.Public, Output: c.Output, Encoder: c.Encoder, Embeddings: c.Embeddings, Similar: corpus.DefaultSimilar, JSON: c.JSON}
}

// open opens the file of the run, which one process at a time may use.
func (c *corpusWriteCmd) open(term *cli.Terminal) (*os.File, error) {
	name := c.stateFile()
	if err := term.MayWrite(name); err != nil {
		return nil, err
	}
	// An existing file is continued only if it is one, not a link to another.
	there, err := os.Lstat(name)
	flags := os.O_RDWR | os.O_CREATE | os.O_EXCL
	if err == nil && c.Resume {
		if !there.Mode().IsRegular() {
			return nil, fmt.Errorf("%s: it is not a regular file", name)
		}
		flags = os.O_RDWR
	}
	f, err := os.OpenFile(name, flags, 0o600)
	switch {
	case errors.Is(err, fs.ErrExist):
		return nil, cli.WrongUsage("continue with --resume, or remove that file", "%s has an unfinished run", name)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, cli.PlainError(err))
	}
	if now, err := f.Stat(); flags&os.O_EXCL == 0 && (err != nil || !os.SameFile(there, now)) {
		_ = f.Close()
		return nil, fmt.Errorf("%s: it was replaced while it was opened", name)
	}
	if free, err := filelock.Lock(f); err != nil || !free {
		_ = f.Close()
		return nil, fmt.Errorf("%s: another process writes it", name)
	}
	return f, nil
}

// unfinished words why a run ended, and removes the file of one that wrote nothing.
func (c *corpusWriteCmd) unfinished(kept *os.File, texts int, err error) error {
	if info, e := kept.Stat(); e == nil && info.Size() == 0 {
		_ = os.Remove(c.stateFile())
		return fmt.Errorf("corpus write: %w", err)
	}
	return fmt.Errorf("corpus write: %w; %s has %s: continue with --resume", err, filepath.Base(c.stateFile()), cli.Plural(texts, "text"))
}

// progressEvery is the time between two lines of progress.
const progressEvery = 20 * time.Second

// progress prints how far the run is, and an estimate of the rest.
func (c *corpusWriteCmd) progress(term *cli.Terminal, now func() time.Time) func(writing.Progress) {
	var last time.Time
	return func(p writing.Progress) {
		if p.Texts < p.Wanted && now().Sub(last) < progressEvery {
			return
		}
		last = now()
		line := fmt.Sprintf("sotto: %d of %s, %s; left out %d similar, %d refused, %d unreadable", p.Texts, cli.Plural(p.Wanted, "text"), cli.Plural(p.Tokens, "token"), p.Similar, p.Refused, p.Unread)
		if p.LeftTokens > 0 {
			line += fmt.Sprintf("; about %s and %s to go", p.Left.Round(time.Second), cli.Plural(p.LeftTokens, "token"))
		}
		fmt.Fprintln(term.Err, line)
	}
}

// again prints why a request is repeated, at most once in the time between lines of progress.
func again(term *cli.Terminal, now func() time.Time) func(error, time.Duration) {
	var mu sync.Mutex
	var last time.Time
	return func(err error, wait time.Duration) {
		mu.Lock()
		defer mu.Unlock()
		if now().Sub(last) < progressEvery {
			return
		}
		last = now()
		fmt.Fprintf(term.Err, "sotto: %v; asking again in %v\n", err, max(wait.Round(time.Second), time.Second))
	}
}

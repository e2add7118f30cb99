package sottobeam

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/ledger"
	place "github.com/sotto-dp/sotto/ledger/open"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/request"
)

// Config configures how texts are rewritten. It is sent to the workers with the pipeline,
// so paths and URLs in it must be valid on every worker.
type Config struct {
	Epsilon   float64 // nats; required
	Mechanism string  // of the catalogue; empty means the default for Notion
	Notion    string  // pure (the default) or metric
	// Parameters are the mechanism's own parameters by name, as in [sotto.Config].
	Parameters mechanism.Values
	// Calibrate is what Epsilon means for exponential-type members: certified (the default)
	// or published.
	Calibrate string `json:",omitempty"`
	// Unit is what one draw protects: word, each token at its position (the default), or
	// text, a whole text, which is replaced by a text of Corpus. A mechanism for whole
	// texts, or a Corpus, implies text.
	Unit string `json:",omitempty"`
	// Corpus is the name or file of a corpus that every worker can read; empty is the
	// embedded English one. CorpusDigest is its SHA-256, which Checked fills in. A worker
	// that finds another corpus under the name refuses to run.
	Corpus       string `json:",omitempty"`
	CorpusDigest string `json:",omitempty"`
	// EncoderProgram is the command of the program that made the vectors of Corpus, which every
	// worker can run: see package corpus/program. Each process of a worker starts it once. It
	// sees the texts.
	EncoderProgram string `json:",omitempty"`
	// Language is that of the texts; a table or corpus known to be of another is refused.
	Language   string `json:",omitempty"`
	Embeddings string // a table's name or file; empty is the embedded table
	Words      int    // use the first Words words of the table; 0 is all
	Accept     string // the lowest standing accepted: proved (the default), stated or refuted
	Consistent bool
	// Certificate, if not empty, is a certificate written by sotto audit --certificate.
	// Every worker refuses to run unless it is for this mechanism and table.
	Certificate []byte
	// Fields are the private fields of structures: names, with dots for nested
	// structures. Empty means those tagged `sotto:"private"`. They are strings, pointers
	// to strings and slices of strings.
	Fields []string
	// Marks rewrite only marked places; see there.
	Marks *Marks `json:",omitempty"`
	// Ledger, an SQLite file or the URL of a PostgreSQL database, and Account are given
	// together. A file serves the processes of one machine. A URL with a password is
	// refused, because runners store and show the configuration: each worker takes the
	// password from PGPASSWORD or a password file.
	Ledger, Account string
	// Run names the charges of this run. A second run with the same Run gets the same
	// answers for the same keys and pays only for the others. It is as secret as the
	// private texts. Empty means a new random value.
	Run          string
	InsecureSeed *uint64
}

// Checked opens a rewriter for the configuration, to find errors before a worker does,
// and returns the configuration with a Run.
func (c Config) Checked() (Config, error) {
	if err := checkRun(c.Ledger, c.Account, c.Run, c.InsecureSeed); err != nil {
		return c, err
	}
	if c.Marks != nil && c.Ledger != "" {
		return c, errors.New("sottobeam: marks cannot be used with a ledger: an account bounds the loss of texts, and a text with copied parts has no bound")
	}
	r, err := c.rewriter(context.Background())
	if err != nil {
		return c, err
	}
	if corpus := r.Statement(sotto.Counts{}).Corpus; corpus != nil {
		c.CorpusDigest = corpus.SHA256
	}
	if c.Ledger != "" {
		if _, err := ledger.Cost(r.Claim(), 1); err != nil {
			return c, err
		}
	}
	if c.Run == "" {
		c.Run = rand.Text()
	}
	return c, nil
}

// CheckAccount opens the ledger and refuses an account that the workers could not charge.
// Without a ledger it does nothing.
func (c Config) CheckAccount(ctx context.Context) error {
	if c.Ledger == "" {
		return nil
	}
	w, err := openWorker(ctx, c)
	if err != nil {
		return err
	}
	return w.ledger.Close()
}

// checkRun refuses a ledger, an account, a run and a seed that are invalid or cannot be
// combined.
func checkRun(store, account, run string, seed *uint64) error {
	switch {
	case (store == "") != (account == ""):
		return fmt.Errorf("sottobeam: a ledger and an account belong together: set both, or neither")
	case store != "" && seed != nil:
		return fmt.Errorf("sottobeam: a seeded run is for tests and cannot be charged")
	case run != "" && len(run) < 16:
		return privacy.Bad("sottobeam", "run", fmt.Sprintf("%d characters", len(run)), "16 characters or more, or empty")
	case store == "":
		return nil
	}
	if err := ledger.CheckAccount(account); err != nil {
		return err
	}
	return place.Check(store)
}

// rewriter opens the configured rewriter. Texts are always compared with the corpus, because a
// runner shows how long each bundle takes.
func (c Config) rewriter(ctx context.Context) (*sotto.Rewriter, error) {
	asked := c.request()
	cfg, err := asked.Config(ctx, "sottobeam", c.sources())
	if err != nil {
		return nil, err
	}
	r, err := sotto.Open(ctx, cfg)
	if err != nil || c.CorpusDigest == "" {
		return r, err
	}
	corpus := r.Statement(sotto.Counts{}).Corpus
	if corpus == nil || corpus.SHA256 != c.CorpusDigest {
		return nil, privacy.Wrong("sottobeam", "corpus", "this worker has another one than the pipeline was made with", "give every worker the corpus with SHA-256 "+c.CorpusDigest)
	}
	return r, nil
}

// request returns what the configuration asks for.
func (c Config) request() request.Request {
	r := request.Request{
		Opening:    request.Opening{Mechanism: c.Mechanism, Notion: c.Notion, Param: request.ParamOf(c.Parameters), Calibrate: c.Calibrate},
		Vocabulary: request.Vocabulary{Embeddings: c.Embeddings},
		InLanguage: request.InLanguage{Language: c.Language},
		Protected:  request.Protected{Unit: c.Unit, Corpus: c.Corpus},
		Encoding:   request.Encoding{EncoderProgram: c.EncoderProgram},
		Distinct:   request.Distinct{Consistent: c.Consistent},
		Seeded:     request.Seeded{InsecureSeed: c.InsecureSeed},
	}
	c.Marks.ask(&r)
	if c.Epsilon != 0 || c.Marks != nil { // with marks, 0 leaves nothing of them but their types
		r.Epsilon = &c.Epsilon
	}
	if c.Words != 0 {
		r.Words = &c.Words
	}
	if c.Unit == string(privacy.Token) {
		r.Unit = "word"
	}
	if accept := strings.ToLower(c.Accept); accept != "proved" {
		r.Accept = accept
	}
	if len(c.Certificate) > 0 {
		r.RequireCertificate = "of the configuration"
	}
	return r
}

// sources open what the configuration names. Parameters may name files.
func (c Config) sources() request.Sources {
	return request.Sources{
		Table:  func(_ context.Context, name string) (*embedding.Table, error) { return openTable(name) },
		Corpus: func(_ context.Context, name string) (*corpus.Corpus, error) { return openCorpus(name) },
		Encode: encode,
		Certificate: func(context.Context, string) (*audit.Certificate, error) {
			return audit.ReadCertificate(bytes.NewReader(c.Certificate))
		},
		Codebook: noCodebook,
		Open:     sotto.OpenFile,
	}
}

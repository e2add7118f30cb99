package sottobeam

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/ledger"
	place "github.com/sotto-dp/sotto/ledger/open"
	"github.com/sotto-dp/sotto/privacy/identity"
	"github.com/sotto-dp/sotto/text"
)

// Worker is an open rewriter and ledger. It is safe for concurrent use.
type Worker struct {
	Rewriter *sotto.Rewriter
	cfg      Config
	ledger   *ledger.Ledger // nil: nothing is charged
}

// once opens something once per process for each name, by its first caller.
type once[T any] struct{ sync.Map }

func (o *once[T]) get(name string, open func() (T, error)) (T, error) {
	opened, _ := o.LoadOrStore(name, sync.OnceValues(open))
	return opened.(func() (T, error))()
}

var workers once[*Worker] // by configuration

// Open returns the worker of a configuration, which it opens once per process.
func Open(cfg Config) (*Worker, error) {
	name, err := json.Marshal(cfg)
	if err != nil {
		return nil, err
	}
	return workers.get(string(name), func() (*Worker, error) { return openWorker(context.Background(), cfg) })
}

func openWorker(ctx context.Context, cfg Config) (*Worker, error) {
	r, err := cfg.rewriter(ctx)
	if err != nil {
		return nil, err
	}
	w := &Worker{Rewriter: r, cfg: cfg}
	if cfg.Ledger == "" {
		return w, nil
	}
	one, err := w.price(1)
	if err == nil {
		w.ledger, err = openLedger(ctx, cfg.Ledger, cfg.Account, one)
	}
	return w, err
}

// openLedger opens a ledger, and refuses an account that cannot pay charges of this kind.
func openLedger(ctx context.Context, store, account string, one ledger.Charge) (*ledger.Ledger, error) {
	l, err := place.Ledger(ctx, store, place.Write)
	if err != nil {
		return nil, err
	}
	a, err := l.Account(ctx, account)
	if err == nil {
		err = a.Takes(one.Basis, one.Party)
	}
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// openCorpus opens a corpus by its name or file; empty is the embedded English one.
func openCorpus(name string) (*corpus.Corpus, error) {
	return corpus.Find(cmp.Or(name, corpus.EnglishName))
}

func openTable(name string) (*embedding.Table, error) {
	if t, err := builtin.Find(name); t != nil || err != nil {
		return t, err
	}
	return embedding.Find(name)
}

// price returns the charge for a number of draws.
func (w *Worker) price(draws int64) (ledger.Charge, error) {
	return ledger.Price(w.Rewriter.Claim(), w.Rewriter.TableDigest(), draws)
}

// chargeKey returns the idempotency key of an element.
func (w *Worker) chargeKey(key string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %s %s", len(w.cfg.Run), w.cfg.Run, key))
	return hex.EncodeToString(sum[:])
}

// charge pays for what p will draw, unless the key has paid before. The request that the
// ledger stores contains the size of the draw and nothing of the text, so that not even the
// run's secret confirms a guess.
func (w *Worker) charge(ctx context.Context, key string, p *sotto.Pending) (ledger.Receipt, error) {
	c, err := w.price(p.Draws())
	if err != nil {
		return ledger.Receipt{}, err
	}
	c.Account, c.Key = w.cfg.Account, w.chargeKey(key)
	c.Request = sha256.Sum256(fmt.Appendf(nil, "%v %d", w.Rewriter.Claim(), p.Draws()))
	receipt, err := w.ledger.Charge(ctx, c)
	if err == nil && !receipt.Replayed {
		spent.Inc(ctx, c.Cost.Epsilon)
	}
	return receipt, err
}

// Charge pays for what p will draw, if there is a ledger. It does not charge again under
// a key that has been charged, since a retry replaces a draw of which nothing was shown.
// It returns false if [Worker.Show] was called for the key. Then the caller must not draw
// under it, unless p's draws have a name: they are then those that were shown.
func (w *Worker) Charge(ctx context.Context, key string, p *sotto.Pending) (free bool, err error) {
	if w.ledger == nil {
		w.countBatch(ctx, p, true)
		return true, nil
	}
	receipt, err := w.charge(ctx, key, p)
	if errors.Is(err, ledger.ErrForgotten) || err == nil && receipt.Answered && p.Name() == "" {
		return false, nil
	}
	w.countBatch(ctx, p, false)
	return true, err
}

// Show records in the ledger, if there is one, that a draw under a charged key is about to
// be released; digest identifies the draw. It returns false if another draw under that key
// may have been released. Then the caller must not release this one.
func (w *Worker) Show(ctx context.Context, key string, digest []byte) (bool, error) {
	if w.ledger == nil {
		return true, nil
	}
	first, err := w.ledger.Answer(ctx, w.cfg.Account, w.chargeKey(key), digest)
	if errors.Is(err, ledger.ErrForgotten) {
		return false, nil
	}
	return bytes.Equal(first, digest), err
}

// rewrite returns private copies of the texts of one element, or those made in an earlier
// attempt.
func (w *Worker) rewrite(ctx context.Context, key string, texts [][]byte, given []text.Spans) ([][]byte, sotto.Counts, error) {
	p, err := w.read(texts, given, sotto.Position{Batch: seedNumber(key, texts)})
	if err != nil {
		return nil, sotto.Counts{}, err
	}
	if w.ledger == nil {
		w.count(ctx, p, true)
		private, err := p.Draw(ctx)
		return private, p.Counts(), err
	}
	receipt, err := w.charge(ctx, key, p)
	if err != nil {
		return nil, sotto.Counts{}, err
	}
	w.count(ctx, p, false)
	kept := receipt.Answer
	if !receipt.Answered {
		private, err := p.Draw(ctx)
		if err != nil {
			return nil, sotto.Counts{}, err
		}
		if kept, err = json.Marshal(private); err == nil {
			// If another attempt stored its answer first, that answer is used.
			kept, err = w.ledger.Answer(ctx, w.cfg.Account, w.chargeKey(key), kept)
		}
		if err != nil {
			return nil, sotto.Counts{}, err
		}
	}
	var private [][]byte
	if err := json.Unmarshal(kept, &private); err != nil || len(private) != len(texts) {
		return nil, sotto.Counts{}, errAnswer
	}
	counts := p.Counts() // a ledger takes no marks, whose texts hold what was copied
	counts.Drawn = identity.OfTexts(private)
	return private, counts, nil
}

// seedNumber returns the batch number of an element in a seeded run. It follows from the
// element's key or, without a key, from its content: such a run is a test.
func seedNumber(key string, texts [][]byte) uint64 {
	h := sha256.New()
	fmt.Fprintf(h, "%s\x00", key)
	if key == "" {
		for _, t := range texts {
			fmt.Fprintf(h, "%d %s", len(t), t)
		}
	}
	return binary.BigEndian.Uint64(h.Sum(nil))
}

// statement returns the privacy statement as JSON.
func (w *Worker) statement(counts sotto.Counts) (string, error) {
	s := w.Rewriter.Statement(counts)
	w.cfg.Marks.state(&s)
	data, err := json.MarshalIndent(s, "", "  ")
	return string(data), err
}

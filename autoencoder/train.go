package autoencoder

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/sotto-dp/sotto/embedding"
)

// Lesson configures Train.
type Lesson struct {
	Options Options
	// Public: the caller declares that the corpus is public.
	Public bool
	// Table has the words' initial vectors; with nil they are random.
	Table *embedding.Table
	// Threads is the number of threads; the result does not depend on it.
	Threads int
	// Time, if not 0, limits the training; the best model so far is returned.
	Time time.Duration
	// Progress, if not nil, is called after every step.
	Progress func(Progress)
	// Save, if not nil, receives the training's state after every epoch and when
	// it is stopped. Resume is the last such state: a resumed training gives
	// exactly the weights of an uninterrupted one.
	Save   func(state []byte) error
	Resume []byte
}

// Progress is the progress of a training.
type Progress struct {
	Epoch, Epochs int     // from 1
	Step, Steps   int     // of all epochs
	Loss          float64 // of the last step, in nats per token
	Held          float64 // of the last epoch, on what is held out; 0 before
	PerSecond     float64 // steps
	Left          time.Duration
}

// Train trains a model to write what it reads, on public texts of one sentence
// each. The result depends only on the texts, the table and the options. If ctx ends first,
// Train saves the state and returns the context's error.
func Train(ctx context.Context, texts [][]byte, l Lesson) (*Model, error) {
	t, err := newTrainer(texts, l)
	if err != nil {
		return nil, err
	}
	if l.Resume != nil {
		if err := t.restore(l.Resume); err != nil {
			return nil, err
		}
	}
	if err := t.run(ctx); err != nil {
		return nil, err
	}
	return t.model()
}

// trainer is a training under way. What is not in state follows from the texts
// and the options.
type trainer struct {
	lesson     Lesson
	options    Options
	shape      Shape
	card       Card
	words      []string
	learn      [][]embedding.ID
	held       [][]embedding.ID
	references [][]string // of held

	state
	network *network[float32]
	grad    *weights[float32]
}

// state is a training's state, to resume from.
type state struct {
	weights []float32
	adam    moments
	best    []float32 // weights of the least loss on what is held out
	marks   marks
}

// marks are the small figures of a state.
type marks struct {
	Steps     int     `json:"steps"` // done
	Held      float64 `json:"held"`  // last loss on what is held out
	Best      float64 `json:"best"`
	BestSteps int     `json:"best_steps"`
	BestEpoch int     `json:"best_epoch"`
}

// One sentence in heldOut is held out.
const heldOut = 20

func newTrainer(texts [][]byte, l Lesson) (*trainer, error) {
	o := l.Options.withDefaults()
	if l.Table != nil {
		if rules := l.Table.Segmentation(); rules != nil {
			return nil, fmt.Errorf("autoencoder: the table %q is cut by rules of kind %s: a model reads texts by the rules for English only", l.Table.Name(), rules.Kind())
		}
		o.Embed = l.Table.Dim()
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	t := &trainer{lesson: l, options: o, words: common(texts, o.Words, o.Least)}
	t.lesson.Threads = max(1, l.Threads)
	t.shape = Shape{Words: len(t.words), Embed: o.Embed, Hidden: o.Hidden, Latent: o.Latent, Tokens: o.Tokens}
	if err := t.shape.check(); err != nil {
		return nil, err
	}
	t.card = Card{
		Public: l.Public, Shape: t.shape, Vocabulary: digest(t.words), Training: Training{Options: o},
		Corpus: Corpus{SHA256: digest(texts), Sentences: len(texts)},
	}
	t.read(texts)
	if len(t.learn) == 0 || len(t.held) == 0 {
		return nil, fmt.Errorf("autoencoder: the corpus has %d sentences of at most %d tokens, want %d or more: add sentences, or allow longer ones", len(t.learn)+len(t.held), o.Tokens, heldOut)
	}
	n := t.shape.count()
	t.weights, t.best = make([]float32, n), make([]float32, n)
	t.adam = moments{mean: make([]float32, n), square: make([]float32, n)}
	t.grad = over(t.shape, make([]float32, n))
	t.network = newNetwork(t.shape, over(t.shape, t.weights), t.lesson.Threads)
	t.network.weights.initialise(t.shape, t.options.source(0, 0))
	t.lend(l.Table)
	return t, nil
}

// read cuts texts into sentences by the vocabulary, and holds out one in heldOut.
func (t *trainer) read(texts [][]byte) {
	r := newReader(t.words)
	c := &t.card.Corpus
	kept := 0
	for _, one := range texts {
		ids, reference, unknown := r.read(one)
		if len(ids) == 0 {
			continue
		}
		if len(ids) > t.shape.Tokens {
			c.LeftOut++
			continue
		}
		c.Tokens, c.Unknown = c.Tokens+len(ids), c.Unknown+unknown
		if kept++; kept%heldOut == 0 {
			t.held, t.references = append(t.held, ids), append(t.references, reference)
			continue
		}
		t.learn = append(t.learn, ids)
	}
	c.Held = len(t.held)
}

// lend initialises words with their vectors in a table.
func (t *trainer) lend(table *embedding.Table) {
	if table == nil {
		return
	}
	has := 0
	for i, w := range t.words {
		if id, ok := table.Lookup(w); ok {
			table.Vector(t.weights[i*t.shape.Embed:i*t.shape.Embed:(i+1)*t.shape.Embed], id)
			has++
		}
	}
	t.card.Table = &Table{Name: table.Name(), SHA256: table.Digest(), Words: has}
}

// errTime ends a training whose time is over.
var errTime = errors.New("time is over")

func (t *trainer) run(ctx context.Context) error {
	perEpoch := (len(t.learn) + t.options.Batch - 1) / t.options.Batch
	total := perEpoch * t.options.Epochs
	began, first := time.Now(), t.marks.Steps
	pace := func() float64 { return float64(t.marks.Steps-first) / time.Since(began).Seconds() }
	for t.marks.Steps < total {
		epoch := t.marks.Steps / perEpoch
		if t.marks.Steps%perEpoch == 0 && epoch-t.marks.BestEpoch >= t.options.Patience {
			break
		}
		batches := t.shuffled(epoch)
		for t.marks.Steps < (epoch+1)*perEpoch {
			err := ctx.Err()
			if t.lesson.Time > 0 && time.Since(began) > t.lesson.Time {
				err = errTime
			}
			if err != nil {
				return t.stop(err, epoch)
			}
			step := t.marks.Steps
			rng := t.options.source(2, uint64(step))
			loss := t.network.loss(t.swapped(batches[step%perEpoch], rng), t.options.regular(), rng, t.grad)
			if math.IsNaN(loss) || math.IsInf(loss, 0) {
				return fmt.Errorf("autoencoder: the training diverged at step %d: a smaller rate may help", step+1)
			}
			t.adam.step(t.weights, t.grad.all, t.options.pace(step, total), t.options.Norm, t.lesson.Threads)
			t.marks.Steps++
			if t.lesson.Progress != nil {
				p := pace()
				left := time.Duration(float64(total-t.marks.Steps) / p * float64(time.Second))
				t.lesson.Progress(Progress{epoch + 1, t.options.Epochs, t.marks.Steps, total, loss, t.marks.Held, p, left})
			}
		}
		t.judge(epoch + 1)
		if err := t.save(); err != nil {
			return err
		}
	}
	return nil
}

// stop saves the training's state. If its time is over the training is done: the
// current weights are judged as if the epoch had ended.
func (t *trainer) stop(err error, epoch int) error {
	if saved := t.save(); saved != nil {
		return saved
	}
	if errors.Is(err, errTime) {
		t.judge(epoch + 1)
		return nil
	}
	return err
}

// judge stores the weights if they are the best so far on the held-out sentences.
func (t *trainer) judge(epoch int) {
	t.marks.Held = t.network.mean(t.held)
	if t.marks.BestSteps == 0 || t.marks.Held < t.marks.Best {
		t.marks.Best, t.marks.BestSteps, t.marks.BestEpoch = t.marks.Held, t.marks.Steps, epoch
		copy(t.best, t.weights)
	}
}

// shuffled cuts the sentences into the batches of one epoch, with sentences of
// similar length together, in an order specific to the epoch.
func (t *trainer) shuffled(epoch int) [][][]embedding.ID {
	rng := t.options.source(1, uint64(epoch))
	all := slices.Clone(t.learn)
	rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	const alike = 32 // batches that are sorted together
	var batches [][][]embedding.ID
	for some := range slices.Chunk(all, alike*t.options.Batch) {
		slices.SortStableFunc(some, func(a, b []embedding.ID) int { return cmp.Compare(len(b), len(a)) })
		batches = slices.AppendSeq(batches, slices.Chunk(some, t.options.Batch))
	}
	rng.Shuffle(len(batches), func(i, j int) { batches[i], batches[j] = batches[j], batches[i] })
	return batches
}

// swapped replaces a share of the words by random words.
func (t *trainer) swapped(sentences [][]embedding.ID, rng *rand.Rand) [][]embedding.ID {
	if t.options.Swap <= 0 {
		return sentences
	}
	out := make([][]embedding.ID, len(sentences))
	for i, words := range sentences {
		out[i] = slices.Clone(words)
		for k := range words {
			if rng.Float64() < t.options.Swap {
				out[i][k] = embedding.ID(rng.IntN(t.shape.Words))
			}
		}
	}
	return out
}

// mean returns the loss per step over sentences, in nats, without dropout.
func (n *network[F]) mean(sentences [][]embedding.ID) float64 {
	sum, steps := 0.0, 0
	for some := range slices.Chunk(sentences, readAtOnce) {
		loss := n.loss(some, regular{}, nil, nil)
		sum, steps = sum+loss*float64(n.batch.rows), steps+n.batch.rows
	}
	return sum / float64(steps)
}

// model returns the best model so far, with its figures.
func (t *trainer) model() (*Model, error) {
	t.card.Training.Steps, t.card.Training.Epochs = t.marks.BestSteps, t.marks.BestEpoch
	m, err := newModel(t.card, t.words, t.best)
	if err != nil {
		return nil, err
	}
	m.card.Metrics = m.measure(t.held, t.references)
	m.card.Metrics.Loss = t.marks.Best
	m.card.Latent = m.norms(t.learn[:min(len(t.learn), 4096)])
	return m, nil
}

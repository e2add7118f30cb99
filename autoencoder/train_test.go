package autoencoder

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"github.com/sotto-dp/sotto/internal/stage"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
)

// corpus returns n sentences of a small grammar.
func corpus(n int) (texts [][]byte) {
	rng := rand.New(rand.NewPCG(11, 1))
	pick := func(words string) string { list := strings.Fields(words); return list[rng.IntN(len(list))] }
	for range n {
		texts = append(texts, fmt.Appendf(nil, "%s %s %s %s", pick("show list find"), pick("cheap early late"), pick("flights fares trains"), pick("monday friday sunday")))
	}
	return texts
}

var little = Options{Embed: 8, Hidden: 12, Latent: 8, Batch: 8, Epochs: 3, Rate: 0.01, Seed: 3}

func train(t *testing.T, texts [][]byte, l Lesson) *Model {
	t.Helper()
	m, err := Train(context.Background(), texts, l)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// 81 sentences are all there are; a model of this size learns to write them all
// in a few seconds. The mutant never learns: its weights stay as they were drawn.
func TestModelWritesWhatItReads(t *testing.T) {
	stage.Unraced(t)
	texts := corpus(600)
	o := little
	o.Hidden, o.Latent, o.Epochs, o.Patience, o.Dropout, o.WordDropout, o.Swap = 24, 16, 12, 12, -1, -1, -1
	m := train(t, texts, Lesson{Options: o, Public: true, Threads: 2})
	if got := m.Card().Metrics; got.Rouge1 < 0.99 || got.Exact < 0.95 {
		t.Errorf("after training %+v", got)
	}
	all, n, err := m.Measure(texts, 3, nil)
	if err != nil || n != 600 || all.Rouge1 < 0.99 {
		t.Errorf("with a beam %+v over %d", all, n)
	}
	flat, _, err := m.Measure(texts, 1, func(latent []float32) error { clear(latent); return nil })
	if err != nil || flat.Rouge1 > 0.6 || flat.Loss < 2*all.Loss {
		t.Errorf("without their latent vectors %+v (%v)", flat, err)
	}
	if c := m.Card(); c.Corpus.Sentences != 600 || c.Corpus.Held != 30 || c.Corpus.Tokens != 2400 || c.Shape.Words != 13 || !c.Public || c.Latent.MedianL2 > c.Shape.radius()*(1+1e-5) || c.Latent.MedianL1 < c.Latent.MedianL2 {
		t.Errorf("the card is %+v", c)
	}
	o.Rate, o.Epochs = 1e-12, 1
	if got := train(t, texts, Lesson{Options: o}).Card().Metrics; got.Rouge1 > 0.5 {
		t.Errorf("a model that learned nothing scores %+v", got)
	}
}

func TestTrainingDependsOnItsSeedAndNotOnThreads(t *testing.T) {
	texts := corpus(100)
	one := train(t, texts, Lesson{Options: little, Threads: 1}).Marshal()
	if !bytes.Equal(one, train(t, texts, Lesson{Options: little, Threads: 3}).Marshal()) {
		t.Error("three threads make another model")
	}
	o := little
	o.Seed++
	if bytes.Equal(one, train(t, texts, Lesson{Options: o, Threads: 1}).Marshal()) {
		t.Error("another seed makes the same model")
	}
}

// The training is stopped after every step and resumed from its state each time:
// the model equals that of one run, to the bit.
func TestResumedTrainingIsTheSame(t *testing.T) {
	texts := corpus(80)
	want := train(t, texts, Lesson{Options: little}).Marshal()
	var state []byte
	for stops := 0; ; stops++ {
		ctx, stop := context.WithCancel(context.Background())
		m, err := Train(ctx, texts, Lesson{
			Options: little, Resume: state,
			Progress: func(Progress) { stop() },
			Save:     func(s []byte) error { state = s; return nil },
		})
		stop()
		if err == nil {
			if stops < 20 {
				t.Errorf("it was stopped %d times", stops)
			}
			if !bytes.Equal(m.Marshal(), want) {
				t.Error("a resumed training makes another model")
			}
			break
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
	o := little
	o.Rate *= 2
	if _, err := Train(context.Background(), texts, Lesson{Options: o, Resume: state}); err == nil || !strings.Contains(err.Error(), "other options") {
		t.Errorf("a state of other options: %v", err)
	}
	if _, err := Train(context.Background(), corpus(81), Lesson{Options: little, Resume: state}); err == nil || !strings.Contains(err.Error(), "another corpus") {
		t.Errorf("a state of another corpus: %v", err)
	}
	if _, err := Train(context.Background(), texts, Lesson{Options: little, Resume: state[:len(state)-1]}); err == nil || !strings.Contains(err.Error(), "cut off") {
		t.Errorf("a state that is cut off: %v", err)
	}
}

func TestTrainingEndsWhereNothingGetsBetter(t *testing.T) {
	o := little
	o.Rate, o.Epochs, o.Patience = 1e-30, 50, 2 // no weight moves: the first epoch stays the best
	m := train(t, corpus(100), Lesson{Options: o})
	if got := m.Card().Training; got.Epochs != 1 || got.Steps != 12 {
		t.Errorf("kept %d epochs, %d steps", got.Epochs, got.Steps)
	}
	steps := 0
	_, err := Train(context.Background(), corpus(100), Lesson{Options: o, Progress: func(p Progress) { steps = p.Step }})
	if err != nil || steps != 3*12 {
		t.Errorf("it ended after %d steps (%v), want 36", steps, err)
	}
}

func TestWordsBeginWithTheirVectors(t *testing.T) {
	table, err := embedding.New(embedding.Source{Name: "t", Words: []string{"monday", "other"}, Dim: 4, Vectors: []float32{1, 2, 3, 4, 5, 6, 7, 8}})
	if err != nil {
		t.Fatal(err)
	}
	tr, err := newTrainer(corpus(100), Lesson{Options: little, Table: table})
	if err != nil {
		t.Fatal(err)
	}
	i := slices.Index(tr.words, "monday")
	if got := tr.weights[i*4 : (i+1)*4]; !slices.Equal(got, []float32{1, 2, 3, 4}) {
		t.Errorf("monday begins as %v", got)
	}
	if c := tr.card.Table; c.SHA256 != table.Digest() || c.Words != 1 {
		t.Errorf("the card says %+v", c)
	}
}

func TestTrainRefusesWhatItCannotTrain(t *testing.T) {
	for says, c := range map[string]struct {
		texts [][]byte
		o     Options
	}{
		"autoencoder: the corpus has 0 sentences of at most 40":       {nil, Options{}},
		"autoencoder: hidden must be 1 to 4096, got -1":               {corpus(100), Options{Hidden: -1}},
		"autoencoder: dropout must be at most 0.9, got 0.95":          {corpus(100), Options{Dropout: 0.95}},
		"autoencoder: rate must be at most 1, got NaN":                {corpus(100), Options{Rate: math.NaN()}},
		"autoencoder: the corpus has 0 sentences of at most 3 tokens": {corpus(100), Options{Tokens: 3}},
	} {
		if _, err := Train(context.Background(), c.texts, Lesson{Options: c.o}); err == nil || !strings.HasPrefix(err.Error(), says) {
			t.Errorf("%v, want %s", err, says)
		}
	}
}

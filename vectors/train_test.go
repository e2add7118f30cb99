package vectors

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/progress"
)

func corpusOf(texts ...string) Corpus {
	return func(yield func([]byte, error) bool) {
		var reused []byte
		for _, t := range texts {
			if reused = append(reused[:0], t...); !yield(reused, nil) {
				return
			}
		}
	}
}

// topics returns texts whose words are each of one topic: t0w3 is word 3 of topic 0.
func topics(texts int) (list []string) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range texts {
		topic := rng.IntN(5)
		var words []string
		for range 8 {
			words = append(words, fmt.Sprintf("t%dw%d", topic, int(12*rng.Float64()*rng.Float64())))
		}
		list = append(list, strings.Join(words, " "))
	}
	return list
}

func options(t *testing.T) Options {
	return Options{Name: "t", Dimensions: 8, Temporary: filepath.Join(t.TempDir(), "t")}
}

func nearest(table *embedding.Table, id embedding.ID) embedding.ID {
	best, at := -1.0, id
	of := table.Vector(nil, id)
	for other := range embedding.ID(table.Len()) {
		v, dot, square := table.Vector(nil, other), 0.0, 0.0
		for k := range v {
			dot += float64(v[k]) * float64(of[k])
			square += float64(v[k]) * float64(v[k])
		}
		if s := dot * dot / square; other != id && other != table.Unknown() && dot > 0 && s > best {
			best, at = s, other
		}
	}
	return at
}

func TestWordsOfOneTopicAreNear(t *testing.T) {
	o := options(t)
	trained, err := Train(t.Context(), corpusOf(topics(2000)...), o)
	if err != nil {
		t.Fatal(err)
	}
	table := trained.Table
	if table.Len() != 61 || table.Dim() != 8 || trained.Texts != 2000 || trained.Tokens != 16000 || trained.Known != 16000 {
		t.Errorf("%+v", trained)
	}
	for id := range embedding.ID(table.Len()) {
		if word, near := table.Word(id), table.Word(nearest(table, id)); id != table.Unknown() && word[:2] != near[:2] {
			t.Errorf("%s is nearest to %s", word, near)
		}
	}
	left, err := os.ReadDir(filepath.Dir(o.Temporary))
	if err != nil || len(left) != 0 {
		t.Errorf("%v is left, %v", left, err)
	}
}

func TestThreadsDoNotChangeTheTable(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	texts := topics(3000)
	for i := range texts { // several batches
		texts[i] += strings.Repeat(" x", 100)
	}
	var want string
	for _, threads := range []int{1, 2, 5} {
		runtime.GOMAXPROCS(threads)
		trained, err := Train(t.Context(), corpusOf(texts...), options(t))
		if err != nil {
			t.Fatal(err)
		}
		if got := trained.Table.Digest(); want == "" {
			want = got
		} else if got != want {
			t.Errorf("%d threads give another table", threads)
		}
	}
}

// A run that ended after counting goes on from its counts, to the same table.
func TestResumptionGivesTheTableOfOneRun(t *testing.T) {
	texts := topics(500)
	whole, err := Train(t.Context(), corpusOf(texts...), options(t))
	if err != nil {
		t.Fatal(err)
	}
	o := options(t)
	o.Counts = filepath.Join(t.TempDir(), "kept")
	ctx, cancel := context.WithCancel(t.Context())
	o.Progress = func(r progress.Report) {
		if r.Stage == "factor" {
			cancel()
		}
	}
	if _, err := Train(ctx, corpusOf(texts...), o); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
	if left, _ := os.ReadDir(filepath.Dir(o.Temporary)); len(left) != 0 {
		t.Errorf("%v is left", left)
	}
	var stages []string
	o.Progress = func(r progress.Report) { stages = append(stages, r.Stage) }
	resumed, err := Train(t.Context(), corpusOf(texts...), o)
	if err != nil {
		t.Fatal(err)
	}
	if resumed.Table.Digest() != whole.Table.Digest() {
		t.Error("the resumed run has another table")
	}
	if resumed.Tokens != whole.Tokens || resumed.Pairs != whole.Pairs || resumed.Texts != whole.Texts {
		t.Errorf("%+v, want %+v", resumed, whole)
	}
	if slices.Contains(stages, "count pairs") {
		t.Error("the resumed run counted again")
	}

	texts[17] += " t0w0"
	if _, err := Train(t.Context(), corpusOf(texts...), o); err == nil || !strings.Contains(err.Error(), "another corpus") {
		t.Errorf("another corpus: %v", err)
	}
	o.Window = 3
	if _, err := Train(t.Context(), corpusOf(texts...), o); err == nil || !strings.Contains(err.Error(), "windows of 5") {
		t.Errorf("another window: %v", err)
	}
}

// Every byte of the counts is covered: a changed one is found, and so is a lost end.
func TestDamagedCountsAreRefused(t *testing.T) {
	o := options(t)
	o.Counts = filepath.Join(t.TempDir(), "kept")
	corpus := corpusOf(topics(2)...)
	o.Least = 1
	if _, err := Train(t.Context(), corpus, o); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(o.Counts)
	if err != nil {
		t.Fatal(err)
	}
	try := func(what string, data []byte) {
		if err := os.WriteFile(o.Counts, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if c, err := openCounts(t.Context(), o.Counts); err == nil {
			c.close()
			t.Errorf("%s is accepted", what)
		}
	}
	for at := range data {
		changed := slices.Clone(data)
		changed[at] ^= 1
		try(fmt.Sprintf("a file with another byte %d", at), changed)
	}
	for n := 0; n < len(data); n += 7 {
		try(fmt.Sprintf("a file of %d bytes", n), data[:n])
	}
}

func TestCorpusThatCannotBeTrainedOnIsRefused(t *testing.T) {
	for _, c := range []struct {
		name, want string
		corpus     Corpus
		change     func(*Options)
	}{
		{"no text", "0 words", corpusOf(), nil},
		{"rare words", "0 words", corpusOf("a b c d"), nil},
		{"no pairs", "no two words", corpusOf("a", "b", "a", "b"), func(o *Options) { o.Least = 1 }},
		{"too many dimensions", "dimensions must be 1 to 4096", corpusOf(), func(o *Options) { o.Dimensions = 5000 }},
		{"a negative window", "window must be", corpusOf(), func(o *Options) { o.Window = -1 }},
	} {
		o := options(t)
		if c.change != nil {
			c.change(&o)
		}
		if _, err := Train(t.Context(), c.corpus, o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
		if left, _ := os.ReadDir(filepath.Dir(o.Temporary)); len(left) != 0 {
			t.Errorf("%s: %v is left", c.name, left)
		}
	}
}

func TestCorpusMustNotChange(t *testing.T) {
	reading := 0
	corpus := func(yield func([]byte, error) bool) {
		texts := topics(100)
		if reading++; reading == 2 {
			texts[99] += " t0w0"
		}
		corpusOf(texts...)(yield)
	}
	o := options(t)
	if _, err := Train(t.Context(), corpus, o); err == nil || !strings.Contains(err.Error(), "changed") {
		t.Errorf("got %v", err)
	}
}

func TestErrorsOfTheCorpusEndTheTraining(t *testing.T) {
	broken := errors.New("broken")
	for reading := 1; reading <= 2; reading++ {
		n := 0
		corpus := func(yield func([]byte, error) bool) {
			corpusOf(topics(100)...)(yield)
			if n++; n == reading {
				yield(nil, broken)
			}
		}
		if _, err := Train(t.Context(), corpus, options(t)); !errors.Is(err, broken) {
			t.Errorf("reading %d: %v", reading, err)
		}
	}
}

// Words that occur alike make a matrix of low rank, whose columns depend on each other.
func TestMatricesOfLowRankAreFactorised(t *testing.T) {
	alike := []string{"the doctor is late", "the nurse is late", "the train is slow", "the bus is slow"}
	o := options(t)
	o.Least = 1
	for _, texts := range [][]string{alike, {"a b"}, {"a a"}, {"a b", "c d", "e f", "g h"}, {"a b c d e f g h"}} {
		trained, err := Train(t.Context(), corpusOf(slices.Concat(texts, texts)...), o)
		if err != nil {
			if texts[0] != "a a" { // one word is no table
				t.Errorf("%q: %v", texts, err)
			}
			continue
		}
		for id := range embedding.ID(trained.Table.Len()) {
			if v := trained.Table.Vector(nil, id); slices.Max(v) > 100 || slices.Min(v) < -100 {
				t.Errorf("%q: word %d has vector %v", texts, id, v)
			}
		}
	}
}

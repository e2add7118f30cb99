package learn

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/progress"
)

// ring is a codebook of noisy texts on a circle, in dim dimensions.
type ring struct {
	dim     int
	vectors []int8
	class   []int
}

func newRing(n, dim, classes int, seed uint64) *ring {
	rng := rand.New(rand.NewPCG(seed, 9))
	r := &ring{dim: dim}
	for range n {
		c := rng.IntN(classes)
		angle := 2 * math.Pi * float64(c) / float64(classes)
		for k := range dim {
			centre := 0.0
			switch k {
			case 0:
				centre = 40 * math.Cos(angle)
			case 1:
				centre = 40 * math.Sin(angle)
			}
			r.vectors = append(r.vectors, int8(min(max(centre+25*rng.NormFloat64(), -127), 127)))
		}
		r.class = append(r.class, c)
	}
	return r
}

func (r *ring) Len() int          { return len(r.class) }
func (r *ring) Dim() int          { return r.dim }
func (r *ring) Text(i int) string { return strings.Repeat("x", i) }
func (r *ring) Vector(dst []int8, i int) []int8 {
	return append(dst, r.vectors[i*r.dim:(i+1)*r.dim]...)
}
func (r *ring) Encode(dst []int8, _ []byte) []int8 { return append(dst, r.vectors[:r.dim]...) }

func (r *ring) Nearest(dst []uint32, vectors []int8, k int) ([]uint32, error) {
	for ; len(vectors) > 0; vectors = vectors[r.dim:] {
		scores, order := make([]int, r.Len()), make([]uint32, r.Len())
		for i := range order {
			order[i] = uint32(i)
			for k, x := range r.vectors[i*r.dim : (i+1)*r.dim] {
				scores[i] += int(x) * int(vectors[k])
			}
		}
		slices.SortStableFunc(order, func(a, b uint32) int { return cmp.Compare(scores[b], scores[a]) })
		near := slices.Clone(order[:k])
		slices.Sort(near)
		dst = append(dst, near...)
	}
	return dst, nil
}

// release draws a release per text of private.
func (r *ring) release(private *ring, c Channel, seed uint64) Releases {
	rng := rand.New(rand.NewPCG(seed, 10))
	out := Releases{Codebook: r, Channel: c, Class: private.class}
	for i := range private.Len() {
		if rng.Float64() >= c.Informative() {
			out.Texts = append(out.Texts, rng.IntN(r.Len()))
			continue
		}
		set, _ := r.Nearest(nil, private.Vector(nil, i), c.Neighbours)
		out.Texts = append(out.Texts, int(set[rng.IntN(len(set))]))
	}
	return out
}

func accuracy(m *Model, r *ring) float64 {
	right := 0
	for i, c := range r.class {
		if m.Predict(Row{Features: grid(nil, r.Vector(nil, i))}) == m.Classes[c] {
			right++
		}
	}
	return float64(right) / float64(r.Len())
}

func fit(t *testing.T, d Data, o Options) *Model {
	t.Helper()
	m, scores, err := Fit(context.Background(), d, o)
	if err != nil {
		t.Fatal(err)
	}
	if (len(scores) == 0) != (len(o.Ridge) == 1) || len(scores) > 0 && slices.IndexFunc(scores, func(s Score) bool { return s.Ridge == m.Ridge }) < 0 {
		t.Errorf("the penalty %g is none of %v", m.Ridge, scores)
	}
	if len(o.Ridge) == 1 && m.Ridge != o.Ridge[0] {
		t.Errorf("the penalty %g is not %g", m.Ridge, o.Ridge[0])
	}
	return m
}

// The channel leaves one informative release in four. A learner that ignores the channel
// loses accuracy, and origins gain some. Everything is drawn from fixed seeds.
func TestKnowingTheChannelHelps(t *testing.T) {
	stage.Unraced(t)
	codebook, private, test := newRing(600, 30, 3, 1), newRing(1500, 30, 3, 2), newRing(2000, 30, 3, 3)
	channel := Channel{Epsilon: 1.2, Texts: 600, Neighbours: 60}
	releases := codebook.release(private, channel, 4)
	releases.Classes = []string{"a", "b", "c"}
	d, err := releases.Data(context.Background(), NewFeatures(codebook, nil, nil), nil)
	if err != nil {
		t.Fatal(err)
	}
	rows := make([]float32, 0, codebook.Len()*codebook.dim)
	for i := range codebook.Len() {
		rows = grid(rows, codebook.Vector(nil, i))
	}
	own := Data{Features: rows, Dim: codebook.dim, Classes: releases.Classes}
	for i, z := range releases.Texts {
		own.Examples = append(own.Examples, Example{z, releases.Class[i], 1})
	}
	ridge := Options{Ridge: []float64{0.03}}
	plain := accuracy(fit(t, own, ridge), test)
	own.Channel = channel
	aware := accuracy(fit(t, own, ridge), test)
	origins := accuracy(fit(t, d, ridge), test)
	chosen := accuracy(fit(t, d, Options{}), test)
	t.Logf("plain %.3f, aware %.3f, origins %.3f, penalty chosen %.3f", plain, aware, origins, chosen)
	if !(aware > plain+0.01 && origins > aware+0.01 && chosen > origins-0.02) {
		t.Errorf("plain %.3f, aware %.3f, origins %.3f, penalty chosen %.3f: each should gain", plain, aware, origins, chosen)
	}
}

func TestGradientsAreThoseOfTheObjective(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	const rows, dim, classes = 7, 3, 3
	features := make([]float32, rows*dim)
	for i := range features {
		features[i] = float32(rng.NormFloat64())
	}
	terms := &Sparse{Cols: 4}
	for i := range rows {
		for j := i % 3; j < terms.Cols; j += 2 {
			terms.At, terms.Value = append(terms.At, uint32(j)), append(terms.Value, float32(rng.NormFloat64()))
		}
		terms.Ends = append(terms.Ends, len(terms.At))
	}
	at := newDesign(features, dim, classes, nil, terms)
	at.scale = 1.5
	o := newObjective(at, []float64{0.2, 0.5, 0.3}, []group{
		{[]int32{0}, 1, []labelled{{0, 1}, {2, 0.5}}},
		{[]int32{1, 2, 6}, 0.4, []labelled{{1, 2}}},
		{[]int32{3, 2, 4, 5}, 0.7, []labelled{{0, 1}, {1, 1}, {2, 3}}},
		{nil, 0, []labelled{{1, 1}}},
	})
	o.ridge = 0.2
	w := make([]float32, at.size())
	for i := range w {
		w[i] = float32(rng.NormFloat64())
	}
	slope, ignored := make([]float32, len(w)), make([]float32, len(w))
	o.evaluate(w, slope)
	for i := range w {
		const h = 1e-2 // the objective is computed in float32
		at := w[i]
		w[i] = at + h
		up := o.evaluate(w, ignored)
		w[i] = at - h
		down := o.evaluate(w, ignored)
		w[i] = at
		if got := (up - down) / (2 * h); math.Abs(got-float64(slope[i])) > 1e-3 {
			t.Errorf("parameter %d: gradient %g, differences give %g", i, slope[i], got)
		}
	}
}

func plainData(n int) Data {
	r := newRing(n, 4, 2, 7)
	d := Data{Dim: 4, Classes: []string{"no", "yes"}}
	for i := range n {
		d.Features = grid(d.Features, r.Vector(nil, i))
		d.Examples = append(d.Examples, Example{i, r.class[i], 1})
	}
	return d
}

func TestWeightsAreRepetitions(t *testing.T) {
	d := plainData(80)
	weighted, repeated := d, d
	weighted.Examples, repeated.Examples = slices.Clone(d.Examples), slices.Clone(d.Examples)
	for i := range d.Examples {
		if i%3 == 0 {
			weighted.Examples[i].Weight = 3
			repeated.Examples = append(repeated.Examples, d.Examples[i], d.Examples[i])
		}
	}
	o := Options{Ridge: []float64{0.1}}
	a, b := fit(t, weighted, o), fit(t, repeated, o)
	if !slices.Equal(a.Weights, b.Weights) {
		t.Errorf("weights %v, repetitions %v", a.Weights, b.Weights)
	}
	if c := fit(t, d, o); slices.Equal(a.Weights, c.Weights) {
		t.Error("weights change nothing")
	}
}

func TestFoldsShareNoLabel(t *testing.T) {
	d := plainData(200)
	f := newFitter(&d, Options{})
	held := 0.0
	for fold := range 5 {
		kept, out := split(f.groups, fold, 5, false)
		sum := 0.0
		seen := map[int32]bool{}
		for _, g := range out {
			seen[g.members[0]] = true
			for _, l := range g.labels {
				held += l.weight
				sum += l.weight
			}
		}
		for _, g := range kept {
			if seen[g.members[0]] { // each row has one label here
				t.Errorf("fold %d: row %d is fitted and held out", fold, g.members[0])
			}
			for _, l := range g.labels {
				sum += l.weight
			}
		}
		if sum != 200 {
			t.Errorf("fold %d has %g labels in all, want 200", fold, sum)
		}
	}
	if held != 200 {
		t.Errorf("%g labels are held out once, want 200", held)
	}
}

func TestFitTakesFewRows(t *testing.T) {
	for n := 1; n <= 6; n++ { // rows with a label each, fewer than the folds up to 4
		d := plainData(60)
		d.Examples = d.Examples[:n]
		m, scores, err := Fit(context.Background(), d, Options{})
		if err != nil {
			t.Fatalf("%d rows: %v", n, err)
		}
		if (scores != nil) != (n > 1) {
			t.Errorf("%d rows: scores %v", n, scores)
		}
		if n == 1 && m.Ridge != Grid()[0] {
			t.Errorf("one row: penalty %g, want the largest", m.Ridge)
		}
	}
}

func TestFitsAreTheSameForAnyNumberOfWorkers(t *testing.T) {
	d := plainData(150)
	one, many := fit(t, d, Options{Workers: 1}), fit(t, d, Options{Workers: 4})
	if !slices.Equal(one.Weights, many.Weights) || one.Ridge != many.Ridge {
		t.Error("the models differ")
	}
}

func TestFitStopsWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	steps := 0
	_, _, err := Fit(ctx, plainData(400), Options{Workers: 1, Progress: func(progress.Report) {
		if steps++; steps == 2 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) || steps > 3 {
		t.Errorf("%v after %d steps", err, steps)
	}
}

func TestProgressEndsAtItsTotal(t *testing.T) {
	for _, o := range []Options{{Workers: 1}, {Workers: 1, Ridge: []float64{1}}} {
		last, of := 0, 0
		o.Progress = func(r progress.Report) {
			done, total := r.Done, r.Total
			if done < last || of != 0 && of != total {
				t.Errorf("%d of %d after %d of %d", done, total, last, of)
			}
			last, of = done, total
		}
		fit(t, plainData(60), o)
		if last != of || of == 0 {
			t.Errorf("ends at %d of %d", last, of)
		}
	}
}

func TestOriginsAreTheTextsWhoseSetsHoldARelease(t *testing.T) {
	codebook := newRing(300, 5, 3, 11)
	channel := Channel{Epsilon: 2, Texts: 300, Neighbours: 25}
	released := []int{17, 0, 299, 5}
	sample, o, err := FindOrigins(context.Background(), codebook, channel, released, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := o.check(len(sample)); err != nil {
		t.Fatal(err)
	}
	sorted := slices.Sorted(slices.Values(sample))
	for i, x := range sorted {
		if i != x {
			t.Fatalf("the sample of a small codebook is not all of it: %d at %d", x, i)
		}
	}
	for i, z := range released {
		var got, want []int
		for _, x := range o.Of[i] {
			got = append(got, sample[x])
		}
		slices.Sort(got)
		for x := range codebook.Len() {
			set, _ := codebook.Nearest(nil, codebook.Vector(nil, x), channel.Neighbours)
			if slices.Contains(set, uint32(z)) {
				want = append(want, x)
			}
		}
		if len(want) > originsEach || !slices.Equal(got, want) {
			t.Errorf("text %d: origins %v, want %v", z, got, want)
		}
		n, h := float64(len(want)), math.Exp(2)
		if l := (h - 1) * n / ((h-1)*n + 300); math.Abs(o.Informative[i]-l) > 1e-12 {
			t.Errorf("text %d: informative %g, want %g", z, o.Informative[i], l)
		}
	}
	const large = 100_000
	for k, size := range map[int]int{1: mostOrigins, 100: 20_000, 50_000: fewOrigins} {
		got := slices.Sorted(slices.Values(sampled(large, k)))
		if len(got) != size || got[size-1] >= large || len(slices.Compact(got)) != size {
			t.Errorf("sets of %d: a sample of %d texts, want %d that differ", k, len(got), size)
		}
	}
}

func TestInformativeShare(t *testing.T) {
	if l := (Channel{}).Informative(); l != 1 {
		t.Errorf("no channel: %g", l)
	}
	c := Channel{Epsilon: 4, Texts: 5230, Neighbours: 94}
	h := math.Exp(4)
	z := 94*h + 5230 - 94
	if want := 94 * (h - 1) / z; math.Abs(c.Informative()-want) > 1e-12 {
		t.Errorf("%g, want %g", c.Informative(), want)
	}
	if l := (Channel{700, 10, 5}).Informative(); l != 1 {
		t.Errorf("at epsilon 700: %g", l)
	}
}

func TestParametersAreChecked(t *testing.T) {
	change := func(f func(d *Data, o *Options)) (Data, Options) {
		d, o := plainData(20), Options{Ridge: []float64{1}}
		d.Examples = slices.Clone(d.Examples)
		f(&d, &o)
		return d, o
	}
	for _, c := range []struct {
		name   string
		change func(d *Data, o *Options)
	}{
		{"features", func(d *Data, o *Options) { d.Features = d.Features[1:] }},
		{"features", func(d *Data, o *Options) { d.Features = nil }},
		{"feature", func(d *Data, o *Options) { d.Features[3] = float32(math.NaN()) }},
		{"classes", func(d *Data, o *Options) { d.Classes = d.Classes[:1] }},
		{"examples", func(d *Data, o *Options) { d.Examples = nil }},
		{"row", func(d *Data, o *Options) { d.Examples[1].Row = 20 }},
		{"row", func(d *Data, o *Options) { d.Examples[1].Row = -1 }},
		{"class", func(d *Data, o *Options) { d.Examples[1].Class = 2 }},
		{"weight", func(d *Data, o *Options) { d.Examples[1].Weight = 0 }},
		{"weight", func(d *Data, o *Options) { d.Examples[1].Weight = math.Inf(1) }},
		{"ridge", func(d *Data, o *Options) { o.Ridge = []float64{1, 0} }},
		{"ridge", func(d *Data, o *Options) { o.Ridge = []float64{} }},
		{"folds", func(d *Data, o *Options) { o.Folds = 1 }},
		{"epsilon", func(d *Data, o *Options) { d.Channel = Channel{math.NaN(), 10, 3} }},
		{"neighbours", func(d *Data, o *Options) { d.Channel = Channel{1, 10, 10} }},
		{"texts", func(d *Data, o *Options) { d.Channel = Channel{1, 0, 10} }},
		{"origin", func(d *Data, o *Options) { d.Origins = &Origins{Of: [][]int32{{20}}, Informative: []float64{1}} }},
		{"informative", func(d *Data, o *Options) { d.Origins = &Origins{Of: [][]int32{{}}, Informative: []float64{0.5}} }},
		{"informative", func(d *Data, o *Options) { d.Origins = &Origins{Of: [][]int32{{1}}, Informative: []float64{1.5}} }},
		{"informative", func(d *Data, o *Options) { d.Origins = &Origins{Of: [][]int32{{1}}, Informative: nil} }},
	} {
		d, o := change(c.change)
		_, _, err := Fit(context.Background(), d, o)
		var bad *privacy.ParameterError
		if !errors.As(err, &bad) || bad.Name != c.name {
			t.Errorf("%v, want %s refused", err, c.name)
		}
	}
}

func TestModelsSurviveWriting(t *testing.T) {
	d := plainData(60)
	m := fit(t, d, Options{Ridge: []float64{0.1}})
	m.Source = Source{Corpus: "00ff", Claim: []byte(`{"unit":"text"}`), Examples: 60}
	m.Channel = Channel{1, 9, 3}
	var b bytes.Buffer
	if err := m.Write(&b); err != nil {
		t.Fatal(err)
	}
	again, err := Read(bytes.NewReader(b.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(m.Weights, again.Weights) || m.Channel != again.Channel || string(m.Source.Claim) != string(again.Source.Claim) || again.Ridge != 0.1 || !slices.Equal(again.Classes, d.Classes) {
		t.Errorf("%+v became %+v", m, again)
	}
	for _, damaged := range []string{
		"", "[]", "{}", b.String() + "{}",
		strings.Replace(b.String(), `"format":1`, `"format":2`, 1),
		strings.Replace(b.String(), `"classes":["no",`, `"classes":[`, 1),
		strings.Replace(b.String(), `"weights":[[`, `"weights":[[1,`, 1),
		strings.Replace(b.String(), `"bias":[`, `"bias":[1,`, 1),
		strings.Replace(b.String(), `"neighbours":3`, `"neighbours":9`, 1),
	} {
		if _, err := Read(strings.NewReader(damaged)); err == nil {
			t.Errorf("%.60q is accepted", damaged)
		}
	}
}

func TestScalesAreTakenIntoTheWeights(t *testing.T) {
	d := plainData(60)
	scaled := d
	scaled.Features = slices.Clone(d.Features)
	for i := range scaled.Features {
		if i%4 == 1 {
			scaled.Features[i] *= 1024
		}
	}
	a, b := fit(t, d, Options{}), fit(t, scaled, Options{})
	for i := range len(d.Features) / 4 {
		if a.Predict(Row{Features: d.Features[4*i : 4*i+4]}) != b.Predict(Row{Features: scaled.Features[4*i : 4*i+4]}) {
			t.Fatalf("row %d is predicted otherwise when a feature has another scale", i)
		}
	}
	chances := a.Chances(nil, Row{Features: d.Features[:4]})
	if sum := chances[0] + chances[1]; math.Abs(sum-1) > 1e-12 || a.Classes[slices.Index(chances, slices.Max(chances))] != a.Predict(Row{Features: d.Features[:4]}) {
		t.Errorf("chances %v", chances)
	}
}

func TestCompare(t *testing.T) {
	r := Compare([]string{"a", "a", "b", "b", "b", "d"}, []string{"a", "b", "b", "b", "c", "b"})
	// F1: a 2/3, b 4/7, c 0, d 0.
	if want := (2.0/3 + 4.0/7) / 4; math.Abs(r.MacroF1-want) > 1e-12 || r.Accuracy != 0.5 || r.Examples != 6 {
		t.Errorf("%+v, want macro-F1 %g", r, want)
	}
	want := [][]int{{1, 1, 0, 0}, {0, 2, 1, 0}, {0, 0, 0, 0}, {0, 1, 0, 0}}
	if !slices.Equal(r.Classes, []string{"a", "b", "c", "d"}) || !slices.EqualFunc(r.Confusion, want, slices.Equal) {
		t.Errorf("%+v, want %v", r, want)
	}
	if r := Compare(nil, nil); r.Examples != 0 || r.Accuracy != 0 {
		t.Errorf("of nothing: %+v", r)
	}
}

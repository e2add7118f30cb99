package audit

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/sotto-dp/sotto/internal/interval"
	"github.com/sotto-dp/sotto/internal/parallel"
	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/privacy"
)

// refute tests every pair. spent is the share of the false-positive rate already
// used.
func refute[O any](ctx context.Context, f *Finding, target privacy.Claim, releases []release[O], trial Trial, spent float64) error {
	alpha := trial.alpha(len(releases), spent)
	bounds := map[int]*interval.Bounds{}
	of := func(n int) *interval.Bounds {
		if bounds[n] == nil {
			bounds[n] = interval.NewBounds(n, alpha)
		}
		return bounds[n]
	}
	rng := noise.OrSecure(trial.Rng)
	f.Confidence = 1 - trial.alarm()
	best := found{loss: math.Inf(-1), excess: math.Inf(-1)}
	delta, visible := 0.0, 0.0
	for i, r := range releases {
		if err := ctx.Err(); err != nil {
			return err
		}
		draws := trial.draws()
		if r.most > 0 {
			draws = min(draws, r.most)
		}
		samples, err := drawAll(ctx, r, draws, rng)
		if err != nil {
			return err
		}
		f.Draws += len(samples[0]) + len(samples[1])
		visible = max(visible, mostVisible(of(draws-draws/3)))
		allowed := bar{loss: target.Epsilon * float64(r.differing), delta: target.Delta}
		unit := 1.0
		if isMetric(target.Notion) {
			unit = r.distance
			allowed.loss *= unit
		}
		for side := range 2 {
			for _, l := range look(r, samples[side], samples[1-side], allowed, of) {
				l.swapped = side == 1
				l.loss = l.evidence.loss(target.Delta) / unit
				if unit == 0 { // equal vectors: any difference is an infinite loss
					l.loss = 0
					if l.evidence.p > l.evidence.q {
						l.loss = math.Inf(1)
					}
				}
				l.input, l.neighbour = r.input, r.neighbour
				if l.swapped {
					l.input, l.neighbour = r.neighbour, r.input
				}
				l.excess = l.evidence.p - float64(math.Exp(allowed.loss)*l.evidence.q) - allowed.delta
				delta = max(delta, l.evidence.delta(allowed.loss))
				l.refutes = l.evidence.contradicts(allowed)
				if l.better(best) {
					best = l
				}
				f.EpsilonLow = Bound(math.Max(0, math.Max(orZero(f.EpsilonLow), l.loss)))
			}
		}
		trial.Progress.At(i+1, len(releases))
	}
	f.DeltaLow = Bound(delta)
	if best.refutes {
		f.Verdict = Refuted
	}
	f.Witness = &Triple{best.input, best.neighbour, best.what,
		float64(best.evidence.hits) / float64(best.evidence.n), float64(best.evidence.misses) / float64(best.evidence.n)}
	f.Why = whySampled(f, target, len(releases), visible, best)
	return nil
}

// mostVisible returns the loss that an event shows which one side always gives and the
// other never: about ln(n/ln(1/alpha)).
func mostVisible(b *interval.Bounds) float64 { return weigh(b.Draws(), 0, b).loss(0) }

func orZero(b Bound) float64 {
	if !b.Known() {
		return 0
	}
	return float64(b)
}

// found is one event as the testing half saw it.
type found struct {
	evidence         evidence
	what             string
	input, neighbour string
	swapped, refutes bool
	loss, excess     float64
}

// better prefers a refutation, then the larger excess.
func (l found) better(o found) bool {
	if l.refutes != o.refutes {
		return l.refutes
	}
	if l.refutes {
		return l.excess > o.excess
	}
	return l.loss > o.loss
}

// look chooses two events on the first third of the draws of input and of
// neighbour and counts them on the others.
func look[O any](r release[O], input, neighbour []O, allowed bar, boundsOf func(n int) *interval.Bounds) []found {
	first := len(input) / 3
	choosing, testing := boundsOf(first), boundsOf(len(input)-first)
	scores := r.scores(input[:first], neighbour[:first])
	goals := []goal{
		func(e evidence) float64 { return e.loss(allowed.delta) },
		func(e evidence) float64 { return e.p - float64(math.Exp(min(allowed.loss, 700))*e.q) },
	}
	chosen := make([]struct {
		cut   cut
		score int
		value float64
	}, len(goals))
	for g := range chosen {
		chosen[g].value = math.Inf(-1)
	}
	for s, score := range scores {
		a, b := each(score.of, input[:first]), each(score.of, neighbour[:first])
		for g, goal := range goals {
			if c, v := choose(a, b, choosing, goal); v > chosen[g].value {
				chosen[g].cut, chosen[g].score, chosen[g].value = c, s, v
			}
		}
	}
	var out []found
	for _, c := range chosen {
		score := scores[c.score]
		count := func(ys []O) (k int) {
			for _, y := range ys {
				if c.cut.holds(score.of(y)) {
					k++
				}
			}
			return k
		}
		out = append(out, found{evidence: weigh(count(input[first:]), count(neighbour[first:]), testing), what: score.describe(c.cut)})
	}
	return out
}

func each[O any](of func(O) float64, ys []O) []float64 {
	out := make([]float64, len(ys))
	for i, y := range ys {
		out[i] = of(y)
	}
	return out
}

// drawAll draws n outputs of each side, on all processors. The draws of a chunk
// depend only on rng and the chunk's number.
func drawAll[O any](ctx context.Context, r release[O], n int, rng rand.Source) (samples [2][]O, err error) {
	const chunk = 1 << 12
	chunks := (n + chunk - 1) / chunk
	parts, sources := make([][]O, 2*chunks), make([]rand.Source, 2*chunks)
	for i := range sources {
		sources[i] = fork(rng)
	}
	err = parallel.Blocked(ctx, len(parts), 1, func(_ context.Context, i, _ int) (err error) {
		size := min(chunk, n-i/2*chunk)
		parts[i], err = r.draw(make([]O, 0, size), i%2 == 1, size, sources[i])
		return err
	})
	if err != nil {
		return samples, err
	}
	for i, p := range parts {
		samples[i%2] = append(samples[i%2], p...)
	}
	return samples, nil
}

// fork makes a new stream from a source.
func fork(rng rand.Source) rand.Source {
	var key [32]byte
	for i := 0; i < len(key); i += 8 {
		binary.LittleEndian.PutUint64(key[i:], rng.Uint64())
	}
	return rand.NewChaCha8(key)
}

func whySampled(f *Finding, target privacy.Claim, releases int, visible float64, l found) string {
	per := ""
	if isMetric(target.Notion) {
		per = " per unit of distance"
	}
	at := ""
	if target.Delta > 0 {
		at = fmt.Sprintf(" at delta %.4g", target.Delta)
	}
	s := fmt.Sprintf("%d pairs of inputs were compared by %d draws. Events were chosen on a third of the draws and counted on the others; all bounds below hold together with confidence %.6g. ", releases, f.Draws, f.Confidence)
	if f.Verdict == Refuted {
		return s + fmt.Sprintf("The loss%s%s is at least %.4g, and at the claimed epsilon of %.4g delta is at least %.4g: the claim does not hold.",
			per, at, float64(f.EpsilonLow), target.Epsilon, float64(f.DeltaLow))
	}
	return s + fmt.Sprintf("The largest loss shown%s%s is %.4g, which does not exceed the %.4g claimed. That proves nothing: sampling can refute and never certifies, and this number of draws cannot show a loss above %.3g for a pair.",
		per, at, float64(f.EpsilonLow), target.Epsilon, visible)
}

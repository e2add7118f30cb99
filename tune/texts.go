package tune

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/progress"
)

// Texts holds the public data from which the figures of members for whole texts are
// computed.
type Texts struct {
	Codebook Codebook
	Topics   *Topics // nil for no topics
}

// TextRow is one setting of a member for whole texts with its figures.
type TextRow struct {
	Mechanism   string  `json:"mechanism"`
	Epsilon     float64 `json:"epsilon"`
	PureEpsilon float64 `json:"pure_epsilon"`
	Texts       int     `json:"texts"`      // M
	Neighbours  int     `json:"neighbours"` // k
	Inside      float64 `json:"inside"`
	// Linkage is the probability that the likeliest of Among equally likely texts is the
	// released one. It is exact over draws, and a mean over held-out texts of the codebook.
	// Other texts may be linked more or less often. No mechanism with this epsilon exceeds
	// LinkageLimit, for any texts.
	Linkage      float64 `json:"linkage"`
	LinkageLimit float64 `json:"linkage_limit"`
	Among        int     `json:"among"`
	// Topic is the share of releases of the texts of Topics that have the topic of their
	// text, exact over draws. TopicClear is the share for the texts themselves. Both are
	// measured by classifiers that were not trained on the text.
	Topic      *float64         `json:"topic,omitempty"`
	TopicClear *float64         `json:"topic_clear,omitempty"`
	Standing   privacy.Standing `json:"standing"`
	Claim      privacy.Claim    `json:"claim"`
}

// Linkage is measured on linkageGroups groups of among texts each.
const (
	among         = 200
	linkageGroups = 5
)

// searched is a codebook whose sets are those that a member draws from.
type searched struct {
	Codebook
	drawn mechanism.Codebook
}

func (c searched) Nearest(dst []uint32, vectors []int8, k int) ([]uint32, error) {
	return c.drawn.Nearest(dst, vectors, k)
}

// CompareTexts computes the row of a member for whole texts.
func CompareTexts(ctx context.Context, entry mechanism.Entry, texts Texts, spec mechanism.Spec) (TextRow, error) {
	codebook := texts.Codebook
	if entry.NewRetriever == nil {
		return TextRow{}, fmt.Errorf("%s: it does not replace whole texts", entry.Name)
	}
	r, err := entry.NewRetriever(ctx, codebook, spec)
	if err != nil {
		return TextRow{}, err
	}
	if own, ok := r.(interface{ Codebook() mechanism.Codebook }); ok {
		codebook = searched{codebook, own.Codebook()}
	}
	levels, claim := r.Levels(), r.Claim()
	row := TextRow{Mechanism: entry.Name, Epsilon: spec.Epsilon, PureEpsilon: claim.Epsilon, Texts: levels.Outputs, Neighbours: levels.Size,
		Inside: levels.Inside * float64(levels.Size), Among: min(among, codebook.Len()), Standing: entry.Standing, Claim: claim}
	row.LinkageLimit = 1 / (1 + float64(float64(row.Among-1)*math.Exp(-claim.Epsilon)))
	row.Linkage, err = linkage(ctx, codebook, levels, row.Among, spec.Progress.Stage("linkage"))
	if err == nil && texts.Topics != nil {
		row.Topic, row.TopicClear, err = texts.Topics.kept(ctx, codebook, levels, spec.Progress.Stage("topics"))
	}
	return row, err
}

// linkage is the mean over groups of texts of the chance that the best guess names
// the text that was released. With all candidates as likely it is the mean of the
// largest chance that any of them gives to an output, summed over outputs: Inside for
// those in the set of any, Outside for the others.
func linkage(ctx context.Context, codebook Codebook, levels mechanism.Levels, among int, report progress.Func) (float64, error) {
	n := codebook.Len()
	groups := max(1, min(linkageGroups, n/among))
	// The set of a text that is held out: its own place goes to the next nearest.
	size := min(levels.Size+1, n)
	sum := 0.0
	var vectors []int8
	var sets []uint32
	for g := range groups {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		candidates := make([]uint32, among)
		vectors = vectors[:0]
		for i := range candidates {
			candidates[i] = uint32((i*groups + g) * n / (among * groups))
			vectors = codebook.Vector(vectors, int(candidates[i]))
		}
		var err error
		if sets, err = codebook.Nearest(sets[:0], vectors, size); err != nil {
			return 0, err
		}
		if len(sets) != among*size {
			return 0, errors.New("tune: the codebook gave sets of another size")
		}
		inside := make([]bool, n)
		for i, x := range candidates {
			for _, y := range heldOut(sets[i*size:(i+1)*size], x, levels.Size) {
				inside[y] = true
			}
		}
		covered := 0
		for _, in := range inside {
			if in {
				covered++
			}
		}
		sum += (float64(float64(covered)*levels.Inside) + float64(float64(n-covered)*levels.Outside)) / float64(among)
		report.At(g+1, groups)
	}
	return sum / float64(groups), nil
}

// heldOut is a set without a text, of size texts: where the text is not in the set,
// because others are equal to it, the last one goes.
func heldOut(set []uint32, x uint32, size int) []uint32 {
	if len(set) == size {
		return set
	}
	if at, ok := slices.BinarySearch(set, x); ok {
		return slices.Delete(set, at, at+1)
	}
	return set[:size]
}

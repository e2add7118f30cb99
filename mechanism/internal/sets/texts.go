package sets

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/privacy"
)

// Texts is the channel from whole texts to those of a codebook: [Rows] whose sets
// are the texts nearest to a vector, found for many texts at once.
type Texts struct {
	Rows
	InForce  []mechanism.Setting
	assumes  privacy.Assumption
	who      string
	codebook mechanism.Codebook
	k        int
	untimed  bool
	atOnce   int // the number of rows searched between two checks of the context
}

// NewTexts returns the channel over a codebook with sets of k for the epsilon of a
// specification, whose parameters are the member's. Errors name the member who. Untimed skips most searches for sets that draws do not need: see searched.
// The number of searches is the same for every text and every draw, but the times of single
// searches could reveal which rows they are for.
func NewTexts(who string, codebook mechanism.Codebook, k int, spec mechanism.Spec) (*Texts, error) {
	t := &Texts{who: who, codebook: codebook, k: k, untimed: spec.Untimed, assumes: privacy.PublicData, atOnce: rowsAtOnce,
		InForce: []mechanism.Setting{{Name: "epsilon", Value: spec.Epsilon}}}
	if spec.BroughtVectors {
		t.assumes |= privacy.PublicEncoder
	}
	var err error
	t.Rows, err = NewRows(who, codebook.Len(), k, spec.Epsilon)
	return t, err
}

// Claim returns the claim for one whole text.
func (t *Texts) Claim() privacy.Claim {
	return privacy.Claim{Unit: privacy.Text, Notion: privacy.Pure, Epsilon: t.epsilon, Assumes: t.assumes}
}

// Settings returns the parameters in force.
func (t *Texts) Settings() []mechanism.Setting { return t.InForce }

// Loss returns the pure loss, which follows from the two weights alone. An audit finds
// whether two texts of the codebook attain it.
func (t *Texts) Loss() mechanism.Loss {
	_, most := t.Pure()
	return mechanism.Loss{PureHigh: most}
}

// Source returns Computed: the figures are a function of the weights that are drawn.
func (t *Texts) Source() mechanism.Source { return mechanism.Computed }

const (
	// rowsAtOnce is the number of rows of a search that reads the whole codebook.
	rowsAtOnce = 64
	// An index compares rows that need the same part of it together: more rows share
	// more. Their sets have at most membersAtOnce members.
	indexedAtOnce = 1024
	membersAtOnce = 4 << 20
)

// ByIndex makes t search by the index of a codebook. Call it before the first draw.
func (t *Texts) ByIndex(codebook mechanism.Indexed) {
	t.codebook = indexed{codebook}
	t.atOnce = max(rowsAtOnce, min(indexedAtOnce, membersAtOnce/t.k))
}

// indexed is a codebook whose sets are those of its index.
type indexed struct{ mechanism.Indexed }

func (c indexed) Nearest(dst []uint32, vectors []int8, k int) ([]uint32, error) {
	return c.Approximate(dst, vectors, k)
}

// Codebook returns the codebook with the rule that sets are found by.
func (t *Texts) Codebook() mechanism.Codebook { return t.codebook }

// Draw appends one text for each row of vectors, or none if it fails.
func (t *Texts) Draw(ctx context.Context, dst []uint32, vectors []int8, source func(row int) rand.Source) ([]uint32, error) {
	dim := t.codebook.Dim()
	if dim < 1 || len(vectors)%dim != 0 {
		return dst, fmt.Errorf("%s: %d components, want a multiple of %d", t.who, len(vectors), dim)
	}
	if source == nil {
		secure := noise.Secure()
		source = func(int) rand.Source { return secure }
	}
	rows, before := len(vectors)/dim, len(dst)
	ranks := make([]int, rows) // of the member drawn for each; -1: none
	for i := range rows {
		var y uint32
		y, ranks[i] = t.drawRank(source(i))
		dst = append(dst, y)
	}
	searched := t.searched(ranks)
	atOnce := min(len(searched), t.atOnce)
	batch, found := make([]int8, 0, atOnce*dim), make([]uint32, 0, atOnce*t.k)
	for some := range slices.Chunk(searched, t.atOnce) {
		if err := ctx.Err(); err != nil {
			return dst[:before], err
		}
		batch = batch[:0]
		for _, i := range some {
			batch = append(batch, vectors[i*dim:(i+1)*dim]...)
		}
		var err error
		if found, err = t.codebook.Nearest(found[:0], batch, t.k); err != nil {
			return dst[:before], err
		}
		if err := t.check(found, len(some)); err != nil {
			return dst[:before], err
		}
		for at, i := range some {
			if ranks[i] >= 0 {
				dst[before+i] = found[at*t.k+ranks[i]]
			}
		}
	}
	return dst, nil
}

// searched returns the rows whose sets are searched for: all of them, or, where
// nobody sees single draws' times, those that need a set and as many others as make
// their number a function of the number of rows: how long a call takes does not show
// how many draws were from a set. More are needed with a chance below 1e-7, which
// depends on the coins and on no text.
func (t *Texts) searched(ranks []int) []int {
	rows := make([]int, 0, len(ranks))
	for i, rank := range ranks {
		if rank >= 0 {
			rows = append(rows, i)
		}
	}
	for i, rank := range ranks {
		if len(rows) >= t.searches(len(ranks)) {
			break
		}
		if rank < 0 {
			rows = append(rows, i)
		}
	}
	slices.Sort(rows) // not those that need a set first
	return rows
}

// searches returns the number of searches for some rows of an untimed draw: six
// standard deviations and spare above the mean of those needed, and all where rows
// are few. Spare is for small means, where the tail is that of a Poisson variable.
func (t *Texts) searches(rows int) int {
	if !t.untimed {
		return rows
	}
	const spare = 8
	p, n := float64(t.lift)/float64(t.total), float64(rows)
	deviation := math.Sqrt(float64(float64(n*p) * (1 - p)))
	return min(rows, int(math.Ceil(float64(n*p)+float64(6*deviation)))+spare)
}

// drawRank draws an item of the whole codebook, or the rank of a member of a set
// that is not known yet.
func (t *Texts) drawRank(rng rand.Source) (item uint32, rank int) {
	if !noise.Bernoulli(rng, t.lift, t.total) {
		return uint32(noise.Below(rng, t.items)), -1
	}
	return 0, int(noise.Below(rng, t.size))
}

// errSet stops a draw that the proof does not cover. It reveals nothing about the input.
var errSet = errors.New("the codebook gave a set of the wrong size, or with an item twice: nothing was drawn")

// check refuses sets that the proof does not cover: not of size k, or with items
// that are not distinct items of the codebook.
func (t *Texts) check(found []uint32, rows int) error {
	if len(found) != rows*t.k {
		return fmt.Errorf("%s: %w", t.who, errSet)
	}
	for i, y := range found {
		if uint64(y) >= t.items || i%t.k > 0 && y <= found[i-1] {
			return fmt.Errorf("%s: %w", t.who, errSet)
		}
	}
	return nil
}

// Weights appends the row of one vector.
func (t *Texts) Weights(dst []uint64, vector []int8) ([]uint64, error) {
	set, err := t.codebook.Nearest(nil, vector, t.k)
	if err != nil {
		return dst, err
	}
	if err := t.check(set, 1); err != nil {
		return dst, err
	}
	at := len(dst)
	for range t.items {
		dst = append(dst, t.low)
	}
	for _, y := range set {
		dst[at+int(y)] = t.high
	}
	return dst, nil
}

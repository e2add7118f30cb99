package catalog

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/int8grid"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/internal/additive"
	"github.com/sotto-dp/sotto/mechanism/internal/directions"
	"github.com/sotto-dp/sotto/mechanism/internal/parameters"
	"github.com/sotto-dp/sotto/mechanism/internal/sets"
	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/privacy"
)

var privunitEntry = mechanism.Entry{
	Name:         "privunit",
	Summary:      "the unit vector of a whole text becomes one of the k public directions nearest to it with a fixed high chance, any public direction otherwise",
	Paper:        "PrivUnit (Bhowmick et al. 2018; Asi, Feldman, Talwar 2022, arXiv:2205.02466), over a public codebook of random directions",
	Notion:       privacy.Pure,
	Standing:     privacy.Proved,
	DefaultFor:   []mechanism.Default{{Use: mechanism.UseDocuments}, {Use: mechanism.UseDocuments, Notion: privacy.Pure}},
	Stops:        slices.Concat(mechanism.Steps(0.5, 4, 0.5), mechanism.Steps(5, 12, 1)),
	Cost:         mechanism.Pass,
	Parameters:   []mechanism.Parameter{privunitDimensions, privunitCodebook, privunitNeighbours, privunitSeed, privunitAverage, privunitForm},
	NewPerturber: newPrivunit,
	NewEncoded:   newPrivunitEncoded,
	Reviewed:     "f4bbac96cb2a285d",
}

var (
	privunitDimensions = mechanism.Parameter{Name: "dimensions", Kind: mechanism.Integer, Default: "30, or those of the table or the corpus where they are fewer", Accepts: mechanism.Between(2, additive.MostComponents),
		Help: "components of the unit vector"}
	privunitCodebook = mechanism.Parameter{Name: "codebook", Kind: mechanism.Integer, Default: "8192", Accepts: mechanism.Between(2, directions.MaxItems),
		Help: "number of public directions, an even number"}
	privunitNeighbours = mechanism.Parameter{Name: "neighbours", Kind: mechanism.Integer, Role: mechanism.RoleSize, Default: "the least squared error", Accepts: mechanism.UpTo("public directions"),
		Help: "number of public directions in the set of a text; the output is most likely one of them"}
	privunitSeed    = mechanism.Parameter{Name: "codebook-seed", Kind: mechanism.Integer, Default: "1", Accepts: mechanism.Between(0, math.MaxInt), Help: "public seed of the directions"}
	privunitAverage = mechanism.Parameter{Name: "average", Kind: mechanism.Choice, Default: "equal", Accepts: mechanism.OneOf("equal", "weighted"),
		Help: "how the words of a text count: equal, or weighted, which gives frequent words less weight"}
	privunitForm = mechanism.Parameter{Name: "form", Kind: mechanism.Choice, Default: "codebook", Accepts: mechanism.OneOf("codebook", "continuous"),
		Help: "codebook: exact and certified; continuous: any direction, in real arithmetic"}
)

// privunitBest is the number of dimensions that development texts chose; see
// docs/results/learning.md.
const privunitBest = 30

// newPrivunit makes the release of unit vectors: an average of the table's vectors is
// mapped to a unit vector by a public map, and drawn for over a public codebook.
func newPrivunit(ctx context.Context, table *embedding.Table, spec mechanism.Spec) (mechanism.Perturber, error) {
	p := parameters.Read("privunit", spec)
	average, averaged := p.Choice(privunitAverage)
	return openPrivunitMap(p, table.Dim(), "the table", spec, func(out int) (*directions.Whitening, []mechanism.Setting, error) {
		var weights []float64
		if average == "weighted" {
			weights = directions.Weights(table)
		}
		public, err := directions.NewWhitening(ctx, table, out, weights)
		return public, []mechanism.Setting{privunitAverage.Setting(average, averaged)}, err
	})
}

// newPrivunitEncoded is newPrivunit for vectors that an encoder of whole texts makes, with a map
// fitted on those of public texts. Any vector has a unit vector.
func newPrivunitEncoded(ctx context.Context, texts mechanism.Encoded, spec mechanism.Spec) (mechanism.Perturber, error) {
	p := parameters.Read("privunit", spec)
	if _, averaged := p.Choice(privunitAverage); averaged {
		p.Fail(privacy.Unwanted("privunit", privunitAverage.Name, "with a corpus, whose encoder reads whole texts"))
	}
	if p.Err == nil && texts.Dim() > directions.MostEncoded {
		p.Fail(privacy.Wrong("privunit", "corpus", fmt.Sprintf("its vectors have %d dimensions, at most %d are mapped", texts.Dim(), directions.MostEncoded), "choose an encoder of fewer, or keep the first ones"))
	}
	return openPrivunitMap(p, texts.Dim(), "the corpus", spec, func(out int) (*directions.Whitening, []mechanism.Setting, error) {
		public, err := directions.NewEncodedWhitening(ctx, texts, out)
		return public, nil, err
	})
}

// openPrivunitMap opens the release over the map that fit returns, from vectors of in components
// of what is named.
func openPrivunitMap(p *parameters.Reader, in int, of string, spec mechanism.Spec, fit func(out int) (*directions.Whitening, []mechanism.Setting, error)) (mechanism.Perturber, error) {
	const who = "privunit"
	dim, sized := p.Integer(privunitDimensions)
	if !sized {
		dim = min(privunitBest, in)
	}
	if p.Err == nil && (dim > in || in < 2) {
		p.Fail(privunitDimensions.Bad(who, dim, fmt.Sprintf("2 to %d, as many as %s has", in, of)))
	}
	form, formed := p.Choice(privunitForm)
	m, counted := p.Integer(privunitCodebook)
	k, given := p.Integer(privunitNeighbours.AtMost(m - 1)) // of all directions nothing can be estimated
	seed, seeded := p.Integer(privunitSeed)
	switch {
	case p.Err != nil:
	case m%2 != 0:
		p.Fail(privunitCodebook.Bad(who, m, "even: each direction is there with its opposite"))
	case form == "continuous" && (counted || given || seeded):
		p.Fail(privunitForm.Bad(who, form, "codebook where codebook, neighbours or codebook-seed is given"))
	}
	if _, err := p.Close(); err != nil {
		return nil, err
	}
	public, fitted, err := fit(dim)
	if err != nil {
		return nil, err
	}
	described := append([]mechanism.Setting{privunitDimensions.Setting(dim, sized)}, fitted...)
	described = append(described, privunitForm.Setting(form, formed), mechanism.Setting{Name: "whitening-sha256", Value: public.Digest()})
	best := directions.BestCap(dim, spec.Epsilon)
	if form == "continuous" {
		return newPrivunitContinuous(spec, public, best, described)
	}
	if !given {
		k = best.Size(m)
	}
	book := directions.NewCodebook(dim, m, uint64(seed))
	channel, err := newPrivunitChannel(book, k, spec)
	if err != nil {
		return nil, err
	}
	levels := channel.Levels()
	channel.InForce = append(channel.InForce, described...)
	channel.InForce = append(channel.InForce,
		privunitCodebook.Setting(m, counted), privunitNeighbours.Setting(k, given),
		privunitSeed.Setting(seed, seeded),
		mechanism.Setting{Name: "inside", Value: levels.Inside * float64(levels.Size)},
		mechanism.Setting{Name: "codebook-sha256", Value: book.Digest()})
	return &privunit{Texts: channel, book: book, public: public, constants: book.Measure(k, channel.Lift(), uint64(seed))}, nil
}

// newPrivunitChannel returns the channel over a codebook: that of package sets, whose
// sets are the k directions nearest to the input's.
func newPrivunitChannel(codebook mechanism.Codebook, k int, spec mechanism.Spec) (*sets.Texts, error) {
	return sets.NewTexts("privunit", codebook, k, spec)
}

// privunit is the release over a codebook.
type privunit struct {
	*sets.Texts
	book      *directions.Codebook
	public    *directions.Whitening
	constants directions.Constants
}

// Dimensions returns those of the table's vectors and of the codebook.
func (m *privunit) Dimensions() (int, int) { return m.public.Dimensions() }

// Channel returns the channel and its codebook.
func (m *privunit) Channel() (mechanism.Retriever, mechanism.Codebook) { return m.Texts, m.book }

// WordWeights returns the weights of words in the average of a text, nil for equal ones.
func (m *privunit) WordWeights() []float64 { return m.public.WordWeights() }

// Unit writes the unit vector of src.
func (m *privunit) Unit(dst []float64, src []float32) { m.public.Unit(dst, src) }

// Debias returns the constants that make released vectors unbiased.
func (m *privunit) Debias() mechanism.Debias {
	c, dim := m.constants, m.book.Dim()
	return mechanism.Debias{
		Scale: 1 / c.Dot, Offset: make([]float64, dim),
		Noise: momentNoise(dim, c.Dot, c.Excess), Signal: momentSignal(dim, c.Dot, c.Excess),
		Residual: &mechanism.Residual{Mean: c.Residual, Largest: c.Largest, Directions: c.Probes},
	}
}

// momentNoise and momentSignal are a and b of E[zz'] = a I + b xx' for z = y/dot,
// where y has length 1 and (1 + excess)/dim is the mean of its squared inner product with
// x: the trace is 1/dot^2 = a dim + b, and x'E[zz']x = (1 + excess)/(dim dot^2) = a + b.
func momentNoise(dim int, dot, excess float64) float64 {
	return (1/float64(dot*dot) - momentSignal(dim, dot, excess)) / float64(dim)
}

func momentSignal(dim int, dot, excess float64) float64 {
	return excess / float64(dim-1) / float64(dot*dot)
}

// Grid appends the grid vector of the unit vector of src.
func (m *privunit) Grid(dst []int8, src []float32) []int8 {
	unit := make([]float64, m.book.Dim())
	m.Unit(unit, src)
	return int8grid.Append(dst, unit)
}

// PerturbAll appends an index for each row of src.
func (m *privunit) PerturbAll(ctx context.Context, dst []uint32, src []float32, source func(row int) rand.Source) ([]uint32, error) {
	in, out := m.Dimensions()
	if len(src)%in != 0 {
		return dst, fmt.Errorf("privunit: %d components, want a multiple of %d", len(src), in)
	}
	grid := make([]int8, 0, len(src)/in*out)
	for row := range slices.Chunk(src, in) {
		grid = m.Grid(grid, row)
	}
	return m.Draw(ctx, dst, grid, source)
}

// Decode writes the vector of an index.
func (m *privunit) Decode(dst []float32, index uint32, debiased bool) {
	unit := make([]float64, m.book.Dim())
	m.book.Unit(unit, int(index))
	scale := 1.0
	if debiased {
		scale = 1 / m.constants.Dot
	}
	for k, x := range unit {
		dst[k] = float32(x * scale)
	}
}

// Perturb writes the unbiased vector of a draw into dst.
func (m *privunit) Perturb(dst, src []float32, rng rand.Source) error {
	in, out := m.Dimensions()
	src, err := additive.CheckVectors("privunit", dst, src, in, out)
	if err != nil {
		return err
	}
	rng = noise.OrSecure(rng)
	drawn, err := m.PerturbAll(context.Background(), nil, src, func(int) rand.Source { return rng })
	if err != nil {
		return err
	}
	m.Decode(dst, drawn[0], true)
	return nil
}

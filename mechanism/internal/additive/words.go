package additive

import (
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/privacy"
)

// Words replaces each word by the table's word nearest to its vector plus
// noise. It reads the vectors of a batch first, then draws noise into a
// separate buffer and adds it. It never reads the words again.
type Words struct {
	Table   *embedding.Table // not clipped: only inputs are
	Promise privacy.Claim
	InForce []mechanism.Setting
	Clip    Clip // radius +Inf: no clip
	// Fill draws noise for len(dst)/Dim words.
	Fill func(dst []float32, src rand.Source)
	// gaussian is the noise's standard deviation over its sensitivity; 0 for other noise.
	gaussian float64
	// Choose picks a word for each noisy vector; nil: the nearest.
	Choose  func(dst []embedding.ID, noisy []float32, src rand.Source)
	buffers sync.Pool // *wordBuffer
}

type wordBuffer struct {
	vectors, noise []float32
	outputs        []embedding.ID
}

// WordBatch is the number of words looked up at once.
const WordBatch = 256

func (m *Words) Claim() privacy.Claim          { return m.Promise }
func (m *Words) Settings() []mechanism.Setting { return m.InForce }

// NoiseRatio returns the Gaussian noise's ratio, or 0 for other noise.
func (m *Words) NoiseRatio() float64 { return m.gaussian }

// Replace draws one output for each word of src.
func (m *Words) Replace(dst, src []embedding.ID, rng rand.Source) ([]embedding.ID, error) {
	rng = noise.OrSecure(rng)
	b, ok := m.buffers.Get().(*wordBuffer)
	if !ok {
		b = new(wordBuffer)
	}
	defer m.buffers.Put(b)
	for len(src) > 0 {
		now := src[:min(WordBatch, len(src))]
		src = src[len(now):]
		b.vectors = b.vectors[:0]
		for _, x := range now {
			b.vectors = m.Table.Vector(b.vectors, x)
			m.Clip.Apply(b.vectors[len(b.vectors)-m.Table.Dim():])
		}
		b.noise = slices.Grow(b.noise[:0], len(b.vectors))[:len(b.vectors)]
		m.Fill(b.noise, rng)
		sums := b.vectors[:len(b.noise)]
		for i, z := range b.noise {
			sums[i] += z
		}
		b.outputs = slices.Grow(b.outputs[:0], len(now))[:len(now)]
		if m.Choose != nil {
			m.Choose(b.outputs, b.vectors, rng)
		} else {
			m.Table.Nearest(b.outputs, b.vectors)
		}
		dst = append(dst, b.outputs...)
	}
	return dst, nil
}

// CheckNoise refuses noise so small that adding it in float32 to the largest
// component would lose it.
func CheckNoise(who string, epsilon, scale, largest float64) error {
	if !(scale >= leastScale) || !(largest <= scale*mostSteps) {
		return privacy.Bad(who, "epsilon", epsilon, "smaller: the noise would be finer than the rounding of the vectors it is added to")
	}
	return nil
}

// leastScale keeps noise and its last bits within float32.
const leastScale = 0x1p-100

// mostSteps bounds clip/scale, and with it every integer by 2^62.
const mostSteps = 1 << 21

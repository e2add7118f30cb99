package directions

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/simd/multiples"
	"github.com/sotto-dp/sotto/internal/symmetric"
)

// Whitening maps averages of a table's vectors, or vectors of texts, to unit vectors of fewer
// components: it subtracts a mean, projects on the directions in which the words or texts vary
// most, divides each by the square root of the deviation there, and scales the result to
// length 1. It is public: fitted on the table, or on the texts of a corpus, alone.
//
// Words are weighted by the frequency that follows from their place in the table, because
// texts consist of frequent words, and by the square of their weight in an average. Whole
// deviations as divisors (a whitening in the narrow sense) are worse on development texts,
// more so in more dimensions: see docs/results/learning.md.
type Whitening struct {
	in, out int
	mean    []float64
	rows    []float64 // out rows of in components
	weights []float64 // of words in an average
	digest  string
}

// frequencyConstant is a of the weight a/(a + f) of a word of frequency f: smooth
// inverse frequency (Arora, Liang and Ma 2017).
const frequencyConstant = 1e-3

// unknownWeight is the weight of the entry for unknown words, which carries no information
// if there is another word.
const unknownWeight = 0x1p-30

// Weights returns the weights of a table's words in an average, by smooth inverse
// frequency.
func Weights(table *embedding.Table) []float64 {
	weights := table.Shares()
	for id, share := range weights {
		weights[id] = frequencyConstant / (frequencyConstant + share)
	}
	if table.Len() > 1 {
		weights[table.Unknown()] = unknownWeight
	}
	return weights
}

// NewWhitening fits the map to out dimensions on a table with at least that many, for
// averages with the given weights; nil means equal weights.
func NewWhitening(ctx context.Context, table *embedding.Table, out int, weights []float64) (*Whitening, error) {
	in := table.Dim()
	w := &Whitening{in: in, out: out, mean: make([]float64, in), rows: make([]float64, out*in), weights: weights}
	shares := table.Shares()
	for id, weight := range weights {
		shares[id] *= float64(weight * weight)
	}
	if table.Len() > 1 {
		shares[table.Unknown()] = 0 // represents words of every kind
	}
	total := 0.0
	var v []float32
	for id, share := range shares {
		v = table.Vector(v[:0], embedding.ID(id))
		for k, x := range v {
			w.mean[k] += float64(share * float64(x))
		}
		total += share
	}
	for k := range w.mean {
		w.mean[k] /= total
	}
	products := make([]float64, in*in)
	const atOnce = 256
	centred, by, all := make([]float64, atOnce*in), make([]float64, atOnce), make([]uint32, atOnce)
	for at := range all {
		all[at] = uint32(at)
	}
	for from := 0; from < len(shares); from += atOnce {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		part := shares[from:min(from+atOnce, len(shares))]
		for at := range part {
			v = table.Vector(v[:0], embedding.ID(from+at))
			for k, x := range v {
				centred[at*in+k] = float64(x) - w.mean[k]
			}
		}
		for i := range in {
			for at, share := range part {
				by[at] = centred[at*in+i] * share
			}
			multiples.Sum(products[i*in+i:(i+1)*in], by[:len(part)], centred[i:], all, in)
		}
	}
	for i := range in {
		for j := range i {
			products[i*in+j] = products[j*in+i]
		}
	}
	w.along(symmetric.Eigen(products, in))
	return w, nil
}

// along sets the rows to the leading directions of a spread, given as by package symmetric.
func (w *Whitening) along(values, vectors []float64) {
	columns := len(values)
	for r := range w.out {
		// Directions in which nothing varies stay as they are: nothing is there.
		if values[r] <= 1e-9*values[0] {
			break
		}
		root := math.Sqrt(math.Sqrt(values[r] / values[0]))
		for k := range w.in {
			w.rows[r*w.in+k] = vectors[k*columns+r] / root
		}
	}
	w.orient()
	w.seal()
}

// orient gives each row the sign that makes its largest component positive.
func (w *Whitening) orient() {
	for r := range w.out {
		row := w.rows[r*w.in : (r+1)*w.in]
		largest := 0.0
		for _, x := range row {
			if math.Abs(x) > math.Abs(largest) {
				largest = x
			}
		}
		for k := range row {
			if largest < 0 {
				row[k] = -row[k]
			}
		}
	}
}

func (w *Whitening) seal() {
	h := sha256.New()
	for _, part := range [][]float64{{float64(w.in), float64(w.out)}, w.mean, w.rows, w.weights} {
		for _, x := range part {
			var b [8]byte
			binary.LittleEndian.PutUint64(b[:], math.Float64bits(x))
			h.Write(b[:])
		}
	}
	w.digest = hex.EncodeToString(h.Sum(nil))
}

// project writes the rows' inner products with src less the mean. Each is summed in the order
// of the components, four beside each other: an addition need not wait for that of another row.
func (w *Whitening) project(dst []float64, src []float32) {
	mean := w.mean[:len(src)]
	r := 0
	for ; r+4 <= len(dst); r += 4 {
		rows := w.rows[r*w.in:]
		a, b, c, d := rows[:len(src)], rows[w.in:][:len(src)], rows[2*w.in:][:len(src)], rows[3*w.in:][:len(src)]
		var sa, sb, sc, sd float64
		for k, x := range src {
			y := float64(x) - mean[k]
			sa += float64(a[k] * y)
			sb += float64(b[k] * y)
			sc += float64(c[k] * y)
			sd += float64(d[k] * y)
		}
		dst[r], dst[r+1], dst[r+2], dst[r+3] = sa, sb, sc, sd
	}
	for ; r < len(dst); r++ {
		row, sum := w.rows[r*w.in:][:len(src)], 0.0
		for k, x := range src {
			sum += float64(row[k] * (float64(x) - mean[k]))
		}
		dst[r] = sum
	}
}

// Dimensions returns the numbers of components before and after.
func (w *Whitening) Dimensions() (in, out int) { return w.in, w.out }

// WordWeights returns the weights of words in an average; nil if they are equal.
func (w *Whitening) WordWeights() []float64 { return w.weights }

// Digest returns the SHA-256 of the map and the weights.
func (w *Whitening) Digest() string { return w.digest }

// Unit writes the unit vector of src into dst. A src with a component that is not
// finite counts as zero, and one that maps to zero has the first axis. The result
// depends on src alone, and every src has one.
func (w *Whitening) Unit(dst []float64, src []float32) {
	for _, x := range src {
		if !(math.Abs(float64(x)) <= math.MaxFloat32) {
			src = make([]float32, len(src))
			break
		}
	}
	w.project(dst, src)
	most := 0.0
	for _, x := range dst {
		most = max(most, math.Abs(x))
	}
	if most == 0 {
		clear(dst)
		dst[0] = 1
		return
	}
	square := 0.0
	for r := range dst {
		dst[r] /= most // no overflow, no underflow of the largest
		square += float64(dst[r] * dst[r])
	}
	for r := range dst {
		dst[r] /= math.Sqrt(square)
	}
}

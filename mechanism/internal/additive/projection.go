package additive

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/parallel"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/internal/metrics"
	"github.com/sotto-dp/sotto/noise"
	"gonum.org/v1/gonum/mat"
)

// Projection is a public matrix with independent N(0, 1/out) entries, out rows
// of in components.
type Projection struct {
	In, Out int
	Entries []float32
}

func NewProjection(in, out int, seed uint64) Projection {
	p := Projection{in, out, make([]float32, in*out)}
	noise.FillNormal(p.Entries, 1/math.Sqrt(float64(out)), noise.Seeded(seed, 0))
	return p
}

// Digest identifies the matrix. It is the same on every machine.
func (p Projection) Digest() string {
	h := sha256.New()
	for _, v := range p.Entries {
		var b [4]byte
		binary.LittleEndian.PutUint32(b[:], math.Float32bits(v))
		h.Write(b[:])
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

// Apply writes the image of v into dst. Four components at a time hide the latency of
// sums; the order of each sum is that of one alone.
func (p Projection) Apply(dst []float64, v []float32) {
	n := p.In
	v = v[:n]
	i := 0
	for ; i+4 <= len(dst); i += 4 {
		rows := p.Entries[i*n:][:4*n]
		a, b, c, d := rows[:n], rows[n:][:n], rows[2*n:][:n], rows[3*n:][:n]
		var a0, a1, b0, b1, c0, c1, d0, d1 float64
		k := 0
		for ; k+1 < n; k += 2 {
			x, y := float64(v[k]), float64(v[k+1])
			a0 += float64(float64(a[k]) * x)
			a1 += float64(float64(a[k+1]) * y)
			b0 += float64(float64(b[k]) * x)
			b1 += float64(float64(b[k+1]) * y)
			c0 += float64(float64(c[k]) * x)
			c1 += float64(float64(c[k+1]) * y)
			d0 += float64(float64(d[k]) * x)
			d1 += float64(float64(d[k+1]) * y)
		}
		if k < n {
			x := float64(v[k])
			a0 += float64(float64(a[k]) * x)
			b0 += float64(float64(b[k]) * x)
			c0 += float64(float64(c[k]) * x)
			d0 += float64(float64(d[k]) * x)
		}
		dst[i], dst[i+1], dst[i+2], dst[i+3] = a0+a1, b0+b1, c0+c1, d0+d1
	}
	for ; i < len(dst); i++ {
		row := p.Entries[i*n:][:n]
		var sum [2]float64
		for k, e := range row {
			sum[k&1] += float64(float64(e) * float64(v[k]))
		}
		dst[i] = sum[0] + sum[1]
	}
}

// Table returns the table's words with the images of their vectors.
func (p Projection) Table(ctx context.Context, t *embedding.Table) (*embedding.Table, error) {
	return metrics.Mapped(ctx, t, p.Out, p.Apply)
}

// SpectralNorm returns the largest factor by which the matrix stretches any vector,
// rounded up.
func (p Projection) SpectralNorm(ctx context.Context) (float64, error) {
	dense := mat.NewDense(p.Out, p.In, nil)
	for i, v := range p.Entries {
		dense.Set(i/p.In, i%p.In, float64(v))
	}
	var svd mat.SVD
	ok := false
	if err := abandoned(ctx, func() { ok = svd.Factorize(dense, mat.SVDNone) }); err != nil {
		return 0, err
	}
	if !ok {
		return 0, errors.New("privemb: the projection has no singular values")
	}
	return svd.Values(nil)[0] * (1 + 1e-9), nil
}

// Hidden returns a distance that the rounding in Table adds to that of two images or
// takes from it at most, rounded up. A component is rounded to float32, by 2^-24 of
// itself or 2^-150, and then to the grid, by half a step.
func Hidden(projected *embedding.Table) float64 {
	component := projected.Step() + float64(projected.Largest()*0x1p-22) + 0x1p-149
	return math.Sqrt(float64(projected.Dim())) * component * (1 + 0x1p-40)
}

// farther adds hidden to distances, given and returned squared.
func farther(squares []float64, hidden float64) {
	if hidden == 0 {
		return // with no rounding
	}
	for i, r := range squares {
		d := math.Sqrt(r) + hidden
		squares[i] = d * d
	}
}

// TableLipschitz returns the largest factor by which the images of two words of a
// table are farther apart than their vectors, rounded up. Each distance of images is
// that of the projected table plus hidden. It takes O(V^2) distances; the result is
// cached.
func TableLipschitz(ctx context.Context, table, projected *embedding.Table, hidden float64, spec mechanism.Spec) (float64, error) {
	key := fmt.Sprintf("%s-%s-lipschitz", table.Digest(), projected.Digest())
	if hidden != 0 {
		key += fmt.Sprintf("-%x", math.Float64bits(hidden))
	}
	var cached float64
	if mechanism.Recall(spec.Cache, key, &cached) && cached >= sampledLipschitz(table, projected, hidden) && !math.IsInf(cached, 0) {
		return cached, nil
	}
	report := spec.Progress.Stage("Lipschitz constant of the projection")
	n := table.Len()
	count := report.Counter(n)
	var mu sync.Mutex
	most := 0.0                                     // of squared distances in steps, of images to vectors
	type buffer struct{ vectors, images []float64 } // squared distances
	buffers := sync.Pool{New: func() any { return new(buffer) }}
	err := parallel.IDs(ctx, 0, n, 32, func(xs []embedding.ID) {
		b := buffers.Get().(*buffer)
		defer buffers.Put(b)
		from := int(xs[0])
		size := len(xs) * (n - from)
		b.vectors = slices.Grow(b.vectors[:0], size)[:size]
		table.SquaredDistances(b.vectors, xs, from, n)
		b.images = slices.Grow(b.images[:0], size)[:size]
		projected.SquaredDistances(b.images, xs, from, n)
		farther(b.images, hidden/projected.Step())
		here := 0.0
		for i, q := range b.vectors {
			if r := b.images[i]; r > here*q && q > 0 {
				here = r / q
			}
		}
		mu.Lock()
		most = max(most, here)
		mu.Unlock()
		count.Add(len(xs))
	})
	if err != nil {
		return 0, err
	}
	l := math.Sqrt(most) * projected.Step() / table.Step() * (1 + 1e-12)
	if l == 0 { // one distinct vector: nothing to hide, any noise does
		l = 1
	}
	mechanism.Remember(spec.Cache, key, l)
	return l, nil
}

// sampledLipschitz returns the same over pairs of a few words and all words: a lower
// bound, which a cached figure must reach.
func sampledLipschitz(table, projected *embedding.Table, hidden float64) float64 {
	const words = 32
	n := table.Len()
	var xs []embedding.ID
	for i := range min(words, n) {
		xs = append(xs, embedding.ID(i*n/min(words, n)))
	}
	from, to := make([]float64, len(xs)*n), make([]float64, len(xs)*n)
	table.SquaredDistances(from, xs, 0, n)
	projected.SquaredDistances(to, xs, 0, n)
	farther(to, hidden/projected.Step())
	most := 0.0
	for i, q := range from {
		if q > 0 {
			most = max(most, to[i]/q)
		}
	}
	return math.Sqrt(most) * projected.Step() / table.Step()
}

// abandoned calls work, which cannot be interrupted. If ctx ends it returns while work
// still runs; the caller must not use anything that work writes.
func abandoned(ctx context.Context, work func()) error {
	done := make(chan struct{})
	go func() {
		defer close(done)
		work()
	}()
	select {
	case <-done:
		return ctx.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}

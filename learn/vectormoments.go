package learn

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"
)

// moments are sums over releases with a 1 as their last component: of zz', and of z
// times the class indicators.
type moments struct {
	n       float64
	second  *mat.SymDense // dim + 1
	product *mat.Dense    // dim + 1 by classes
}

func (v *Vectors) newMoments() moments {
	return moments{second: mat.NewSymDense(v.Dim+1, nil), product: mat.NewDense(v.Dim+1, len(v.Classes), nil)}
}

// add adds a release.
func (m *moments) add(v *Vectors, i int) {
	z := make([]float64, v.Dim+1)
	for k, x := range v.row(i) {
		z[k] = float64(x)
	}
	z[v.Dim] = 1
	at := mat.NewVecDense(v.Dim+1, z)
	m.second.SymRankOne(m.second, 1, at)
	for c := range v.Classes {
		w := v.indicator(c, v.Class[i])
		for k, x := range z {
			m.product.Set(k, c, m.product.At(k, c)+w*x)
		}
	}
	m.n++
}

// join adds the sums of o, times sign.
func (m *moments) join(o moments, sign float64) {
	m.n += sign * o.n
	var scaled mat.SymDense
	scaled.ScaleSym(sign, o.second)
	m.second.AddSym(m.second, &scaled)
	var product mat.Dense
	product.Scale(sign, o.product)
	m.product.Add(m.product, &product)
}

// centred is the moments with the mean vector and the shares of classes taken out.
type centred struct {
	dim, classes int
	mean         *mat.VecDense
	shares       mat.Vector
	// The second moment is vectors diag(values) vectors'.
	values  []float64
	vectors mat.Dense
	cross   *mat.Dense // products with the indicators
}

// centre takes the means out of estimates for the unit vectors x behind the releases. Those
// of the mean x and of its products with the indicators are the releases' own; the mean
// xx' is that of zz' less Noise I, divided by Signal, and its trace is 1. The second moment
// that is left is drawn towards a multiple of I (Ledoit and Wolf 2004). Noise moves its
// eigenvalues by a standard deviation of Noise/Signal sqrt(dim/n), and they are taken to
// differ by as much as their mean: the share of I is what the variance of the first has of
// both. Nothing is divided by Signal, which may be 0: then all is I. Eigenvalues below 0,
// which no vectors have, become 0.
func (m *moments) centre(v *Vectors) (*centred, error) {
	var product mat.Dense
	product.Scale(1/m.n, m.product)
	c := &centred{dim: v.Dim, classes: len(v.Classes), mean: mat.NewVecDense(v.Dim, nil), shares: product.RowView(v.Dim)}
	for k := range v.Dim {
		c.mean.SetVec(k, m.second.At(k, v.Dim)/m.n)
	}
	block := mat.NewSymDense(v.Dim, nil) // times Signal
	for i := range v.Dim {
		for j := i; j < v.Dim; j++ {
			x := m.second.At(i, j)/m.n - v.Signal*c.mean.AtVec(i)*c.mean.AtVec(j)
			if i == j {
				x -= v.Noise
			}
			block.SetSym(i, j, x)
		}
	}
	dim := float64(v.Dim)
	mean := max(0, (1-mat.Dot(c.mean, c.mean))/dim)
	signal, noise := v.Signal*mean, v.Noise*math.Sqrt(dim/m.n)
	share, kept := 0.0, 1/v.Signal // of I, and 1 - share over Signal
	if noise > 0 {
		all := signal*signal + noise*noise
		share, kept = noise*noise/all, signal*mean/all
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(block, true) {
		return nil, errors.New("learn: the second moment has no eigenvalues")
	}
	c.values = eigen.Values(nil)
	for i, value := range c.values {
		c.values[i] = max(0, kept*value+share*mean)
	}
	eigen.VectorsTo(&c.vectors)
	c.cross = c.products(m)
	return c, nil
}

// products returns those of the releases in m with the indicators, centred by c.
func (c *centred) products(m *moments) *mat.Dense {
	cross := mat.NewDense(c.dim, c.classes, nil)
	for k := range c.dim {
		mean := c.mean.AtVec(k)
		for y := range c.classes {
			share := c.shares.AtVec(y)
			own := m.product.At(k, y) - mean*m.product.At(c.dim, y) - m.second.At(k, c.dim)*share
			cross.Set(k, y, own/m.n+mean*share)
		}
	}
	return cross
}

// solve returns the slopes for a penalty, a column per class.
func (c *centred) solve(ridge float64) *mat.Dense {
	least := ridge / float64(c.dim)
	var turned, slopes mat.Dense
	turned.Mul(c.vectors.T(), c.cross)
	for i, value := range c.values {
		for y := range c.classes {
			turned.Set(i, y, turned.At(i, y)/(value+least))
		}
	}
	slopes.Mul(&c.vectors, &turned)
	return &slopes
}

// bias returns the constant term of a class's score.
func (c *centred) bias(slopes *mat.Dense, y int) float64 {
	return c.shares.AtVec(y) - mat.Dot(slopes.ColView(y), c.mean)
}

// loss estimates the mean squared error of slopes on held-out releases, less a
// constant: the sum over classes of w'Sw - 2 w'p. The second moment S is that of all
// releases, c's: a part's own is too uncertain to weigh anything by.
func (c *centred) loss(held *moments, slopes *mat.Dense) float64 {
	var turned, products mat.Dense
	turned.Mul(c.vectors.T(), slopes)
	loss := 0.0
	for i, value := range c.values {
		for y := range c.classes {
			w := turned.At(i, y)
			loss += value * w * w
		}
	}
	products.MulElem(slopes, c.products(held))
	return loss - 2*mat.Sum(&products)
}

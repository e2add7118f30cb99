package learn

import (
	"math"

	"github.com/sotto-dp/sotto/privacy"
)

// Vectors are private unit vectors with labels. A released z has the mean x + r(x) for the
// unit vector x of its text, and the second moment E zz' = Noise I + Signal xx'.
type Vectors struct {
	// Rows has Dim numbers per release.
	Rows []float32
	Dim  int
	// Class is the label of each release, of Classes.
	Class   []int
	Classes []string
	// Noise and Signal are 0 and 1 for vectors without noise. If Signal is about 0, the
	// second moment of the releases carries no information about that of the unit vectors.
	Noise, Signal float64
	// Residual is the mean squared length of r(x), the bias by a finite codebook, which does
	// not average out over equal texts. It is 0 for vectors without such a bias.
	Residual float64
	// LabelEpsilon is the loss of labels released by randomised response over the K
	// Classes: each stays with probability e^LabelEpsilon/(e^LabelEpsilon + K - 1), and
	// becomes each other class with equal probability. 0 means labels without noise.
	LabelEpsilon float64
}

func (v *Vectors) check() error {
	switch {
	case v.Dim < 1 || len(v.Rows) == 0 || len(v.Rows) != v.Dim*len(v.Class):
		return privacy.Bad("learn", "vectors", len(v.Rows), "the dimensions times the number of labels, which is at least 1")
	case len(v.Classes) < 2:
		return privacy.Bad("learn", "classes", len(v.Classes), "at least 2")
	case !(v.Noise >= 0) || math.IsInf(v.Noise, 1):
		return privacy.Bad("learn", "noise", v.Noise, "at least 0 and finite")
	case !(v.Residual >= 0) || math.IsInf(v.Residual, 1):
		return privacy.Bad("learn", "residual", v.Residual, "at least 0 and finite")
	case v.Residual > 0 && v.Dim < 2:
		return privacy.Bad("learn", "residual", v.Residual, "0 for vectors of one component")
	case math.IsNaN(v.Signal) || math.IsInf(v.Signal, 0) || v.Noise == 0 && v.Signal == 0:
		return privacy.Bad("learn", "signal", v.Signal, "finite, and not 0 without noise")
	}
	for _, x := range v.Rows {
		if x != x || math.IsInf(float64(x), 0) {
			return privacy.Bad("learn", "component", x, "finite")
		}
	}
	for _, c := range v.Class {
		if c < 0 || c >= len(v.Classes) {
			return privacy.Bad("learn", "class", c, "one of the classes")
		}
	}
	if v.LabelEpsilon != 0 {
		return privacy.CheckEpsilon("learn", v.LabelEpsilon)
	}
	return nil
}

// indicator returns an unbiased estimate of whether a text is of a class, from the
// class that was released.
func (v *Vectors) indicator(class, released int) float64 {
	same := 0.0
	if class == released {
		same = 1
	}
	if v.LabelEpsilon == 0 {
		return same
	}
	// E same = (1 + (e^epsilon - 1) 1[is of the class])/(e^epsilon + K - 1). Divided by
	// e^epsilon - 1, which may overflow.
	far := 1 / math.Expm1(v.LabelEpsilon)
	return same*(1+float64(len(v.Classes))*far) - far
}

// Mean is the mean unit vector of a class, estimated from releases.
type Mean struct {
	Class string `json:"class"`
	// Share is the estimated fraction of texts that are of the class.
	Share float64 `json:"share"`
	// Mean has the estimate of each component; Low and High are the ends of its interval.
	Mean []float64 `json:"mean"`
	Low  []float64 `json:"low"`
	High []float64 `json:"high"`
}

// bias bounds the variance over codebooks of each component of the mean r(x) of a class, of
// whichever texts it consists: see the note of privunit.
func (v *Vectors) bias() float64 {
	if v.Residual == 0 {
		return 0
	}
	return v.Residual / float64(v.Dim-1)
}

// Means returns the mean unit vector of the texts of each class, with a 95 % interval for each
// component by the normal approximation. Its variance is that of a ratio of means over the
// releases, or that of the noise where it is larger: of a few releases the first says little.
// More texts make both as small as they like, but not that of the codebook's bias, which is
// added.
func (v *Vectors) Means() ([]Mean, error) {
	if err := v.check(); err != nil {
		return nil, err
	}
	const quantile = 1.959963984540054 // of 0.975
	n := float64(len(v.Class))
	means := make([]Mean, len(v.Classes))
	for c, name := range v.Classes {
		m := Mean{Class: name, Mean: make([]float64, v.Dim), Low: make([]float64, v.Dim), High: make([]float64, v.Dim)}
		for i, released := range v.Class {
			w := v.indicator(c, released)
			m.Share += w / n
			for k, x := range v.row(i) {
				m.Mean[k] += w * float64(x) / n
			}
		}
		squares, weights := make([]float64, v.Dim), 0.0
		for k := range m.Mean {
			m.Mean[k] /= m.Share
		}
		for i, released := range v.Class {
			w := v.indicator(c, released)
			weights += w * w / n
			for k, x := range v.row(i) {
				e := w * (float64(x) - m.Mean[k]) / m.Share
				squares[k] += e * e / n
			}
		}
		for k, square := range squares {
			// Deviations from an estimated mean are too small, of a single release 0.
			releases, each := square/n, weights/n/(m.Share*m.Share)
			if each < 1 {
				releases /= 1 - each
			}
			half := quantile * math.Sqrt(max(releases, each*v.noiseAt(m.Mean[k]))+v.bias())
			m.Low[k], m.High[k] = m.Mean[k]-half, m.Mean[k]+half
		}
		// A class whose estimated share is zero or below has no mean.
		if !(m.Share > 0) {
			m.Share, m.Mean, m.Low, m.High = max(0, m.Share), nil, nil, nil
		}
		means[c] = m
	}
	return means, nil
}

// noiseAt returns the variance of a component of a release, given that of its unit vector.
func (v *Vectors) noiseAt(component float64) float64 {
	return v.Noise + max(0, v.Signal-1)*min(1, component*component)
}

func (v *Vectors) row(i int) []float32 { return v.Rows[i*v.Dim : (i+1)*v.Dim] }

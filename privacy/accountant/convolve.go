package accountant

import (
	"fmt"
	"math"

	"github.com/sotto-dp/sotto/privacy"
	"gonum.org/v1/gonum/dsp/fourier"
)

// convolution is the distribution of a sum of losses, tilted: mass[i] is the
// probability under P of the loss (lowest+i) step, times e^(tilt loss - scale).
// Tilting towards where a figure is read keeps its relative error small even
// for tiny figures.
type convolution struct {
	step        float64
	lowest      int
	mass        []float64
	tilt, scale float64
	noise       float64 // bounds the l2 norm of the error of mass
	beyond      float64 // bounds the mass, not tilted, of losses above the window
	infinite    float64
	uses        float64
}

// mostWindow bounds the window of a convolution.
const mostWindow = 1 << 23

// convolve adds up the losses of all parts by a Fourier transform over a window
// that holds all but about 1e-13 of the tilted mass. Mass below the window
// wraps around into it, which can only increase a figure. Mass above it is
// bounded by Chernoff and counted in full.
func convolve(parts []part, tilt float64) (*convolution, error) {
	c := &convolution{step: parts[0].losses.step, tilt: tilt, infinite: infinite(parts)}
	tilted, all := c.tiltAll(parts)
	size, err := c.window(parts, all)
	if err != nil {
		return nil, err
	}
	c.transform(parts, tilted, size)
	return c, nil
}

// summed describes the sum of all tilted losses, lowest and highest in steps.
type summed struct{ variance, lowest, highest float64 }

// tiltAll returns the tilted masses of each part, and adds their scale up.
func (c *convolution) tiltAll(parts []part) (tilted [][]float64, all summed) {
	tilted = make([][]float64, len(parts))
	for k, p := range parts {
		n := float64(p.uses)
		c.uses += n
		log := p.losses.logMoment(c.tilt)
		c.scale += n * log
		tilted[k] = make([]float64, len(p.losses.mass))
		first, second := 0.0, 0.0
		for i, m := range p.losses.mass {
			loss := float64(p.losses.lowest+i) * c.step
			tilted[k][i] = m * math.Exp(c.tilt*loss-log)
			first += loss * tilted[k][i]
		}
		for i, m := range tilted[k] {
			d := float64(p.losses.lowest+i)*c.step - first
			second += d * d * m
		}
		all.variance += n * second
		all.lowest += n * float64(p.losses.lowest)
		all.highest += n * float64(p.losses.lowest+len(p.losses.mass)-1)
	}
	return tilted, all
}

// window chooses where the convolution begins and returns its size. It bounds the
// tails of the tilted sum by Chernoff at several exponents.
func (c *convolution) window(parts []part, all summed) (size int, err error) {
	const rare = 30 // nats
	spread := math.Sqrt(all.variance) + c.step
	low, high := all.lowest*c.step, all.highest*c.step
	exponents := []float64{0.5, 1, 2, 4, 7, 11, 18, 30, 60}
	moments := make([]float64, len(exponents))
	for i, e := range exponents {
		t := e / spread
		moments[i] = logMoment(parts, c.tilt+t)
		high = min(high, (moments[i]-c.scale+rare)/t)
		low = max(low, (c.scale-logMoment(parts, c.tilt-t)-rare)/t)
	}
	c.lowest = int(math.Floor(low/c.step)) - 1
	width := math.Ceil(high/c.step) - float64(c.lowest) + 2
	if !(width <= mostWindow) {
		return 0, privacy.Bad("accountant", "step", c.step, fmt.Sprintf("at least %.3g: the sum spans %.3g nats", c.step*width/mostWindow, c.step*width))
	}
	size = 8
	for float64(size) < width {
		size *= 2
	}
	if top := c.lowest + size; float64(top) <= all.highest {
		log := math.Inf(1)
		for i, e := range exponents {
			log = min(log, moments[i]-(c.tilt+e/spread)*float64(top)*c.step)
		}
		c.beyond = math.Exp(log) * (1 + 1e-3) // the moments are rounded
	}
	return size, nil
}

// transform fills in the masses: the transform of each part to the power of its
// uses, all multiplied.
func (c *convolution) transform(parts []part, tilted [][]float64, size int) {
	fft := fourier.NewFFT(size)
	var product []complex128
	norms := 0.0 // of the parts, each counted once per use
	for k, p := range parts {
		folded := make([]float64, size)
		for i, m := range tilted[k] {
			folded[mod(p.losses.lowest+i, size)] += m
		}
		norms += float64(p.uses) * norm(folded)
		transform := fft.Coefficients(nil, folded)
		for i, x := range transform {
			transform[i] = power(x, p.uses)
			if product != nil {
				transform[i] *= product[i]
			}
		}
		product = transform
	}
	folded := fft.Sequence(nil, product)
	c.mass = make([]float64, size)
	for j := range c.mass {
		c.mass[j] = folded[mod(c.lowest+j, size)] / float64(size)
	}
	// A transform of length N errs by less than 16 log2(N) 2^-53 of the norm (Higham
	// 2002, Theorem 24.2, has about half that); no coefficient exceeds 1, so n
	// factors err by at most n times as much; the powers round relative to themselves.
	c.noise = 0x1p-53 * (16*math.Log2(float64(size)) + 8) * (norms + (c.uses+1)*norm(c.mass))
}

// delta bounds the delta at epsilon, rounded up; it is 1 below the window.
func (c *convolution) delta(epsilon float64) float64 {
	if epsilon < c.loss(0) {
		return 1
	}
	// Weights are relative to that at epsilon, so that their squares do not underflow.
	sum, squares, at := 0.0, 0.0, math.Exp(c.scale-c.tilt*epsilon)
	for j := max(0, int(math.Floor(epsilon/c.step))-c.lowest); j < len(c.mass); j++ {
		over := excess(c.lowest+j, c.step, epsilon)
		if over <= 0 {
			continue
		}
		if math.IsInf(at, 1) {
			return 1 // this tilt bounds nothing at epsilon
		}
		w := math.Exp(-c.tilt*over) * -math.Expm1(-over)
		sum += w * max(0, c.mass[j])
		squares += w * w
	}
	slack := (math.Abs(c.scale) + c.tilt*c.loss(len(c.mass)) + float64(len(c.mass)) + 64*c.uses) * 0x1p-50
	finite := at * (sum + c.noise*math.Sqrt(squares)) * (1 + slack)
	if squares == 0 {
		finite = 0 // no mass is above epsilon
	}
	return min(1, finite+c.beyond+c.infinite+math.SmallestNonzeroFloat64)
}

func (c *convolution) loss(j int) float64 { return float64(c.lowest+j) * c.step }

// epsilon bounds the epsilon at delta, rounded up; +Inf where none is found.
func (c *convolution) epsilon(delta float64) float64 {
	// Near a point of the grid, from sums over all points above it.
	above, ratio := make([]float64, len(c.mass)+1), make([]float64, len(c.mass)+1)
	for j := len(c.mass) - 1; j >= 0; j-- {
		p := math.Exp(c.scale-c.tilt*c.loss(j)) * max(0, c.mass[j])
		above[j] = above[j+1] + p
		ratio[j] = ratio[j+1] + p*math.Exp(-c.loss(j))
	}
	near := leastEpsilon(delta, func(e float64) float64 {
		j := min(max(0, int(math.Floor(e/c.step))+1-c.lowest), len(c.mass))
		if d := above[j] - math.Exp(e)*ratio[j] + c.beyond + c.infinite; d < 1 {
			return d
		}
		return 1 // NaN included
	})
	// Then outward until the bound itself holds.
	for grow := 1e-13; near < 1<<40; grow *= 4 {
		if c.delta(near) <= delta {
			return near
		}
		near += grow * (near + c.step)
	}
	return math.Inf(1)
}

func mod(i, n int) int { return ((i % n) + n) % n }

func norm(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x * x
	}
	return math.Sqrt(sum)
}

// power returns x^n by squaring.
func power(x complex128, n int) complex128 {
	result := complex(1, 0)
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			result *= x
		}
		x *= x
	}
	return result
}

// deltaOf bounds the delta at epsilon of all parts together, rounded up.
func deltaOf(epsilon float64, parts ...part) (float64, error) {
	if !(epsilon >= 0) || math.IsInf(epsilon, 0) {
		return 1, privacy.Bad("accountant", "epsilon", epsilon, "0 or more and finite")
	}
	if err := checkParts(parts); err != nil {
		return 1, err
	}
	total, err := convolve(parts, tiltFor(parts, epsilon))
	if err != nil {
		return 1, err
	}
	return total.delta(epsilon), nil
}

// epsilonOf bounds the epsilon at delta of all parts together, rounded up; +Inf
// where nothing holds.
func epsilonOf(delta float64, parts ...part) (float64, error) {
	if !(delta >= 0 && delta < 1) {
		return math.Inf(1), privacy.Bad("accountant", "delta", delta, "in [0, 1)")
	}
	if err := checkParts(parts); err != nil {
		return math.Inf(1), err
	}
	finite := delta - infinite(parts)
	if finite < 0 {
		return math.Inf(1), nil
	}
	finite = max(finite, 1e-300)
	// Begin without a tilt, which is tight for large deltas, and where
	// Chernoff's bound is least, which is tight for small ones; continue from
	// the best.
	best := math.Inf(1)
	chernoff := least(parts, func(t float64) float64 { return (logMoment(parts, t) - math.Log(finite)) / t })
	for _, tilt := range []float64{0, chernoff} {
		for range 3 {
			total, err := convolve(parts, tilt)
			if err != nil {
				return math.Inf(1), err
			}
			e := total.epsilon(delta)
			if !(e < best*(1-1e-9)) {
				break
			}
			best, tilt = e, tiltFor(parts, e)
		}
	}
	return best, nil
}

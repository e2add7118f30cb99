package accountant

import (
	"fmt"
	"math"

	"github.com/sotto-dp/sotto/privacy"
)

// part is a number of independent uses with the same loss distribution.
type part struct {
	losses *Losses
	uses   int
}

// tiltFor returns the tilt under which the sum of the losses is epsilon on average, at
// which Chernoff's bound for epsilon is least.
func tiltFor(parts []part, epsilon float64) float64 {
	return least(parts, func(t float64) float64 { return logMoment(parts, t) - t*epsilon })
}

func checkParts(parts []part) error {
	if len(parts) == 0 {
		return privacy.Bad("accountant", "parts", 0, "at least 1")
	}
	for _, p := range parts {
		if err := checkUses(p.uses); err != nil {
			return err
		}
		if p.losses.step != parts[0].losses.step {
			return privacy.Bad("accountant", "step", p.losses.step, fmt.Sprintf("that of the other uses, %g", parts[0].losses.step))
		}
	}
	return nil
}

// infinite returns the probability that some use has an output that only one of the inputs can give.
func infinite(parts []part) float64 {
	log := 0.0
	for _, p := range parts {
		log += float64(p.uses) * math.Log1p(-p.losses.infinite)
	}
	return -math.Expm1(log) * (1 + 0x1p-40)
}

// logMoment returns ln E e^(t loss) of the sum, over the finite losses under P.
func logMoment(parts []part, t float64) float64 {
	sum := 0.0
	for _, p := range parts {
		sum += float64(p.uses) * p.losses.logMoment(t)
	}
	return sum
}

func (l *Losses) logMoment(t float64) float64 {
	// By Horner from the end where the terms are small.
	ratio, sum := math.Exp(-math.Abs(t)*l.step), 0.0
	end := l.lowest
	if t >= 0 {
		end += len(l.mass) - 1
		for _, m := range l.mass {
			sum = sum*ratio + m
		}
	} else {
		for i := len(l.mass) - 1; i >= 0; i-- {
			sum = sum*ratio + l.mass[i]
		}
	}
	return math.Log(sum) + t*l.step*float64(end)
}

// least returns approximately where a function of the tilt with one minimum is
// least. A tilt that separates neighbouring points by more than e^32 would leave
// only one of them.
func least(parts []part, f func(float64) float64) float64 {
	const golden = 0.6180339887498949
	a, b := -20.0, math.Log2(32/parts[0].losses.step) // of the logarithm to the base 2
	x, y := b-golden*(b-a), a+golden*(b-a)
	fx, fy := f(math.Exp2(x)), f(math.Exp2(y))
	for b-a > 0.05 {
		if fx <= fy || math.IsNaN(fy) {
			b, y, fy = y, x, fx
			x = b - golden*(b-a)
			fx = f(math.Exp2(x))
		} else {
			a, x, fx = x, y, fy
			y = a + golden*(b-a)
			fy = f(math.Exp2(y))
		}
	}
	return math.Exp2((a + b) / 2)
}

func checkUses(n int) error {
	if n < 1 {
		return privacy.Bad("accountant", "uses", n, "at least 1")
	}
	return nil
}

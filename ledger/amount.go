package ledger

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"regexp"
	"strings"

	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/privacy/accountant"
)

// Digits after the point of the two counted units. A billionth of epsilon is
// far below any loss that matters. Deltas are useful from about 1e-6 down to
// 2^-40, so a unit of 1e-18 keeps six digits of the smallest, and a whole 1
// still fits an int64 nine times over.
const (
	epsilonDigits = 9
	deltaDigits   = 18
)

// Amount is a privacy loss, or a limit on one, as two whole numbers. Sums of
// amounts are exact.
type Amount struct {
	Epsilon int64 // in units of 1e-9
	Delta   int64 // in units of 1e-18
}

// Cost returns the cost of drawing n units under a claim: n times epsilon and n
// times delta (basic composition; Dwork and Roth, The Algorithmic Foundations
// of Differential Privacy, Theorem 3.16), each exact product rounded up to the
// next whole unit. It refuses a claim without a finite epsilon and a product
// that cannot be counted.
func Cost(claim privacy.Claim, n int64) (Amount, error) {
	if n < 0 {
		return Amount{}, privacy.Bad("ledger", "number of draws", n, "0 or more")
	}
	if claim.Unit.Conditional() {
		return Amount{}, privacy.Wrong("ledger", "unit", fmt.Sprintf("a loss per %s does not bound that of a text: what is outside the marks is copied", claim.Unit), "choose a unit that does")
	}
	if !(claim.Epsilon >= 0) || math.IsInf(claim.Epsilon, 0) {
		return Amount{}, privacy.Bad("ledger", "epsilon", claim.Epsilon, "0 or more and finite")
	}
	if !(claim.Delta >= 0 && claim.Delta < 1) {
		return Amount{}, privacy.Bad("ledger", "delta", claim.Delta, "in [0, 1)")
	}
	epsilon, fits := roundUp(claim.Epsilon, n, epsilonDigits)
	if !fits {
		return Amount{}, privacy.Bad("ledger", "epsilon of all draws", claim.Epsilon*float64(n), "less than 2^63 billionths")
	}
	delta, fits := roundUp(claim.Delta, n, deltaDigits)
	if !fits {
		return Amount{}, privacy.Bad("ledger", "delta of all draws", claim.Delta*float64(n), "less than 1")
	}
	return Amount{epsilon, delta}, nil
}

// roundUp returns the least whole number not below value * n * 10^digits.
func roundUp(value float64, n int64, digits int) (int64, bool) {
	exact := new(big.Rat).SetFloat64(value)
	up := ceiling(exact.Mul(exact, new(big.Rat).SetInt(scaled(n, digits))))
	return up.Int64(), up.IsInt64()
}

// ceiling returns the least whole number not below a number of 0 or more.
func ceiling(exact *big.Rat) *big.Int {
	up := new(big.Int).Add(exact.Num(), exact.Denom())
	return up.Sub(up, big.NewInt(1)).Div(up, exact.Denom())
}

func scaled(n int64, digits int) *big.Int {
	return new(big.Int).Mul(big.NewInt(n), new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(digits)), nil))
}

// The exponent has two digits at most: an exact number of a billion digits is
// never made.
var decimal = regexp.MustCompile(`^[+-]?([0-9]{1,30}(\.[0-9]{0,30})?|\.[0-9]{1,30})([eE][+-]?[0-9]{1,2})?$`)

// ParseLimit reads a limit from two decimal numbers, exactly, and rounds down
// to whole units, so that a grant of 0.1 is never more. An empty delta is 0. A
// negative number lowers a limit.
func ParseLimit(epsilon, delta string) (Amount, error) {
	if delta == "" {
		delta = "0"
	}
	e, ok := roundDown(epsilon, epsilonDigits)
	if !ok {
		return Amount{}, privacy.Bad("ledger", "epsilon", shown(epsilon), "a decimal number below 2^63 billionths")
	}
	d, ok := roundDown(delta, deltaDigits)
	if limit := scaled(1, deltaDigits).Int64(); !ok || d >= limit || d <= -limit {
		return Amount{}, privacy.Bad("ledger", "delta", shown(delta), "a decimal number below 1")
	}
	return Amount{e, d}, nil
}

// shown shortens typed text that is too long to be a number.
func shown(s string) string {
	if len(s) > 40 {
		return "too long"
	}
	return s
}

func roundDown(s string, digits int) (int64, bool) {
	if !decimal.MatchString(s) {
		return 0, false
	}
	exact, ok := new(big.Rat).SetString(s)
	if !ok {
		return 0, false
	}
	exact.Mul(exact, new(big.Rat).SetInt(scaled(1, digits)))
	down := new(big.Int).Div(exact.Num(), exact.Denom()) // the denominator is positive: towards -infinity
	return down.Int64(), down.IsInt64()
}

// Plus returns the sum, or false where it cannot be counted.
func (a Amount) Plus(b Amount) (Amount, bool) {
	sum := Amount{a.Epsilon + b.Epsilon, a.Delta + b.Delta}
	return sum, (sum.Epsilon >= a.Epsilon) == (b.Epsilon >= 0) && (sum.Delta >= a.Delta) == (b.Delta >= 0)
}

// replaced returns the loss under privacy.Replace of one under privacy.AddRemove,
// rounded up, or false where it cannot be counted. A delta is at most 1.
func (a Amount) replaced() (Amount, bool) {
	sum, fits := a.Plus(Amount{Epsilon: a.Epsilon})
	if a.Delta == 0 {
		return sum, fits
	}
	most := scaled(1, deltaDigits).Int64()
	sum.Delta = most
	epsilon := math.Nextafter(math.Nextafter(float64(a.Epsilon), math.Inf(1))/1e9, math.Inf(1))
	if factor := accountant.DeltaFactor(epsilon); !math.IsInf(factor, 1) {
		exact := new(big.Rat).SetFloat64(factor)
		if delta := ceiling(exact.Mul(exact, new(big.Rat).SetInt64(a.Delta))); delta.IsInt64() {
			sum.Delta = min(most, delta.Int64())
		}
	}
	return sum, fits
}

func (a Amount) negative() bool { return a.Epsilon < 0 || a.Delta < 0 }

// within reports whether a is at most b in both parts.
func (a Amount) within(b Amount) bool { return a.Epsilon <= b.Epsilon && a.Delta <= b.Delta }

// minus returns what is left of a limit, at least 0 in each part.
func (a Amount) minus(spent Amount) Amount {
	left := func(limit, spent int64) int64 { // both are 0 or more: no overflow
		return max(limit-spent, 0)
	}
	return Amount{left(a.Epsilon, spent.Epsilon), left(a.Delta, spent.Delta)}
}

// String returns the exact amount: "epsilon 1.5" or "epsilon 1.5, delta 0.000001".
func (a Amount) String() string {
	s := "epsilon " + point(a.Epsilon, epsilonDigits)
	if a.Delta != 0 {
		s += ", delta " + point(a.Delta, deltaDigits)
	}
	return s
}

// EpsilonText returns epsilon as an exact decimal number.
func (a Amount) EpsilonText() string { return point(a.Epsilon, epsilonDigits) }

// DeltaText returns delta as an exact decimal number.
func (a Amount) DeltaText() string { return point(a.Delta, deltaDigits) }

// MarshalJSON writes {"epsilon":1.5,"delta":0.000001}, exact decimal numbers.
func (a Amount) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Epsilon json.Number `json:"epsilon"`
		Delta   json.Number `json:"delta"`
	}{json.Number(a.EpsilonText()), json.Number(a.DeltaText())})
}

// point writes v * 10^-digits as a plain decimal number.
func point(v int64, digits int) string {
	text := big.NewInt(v).String()
	sign := ""
	if v < 0 {
		sign, text = "-", text[1:]
	}
	if short := digits + 1 - len(text); short > 0 {
		text = strings.Repeat("0", short) + text
	}
	whole, part := text[:len(text)-digits], strings.TrimRight(text[len(text)-digits:], "0")
	if part == "" {
		return sign + whole
	}
	return sign + whole + "." + part
}

package username

import (
	"math/big"
	"math/rand/v2"
	"strconv"
	"testing"
)

func TestNumbersHaveOneSpelling(t *testing.T) {
	for in, want := range map[string]string{
		"1": "1", "1.0": "1", "1e0": "1", "10E-1": "1", "100": "100", "1e2": "100", "1.50": "1.5", "-0": "0", "-0.0": "0", "0e5": "0",
		"0.05": "0.05", "5e-2": "0.05", "-1.20e1": "-12", "9007199254740993.0": "9007199254740993", "1e99": "1e99", "10e98": "1e99",
		"1e999999999999999999999": beyond, "-10E+1000001": beyond, "10e1000000": beyond, "1e1000001": beyond, "100e999999": beyond, "0.1e-1000000": beyond, "1e-1000001": beyond, "10e999999": "1e1000000", "1e1000000": "1e1000000", "0.00e999999999999999999999": "0", "-0e-9999999": "0", "1e-99": "1e-99",
		"": Other, "peter": "peter", "007": "007", "1.": "1.", ".5": ".5", "+1.0": "+1.0", "1.0 ": "1", "1 .0": "1 .0", "0x1e0": "0x1e0", "1e": "1e", "-": "-", "1e0e0": "1e0e0",
	} {
		if got := Of(in); got != want {
			t.Errorf("%s is written %s, want %s", in, got, want)
		}
	}
}

// Two spellings are one exactly if the numbers are equal.
func TestSpellingsAreThoseOfNumbers(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	spell := func() string {
		s := strconv.Itoa(rng.IntN(30))
		if rng.IntN(2) == 0 {
			s += "." + strconv.Itoa(rng.IntN(120))
		}
		if rng.IntN(2) == 0 {
			s += "e" + strconv.Itoa(rng.IntN(9)-4)
		}
		if rng.IntN(4) == 0 {
			s = "-" + s
		}
		return s
	}
	equal := 0
	for range 200_000 {
		a, b := spell(), spell()
		x, _ := new(big.Rat).SetString(a)
		y, _ := new(big.Rat).SetString(b)
		same := x.Cmp(y) == 0
		if same {
			equal++
		}
		if (Of(a) == Of(b)) != same {
			t.Fatalf("%s and %s: %s and %s", a, b, Of(a), Of(b))
		}
	}
	if equal < 200 {
		t.Errorf("only %d pairs are equal", equal)
	}
}

package ledger

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/privacy/accountant"
	"pgregory.net/rapid"
)

// exactly returns value * n * 10^digits.
func exactly(value float64, n int64, digits int) *big.Rat {
	r := new(big.Rat).SetFloat64(value)
	return r.Mul(r, new(big.Rat).SetInt(scaled(n, digits)))
}

func positive(t *rapid.T, name string) float64 {
	return math.Ldexp(rapid.Float64Range(0.5, 1).Draw(t, name), rapid.IntRange(-80, 20).Draw(t, name+" exponent"))
}

// undercounts reports whether counted is less than the exact cost, or a whole unit more.
func undercounts(counted int64, value float64, n int64, digits int) bool {
	excess := new(big.Rat).SetInt64(counted)
	excess.Sub(excess, exactly(value, n, digits))
	return excess.Sign() < 0 || excess.Cmp(big.NewRat(1, 1)) >= 0
}

func TestCostIsTheExactLossRoundedUpByLessThanAUnit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		claim := privacy.Claim{Epsilon: positive(t, "epsilon"), Delta: min(positive(t, "delta"), 1e-3)}
		n := rapid.Int64Range(0, 1000).Draw(t, "n")
		cost, err := Cost(claim, n)
		if err != nil {
			t.Fatal(err)
		}
		if undercounts(cost.Epsilon, claim.Epsilon, n, epsilonDigits) || undercounts(cost.Delta, claim.Delta, n, deltaDigits) {
			t.Fatalf("%d draws at %g, %g cost %v", n, claim.Epsilon, claim.Delta, cost)
		}
	})
}

// The same test refutes naive floating-point arithmetic.
func TestFloatArithmeticUndercounts(t *testing.T) {
	found := false
	for n := int64(1); n < 1000 && !found; n++ {
		found = undercounts(int64(math.Ceil(0.3*float64(n)*1e9)), 0.3, n, epsilonDigits) ||
			undercounts(int64(math.Ceil(0.1*float64(n)*1e9)), 0.1, n, epsilonDigits)
	}
	if !found {
		t.Error("the check finds no fault in float arithmetic: it is too weak")
	}
}

func TestSumsNeverUndercount(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := Amount{rapid.Int64Range(0, 1e12).Draw(t, "limit"), 0}
		a := Account{Name: "a", Limits: []Limit{{Granted: limit}}}
		exact := new(big.Rat)
		for range rapid.IntRange(1, 30).Draw(t, "charges") {
			epsilon := positive(t, "epsilon")
			n := rapid.Int64Range(0, 50).Draw(t, "n")
			cost, err := Cost(privacy.Claim{Epsilon: epsilon}, n)
			if err != nil {
				t.Fatal(err)
			}
			if a.charge(cost, accountant.Party{}, time.Unix(0, 0)) == nil {
				exact.Add(exact, exactly(epsilon, n, epsilonDigits))
			}
		}
		if exact.Cmp(new(big.Rat).SetInt64(limit.Epsilon)) > 0 {
			t.Fatalf("%s units spent of %d", exact.FloatString(3), limit.Epsilon)
		}
	})
}

func TestCostRefusesWhatCannotBeCounted(t *testing.T) {
	var parameter *privacy.ParameterError
	for _, c := range []struct {
		epsilon, delta float64
		n              int64
	}{
		{math.Inf(1), 0, 1}, {math.NaN(), 0, 1}, {-1, 0, 1}, {1, -1e-9, 1}, {1, 1, 1}, {1, math.NaN(), 1}, {1, 0, -1},
		{1e10, 0, 1}, {1, 0, math.MaxInt64}, {9.3e9, 0, 1}, {math.MaxFloat64, 0, math.MaxInt64}, {1, 0.5, 1000},
	} {
		cost, err := Cost(privacy.Claim{Epsilon: c.epsilon, Delta: c.delta}, c.n)
		if !errors.As(err, &parameter) {
			t.Errorf("%+v costs %v (%v), want a refusal", c, cost, err)
		}
	}
	if cost, err := Cost(privacy.Claim{Epsilon: 5e-324, Delta: 5e-324}, 1); err != nil || cost != (Amount{1, 1}) {
		t.Errorf("the smallest loss costs %v (%v), want one unit of each", cost, err)
	}
}

func TestOnlyMetricClaimsAreBoundToATable(t *testing.T) {
	for notion, want := range map[privacy.Notion]Basis{
		privacy.Pure: {}, privacy.Approximate: {},
		privacy.Metric: {"digest", "angular"}, privacy.MetricApproximate: {"digest", "angular"},
	} {
		if got := BasisOf(privacy.Claim{Notion: notion, Distance: "angular"}, "digest"); got != want {
			t.Errorf("a %s claim is counted in %v, want %v", notion, got, want)
		}
	}
}

func TestParseLimitRoundsDown(t *testing.T) {
	for _, c := range []struct {
		epsilon, delta string
		want           Amount
	}{
		{"0.1", "", Amount{100_000_000, 0}},
		{"0.1234567899", "1e-6", Amount{123_456_789, 1e12}},
		{"-0.1234567891", "-1.5e-18", Amount{-123_456_790, -2}},
		{"5", ".5", Amount{5e9, 5e17}},
		{"1e3", "0.999999999999999999999", Amount{1e12, 999_999_999_999_999_999}},
		{"9223372036.854775807", "0", Amount{math.MaxInt64, 0}},
	} {
		if got, err := ParseLimit(c.epsilon, c.delta); err != nil || got != c.want {
			t.Errorf("ParseLimit(%q, %q) = %v (%v), want %v", c.epsilon, c.delta, got, err, c.want)
		}
	}
	for _, s := range []string{"", " 1", "1/3", "0x10", "inf", "NaN", "1e", "1_000", "1e999999999", "9223372036.854775808", strings.Repeat("9", 400)} {
		if got, err := ParseLimit(s, ""); err == nil {
			t.Errorf("ParseLimit(%q) = %v, want a refusal", s, got)
		}
	}
	for _, s := range []string{"1", "-1", "2", "1e-999"} {
		if got, err := ParseLimit("1", s); err == nil {
			t.Errorf("ParseLimit(1, %q) = %v, want a refusal", s, got)
		}
	}
}

func TestAmountsAreWrittenExactly(t *testing.T) {
	for _, c := range []struct {
		amount       Amount
		text, asJSON string
	}{
		{Amount{1_500_000_000, 0}, "epsilon 1.5", `{"epsilon":1.5,"delta":0}`},
		{Amount{-1, 1}, "epsilon -0.000000001, delta 0.000000000000000001", `{"epsilon":-0.000000001,"delta":0.000000000000000001}`},
		{Amount{math.MaxInt64, math.MinInt64}, "epsilon 9223372036.854775807, delta -9.223372036854775808", `{"epsilon":9223372036.854775807,"delta":-9.223372036854775808}`},
	} {
		data, err := json.Marshal(c.amount)
		if c.amount.String() != c.text || string(data) != c.asJSON || err != nil {
			t.Errorf("%#v is %q and %s (%v), want %q and %s", c.amount, c.amount, data, err, c.text, c.asJSON)
		}
	}
}

func FuzzParseLimit(f *testing.F) {
	for _, s := range []string{"0.1", "-1e-9", "9223372036.854775807", "1e99"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		a, err := ParseLimit(s, "")
		if err != nil {
			return
		}
		// What is printed is what was read, at most a unit below.
		again, err := ParseLimit(a.EpsilonText(), "")
		if err != nil || again != a {
			t.Errorf("%q is %v, which reads as %v (%v)", s, a, again, err)
		}
	})
}

// An account of added records that is asked for a replaced one counts what it spent
// before twice, in what it has left too.
func TestAffordsIsWhatAChargeDoes(t *testing.T) {
	added := accountant.Party{Unit: privacy.Record, Neighbouring: privacy.AddRemove}
	replaced := accountant.Party{Unit: privacy.Record, Neighbouring: privacy.Replace}
	now := time.Unix(0, 0)
	account := Account{Name: "a", Limits: []Limit{{Granted: Amount{3e9, 0}}}}
	if err := account.charge(Amount{1e9, 0}, added, now); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		party    accountant.Party
		cost     int64
		left     int64
		suffices bool
	}{{replaced, 15e8, 1e9, false}, {replaced, 1e9, 1e9, true}, {added, 2e9, 2e9, true}, {added, 2e9 + 1, 2e9, false}} {
		left, err := account.Affords(Amount{c.cost, 0}, c.party, now)
		if left.Epsilon != c.left || (err == nil) != c.suffices || err != nil && !errors.As(err, new(*ExhaustedError)) {
			t.Errorf("%+v: %v are left (%v)", c, left, err)
		}
		copied := account
		if charged := copied.charge(Amount{c.cost, 0}, c.party, now); fmt.Sprint(charged) != fmt.Sprint(err) {
			t.Errorf("%+v: the charge: %v, not %v", c, charged, err)
		}
	}
	if account.Charges != 1 {
		t.Error("a question was charged")
	}
	var unit *UnitError
	if _, err := account.Affords(Amount{1, 0}, accountant.Party{Unit: privacy.Word}, now); !errors.As(err, &unit) {
		t.Errorf("words are paid for: %v", err)
	}
}

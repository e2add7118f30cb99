package sotto_test

import (
	"context"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/mechanism"
)

// A statement gives the source of its certificate: a given certificate is not called
// computed, whatever its file states, and holds only for programs of its channel format.
func TestStatementSaysWhereItsCertificateComesFrom(t *testing.T) {
	stage.Unraced(t)
	table := first(t, 200)
	open := func(c *audit.Certificate) (*sotto.Rewriter, error) {
		return sotto.Open(context.Background(), sotto.Config{Table: table, Mechanism: "tem", Epsilon: 2, Certificate: c})
	}
	r, err := open(nil)
	if err != nil {
		t.Fatal(err)
	}
	c := r.Statement(sotto.Counts{}).Certificate
	if c.Source != mechanism.Computed || c.ChannelFormat != mechanism.ChannelFormat {
		t.Fatalf("without a certificate it states %+v", c)
	}
	c.ProgramVersion = "another"
	if r, err = open(c); err != nil {
		t.Fatal(err)
	}
	if given := r.Statement(sotto.Counts{}).Certificate; given.Source != mechanism.Stated || c.Source != mechanism.Computed {
		t.Errorf("a certificate that was given is from %q, the file's own is %q", given.Source, c.Source)
	}
	believed := func(r *sotto.Rewriter) bool {
		return strings.Contains(strings.Join(r.Statement(sotto.Counts{}).NotProtected, "\n"), "maker of the file they were read from")
	}
	if first, err := open(nil); err != nil || believed(first) || !believed(r) {
		t.Errorf("what is not protected does not say which certificate was computed (%v)", err)
	}
	c.ChannelFormat++
	if _, err := open(c); err == nil || !strings.Contains(err.Error(), "channel format") {
		t.Errorf("a certificate of another channel format gives %v", err)
	}
	whole, err := sotto.Open(context.Background(), sotto.Config{Mechanism: "tem", Epsilon: 2})
	if err != nil {
		t.Fatal(err)
	}
	if c := whole.Statement(sotto.Counts{}).Certificate; c.Source != mechanism.Shipped {
		t.Errorf("over the embedded table it is from %q", c.Source)
	}
}

// The loss of a text follows from the pure figure of its certificate, which the claim of a
// metric member does not bound: a given certificate cannot state less than the mechanism
// computed.
func TestCertificateCannotUnderstateAKnownLoss(t *testing.T) {
	stage.Unraced(t)
	table := first(t, 200)
	cfg := sotto.Config{Table: table, Mechanism: "tem", Epsilon: 2}
	own, err := sotto.Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	for _, change := range []struct {
		of   func(*audit.Certificate)
		want string
	}{
		{func(*audit.Certificate) {}, ""},
		{func(c *audit.Certificate) { c.PureEpsilon.High *= 2 }, ""}, // a bound may be loose
		{func(c *audit.Certificate) { c.PureEpsilon = audit.Interval{} }, ""},
		{func(c *audit.Certificate) { c.PureEpsilon = audit.Interval{Low: 0.5, High: 0.5} }, "pure epsilon of 0.5"},
		{func(c *audit.Certificate) { c.MetricEpsilon = audit.Interval{Low: 0.5, High: 0.5} }, "metric epsilon of 0.5"},
	} {
		given := *own.Statement(sotto.Counts{}).Certificate
		change.of(&given)
		cfg.Certificate = &given
		r, err := sotto.Open(t.Context(), cfg)
		if change.want == "" && err != nil || change.want != "" && (err == nil || !strings.Contains(err.Error(), change.want)) {
			t.Errorf("pure %v, metric %v: %v, want %q", given.PureEpsilon, given.MetricEpsilon, err, change.want)
		}
		if err == nil && *r.Statement(sotto.Counts{Documents: 1, Tokens: 1, LongestTokens: 1}).DocumentEpsilonMax < own.Statement(sotto.Counts{}).Certificate.PureEpsilon.Low {
			t.Error("a text loses less than one word")
		}
	}
}

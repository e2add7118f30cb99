package statement

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/privacy"
)

// A report is opened with the parameters that it lists as given, then with every
// combination of the values that its mechanism may have chosen, fewer given values first:
// another version may have chosen them.
func TestCandidatesAreTheParametersThatMayHaveBeenGiven(t *testing.T) {
	parameters := func(text string) (all map[string]json.RawMessage) {
		if err := json.Unmarshal([]byte(text), &all); err != nil {
			t.Fatal(err)
		}
		return all
	}
	neighbours := parameters(`{"epsilon": 6, "neighbours": 40, "outputs": 150, "objective": "readable", "attack": 0.3, "bayes-success": 0.2}`)
	for _, c := range []struct {
		name   string
		report Reported
		want   []map[string]string
	}{
		{"new", Reported{Mechanism: "neighbours", Given: []string{"attack", "objective"}, Parameters: neighbours},
			[]map[string]string{{"attack": "0.3", "objective": "readable"},
				{"attack": "0.3", "objective": "readable", "neighbours": "40"}, {"attack": "0.3", "objective": "readable", "outputs": "150"},
				{"attack": "0.3", "objective": "readable", "neighbours": "40", "outputs": "150"}}},
		{"none given", Reported{Mechanism: "tem", Given: []string{}, Parameters: parameters(`{"epsilon": 3, "beta": 0.01, "gamma": 5, "t": 1}`)},
			[]map[string]string{{}, {"gamma": "5"}}},
		{"old", Reported{Mechanism: "tem", Parameters: parameters(`{"epsilon": 3, "beta": 0.01, "gamma": 5, "t": 1}`)},
			[]map[string]string{{"beta": "0.01"}, {"beta": "0.01", "gamma": "5"}}},
		{"old, three", Reported{Mechanism: "neighbours", Parameters: neighbours}, []map[string]string{
			{"objective": "readable"},
			{"objective": "readable", "neighbours": "40"}, {"objective": "readable", "attack": "0.3"}, {"objective": "readable", "outputs": "150"},
			{"objective": "readable", "neighbours": "40", "attack": "0.3"}, {"objective": "readable", "neighbours": "40", "outputs": "150"}, {"objective": "readable", "attack": "0.3", "outputs": "150"},
			{"objective": "readable", "neighbours": "40", "attack": "0.3", "outputs": "150"}}},
	} {
		entry, ok := catalog.Find(c.report.Mechanism)
		if !ok {
			t.Fatal(c.report.Mechanism)
		}
		if got := c.report.Candidates(entry); !slices.EqualFunc(got, c.want, maps.Equal) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestReportsThatContradictThemselvesAreFound(t *testing.T) {
	opened := privacy.Claim{Unit: privacy.Token, Neighbouring: privacy.Replace, Notion: privacy.Pure, Epsilon: 8}
	less := opened
	less.Epsilon = 2
	for _, c := range []struct {
		claim, opened privacy.Claim
		certified     float64
		says          string
	}{
		{opened, opened, 8, ""},
		{opened, opened, 0, ""}, // without a certificate
		{less, less, 8, "contradicts itself"},
		{less, opened, 0, "does not hold"},
		{opened, less, 8, "does not hold"},
	} {
		r := &Reported{Claim: c.claim}
		if c.certified > 0 {
			r.Certificate = &audit.Certificate{PureEpsilon: audit.Interval{Low: c.certified, High: c.certified}}
		}
		var reported *ReportedError
		switch err := r.Contradicts(c.opened); {
		case c.says == "" && err != nil:
			t.Errorf("%g, certified %g: %v", c.claim.Epsilon, c.certified, err)
		case c.says != "" && (!errors.As(err, &reported) || !strings.Contains(err.Error(), c.says)):
			t.Errorf("%g, certified %g: %v, want %q", c.claim.Epsilon, c.certified, err, c.says)
		}
	}
}

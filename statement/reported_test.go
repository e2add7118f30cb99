package statement

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"github.com/sotto-dp/sotto/mechanism/catalog"
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

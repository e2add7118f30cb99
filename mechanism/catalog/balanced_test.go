package catalog

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/sotto-dp/sotto/internal/refdata"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/internal/oracle"
)

func TestBalancedAgreesWithTheReference(t *testing.T) {
	stage.Needs(t, stage.Large) // compiles channels of 4,000 words
	data, err := os.ReadFile(refdata.Path(t, "oracles/balanced_reference.json"))
	if err != nil {
		t.Fatal(err)
	}
	var known struct {
		First4000 []struct {
			Eps      float64 `json:"metric_eps"`
			Balanced struct {
				Kept     float64 `json:"unchanged"`
				Distance float64 `json:"expected_distance"`
			} `json:"balanced"`
		} `json:"first_4000_words"`
	}
	if err := json.Unmarshal(data, &known); err != nil {
		t.Fatal(err)
	}
	if len(known.First4000) == 0 {
		t.Fatal("the reference holds no channels")
	}
	table := oracle.Glove(t, 4000)
	for _, want := range known.First4000 {
		if want.Eps < 1 || want.Eps > 2 {
			continue
		}
		m, err := newBalanced(t.Context(), table, mechanism.Spec{Epsilon: want.Eps})
		if err != nil {
			t.Fatal(err)
		}
		kept, moved := oracle.UseOf(m.(mechanism.Channel), table)
		t.Logf("eps %g: kept %.4f (%.4f), moved %.4f (%.4f), %+v", want.Eps, kept, want.Balanced.Kept, moved, want.Balanced.Distance, m.(mechanism.Certified).Loss())
		if kept < want.Balanced.Kept-0.01 {
			t.Errorf("at %g it keeps %g, want %g", want.Eps, kept, want.Balanced.Kept)
		}
		if moved > 1.02*want.Balanced.Distance {
			t.Errorf("at %g it moves words by %g, want %g", want.Eps, moved, want.Balanced.Distance)
		}
		if h := m.(mechanism.Certified).Loss().MetricHigh; h > want.Eps {
			t.Errorf("at %g it certifies %g", want.Eps, h)
		}
	}
}

package corpus

import (
	"context"
	"testing"

	"github.com/sotto-dp/sotto/internal/stage"
)

// Public samples of a field are most similar to its corpus, whatever its encoder, and texts
// of another language are similar to none of these.
func TestCompareFindsTheField(t *testing.T) {
	stage.Unraced(t)
	names := []string{EnglishName, "clinical", "reviews", "support"}
	similarity := func(samples ...string) map[string]float64 {
		t.Helper()
		var texts [][]byte
		for _, s := range samples {
			texts = append(texts, []byte(s))
		}
		all, err := Compare(context.Background(), names, texts)
		if err != nil || len(all) != len(names) {
			t.Fatal(all, err)
		}
		found := map[string]float64{"first": all[0].Similarity}
		for i, l := range all {
			if found[l.Name] = l.Similarity; i > 0 && l.Similarity > all[i-1].Similarity {
				t.Errorf("not sorted: %v", all)
			}
		}
		return found
	}
	for field, samples := range map[string][]string{
		"clinical": {"Chest clear on auscultation, afebrile, discharged on oral antibiotics.", "Patient complains of abdominal pain, no vomiting."},
		"support":  {"Where is my parcel? The tracking number has not changed for days.", "Please cancel my subscription and refund the last payment."},
		"reviews":  {"The staff were friendly and the food was great, we will be back.", "The plot was dull and the acting was wooden.", "The battery life of this phone is poor."},
	} {
		if s := similarity(samples...); s[field] != s["first"] {
			t.Errorf("%s: %v", field, s)
		}
	}
	if s := similarity("Das Paket wurde beschädigt geliefert und niemand antwortet.", ""); s["first"] > .3 {
		t.Errorf("German texts: %v", s)
	}
	if _, err := Compare(context.Background(), []string{"no such corpus"}, nil); err == nil {
		t.Error("a corpus that does not exist was compared")
	}
}

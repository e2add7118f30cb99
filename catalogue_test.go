package sotto_test

import (
	"strings"
	"testing"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/privacy"
)

func TestEveryRefutedMemberSaysWhatFailedAndWhy(t *testing.T) {
	refuted := 0
	for _, m := range sotto.Catalogue() {
		if m.Standing != privacy.Refuted {
			if m.Finding != nil {
				t.Errorf("%s is %s and has a finding", m.Name, m.Standing)
			}
			continue
		}
		refuted++
		whole := strings.Join(m.Finding, " ")
		if len(m.Finding) < 2 || !strings.HasPrefix(whole, "Published: ") || !strings.Contains(whole, "does not hold") {
			t.Errorf("%s: the finding must say what was published, that it does not hold, and why: %q", m.Name, m.Finding)
		}
	}
	if refuted == 0 {
		t.Error("no member is refuted: nothing was checked")
	}
}

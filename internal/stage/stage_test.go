package stage

import "testing"

func TestTestsRunInTheirStageAlone(t *testing.T) {
	for _, c := range []struct {
		stages string
		runs   bool
	}{{"", false}, {"kills", true}, {"figures,kills", true}, {"figures", false}, {"kill", false}, {Every, true}} {
		t.Setenv(Variable, c.stages)
		ran := false
		t.Run(c.stages, func(t *testing.T) {
			Needs(t, Kills)
			ran = true
		})
		if ran != c.runs || Runs(Kills) != c.runs {
			t.Errorf("%s=%q: ran is %v", Variable, c.stages, ran)
		}
	}
}

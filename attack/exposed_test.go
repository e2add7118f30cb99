package attack

import "testing"

func TestExposedWordsAreRankedByWhatIsSure(t *testing.T) {
	e := exposures{}
	for range 3 {
		e.add(7, true) // 3 of 3
	}
	for i := range 20 {
		e.add(5, i < 19) // 19 of 20: surer than 3 of 3
	}
	e.add(9, false)
	got := e.ranked()
	if len(got) != 3 || got[0].Word != 5 || got[1].Word != 7 || got[2].Word != 9 {
		t.Fatalf("%+v", got)
	}
	if s := got[0].Share; s.Of != 20 || s.Share != 0.95 || s.Low <= got[1].Share.Low {
		t.Errorf("19 of 20: %+v", *s)
	}
}

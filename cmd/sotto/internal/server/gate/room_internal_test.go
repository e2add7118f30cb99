package gate

import (
	"fmt"
	"testing"
)

// Whatever several keys take, each as much as it can, one more finds room.
func TestRoomIsLeftForOthers(t *testing.T) {
	for greedy := 1; greedy <= 6; greedy++ {
		r := newRoom(256, 256<<20)
		for i := range greedy {
			for taken := 0; ; taken++ {
				if taken > 1000 {
					t.Fatal("a key takes without end")
				}
				if r.enter(fmt.Sprint(i), false).take(1, 1<<20) != nil {
					break
				}
			}
		}
		if r.enter("other", false).take(1, 1<<20) != nil {
			t.Errorf("%d greedy keys leave nothing: %+v", greedy, r.free)
		}
	}
}

// A key alone has all, and what a request held is free when it ends.
func TestRoomIsGivenBack(t *testing.T) {
	r := newRoom(4, 1000)
	for range 3 {
		var stays []*stay
		for range 4 {
			s := r.enter("a", true)
			if err := s.take(1, 250); err != nil {
				t.Fatal(err)
			}
			stays = append(stays, s)
		}
		if last := r.enter("a", true); last.take(1, 0) == nil || last.take(0, 1) == nil {
			t.Error("more is given than there is")
		} else {
			last.leave()
		}
		for _, s := range stays {
			s.leave()
		}
		if r.free != (share{4, 1000}) || len(r.of) != 0 {
			t.Fatalf("%+v is free, of %d keys", r.free, len(r.of))
		}
		// The only request of a key may take all of it, a second one half of the rest.
		one, two := r.enter("a", false), (*stay)(nil)
		if one.take(1, 900) != nil {
			t.Error("a key's only request is held to a share")
		}
		if two = r.enter("a", false); two.take(1, 50) == nil || two.take(1, 0) != nil {
			t.Errorf("a second request is given %+v", two.share)
		}
		one.leave()
		two.leave()
	}
}

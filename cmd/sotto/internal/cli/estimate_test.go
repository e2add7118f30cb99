package cli

import (
	"testing"
	"time"
)

// An estimate comes when it can be made, does not grow, and goes when it is wrong.
func TestEstimatesDoNotGrow(t *testing.T) {
	begin := time.Unix(0, 0)
	e := estimate{begin: begin}
	for _, c := range []struct {
		second, done int
		left         int // -1 for none
	}{
		{1, 50, -1}, {3, 4, -1}, {5, 50, 5}, {6, 50, 5}, {7, 75, 2}, {8, 75, 2}, {20, 80, 2}, {60, 81, -1}, {61, 99, -1},
	} {
		left, ok := e.at(begin.Add(time.Duration(c.second)*time.Second), c.done, 100)
		if ok != (c.left >= 0) || ok && int(left.Seconds()) != c.left {
			t.Errorf("after %d s with %d done: %v, %v, want %d s", c.second, c.done, left, ok, c.left)
		}
	}
}

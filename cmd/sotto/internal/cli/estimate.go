package cli

import "time"

// estimate is how long a computation still takes. It never grows: a time that grew while
// somebody waits was not worth showing.
type estimate struct {
	begin time.Time
	left  time.Duration
	given bool // left was shown
	lost  bool // what was shown is wrong by far: nothing is shown any more
}

// An estimate is shown after this time and this part of the work.
const (
	leastElapsed = 2 * time.Second
	leastDone    = 20 // one in
)

// at returns the time that is left where this much is done.
func (e *estimate) at(now time.Time, done, total int) (left time.Duration, ok bool) {
	elapsed := now.Sub(e.begin)
	if e.lost || done <= 0 || done*leastDone < total || elapsed < leastElapsed {
		return 0, false
	}
	fresh := time.Duration(float64(elapsed) * float64(total-done) / float64(done))
	switch {
	case !e.given || fresh < e.left:
		e.left, e.given = fresh, true
	case fresh > 2*e.left+leastElapsed:
		e.lost = true
		return 0, false
	}
	return e.left, true
}

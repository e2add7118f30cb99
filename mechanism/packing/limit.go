package packing

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/sotto-dp/sotto/privacy"
)

// errTimeUp is the cause of a context that ends because Effort.Time is over.
var errTimeUp = errors.New("the time for compiling has ended")

// limit divides the time of a compilation between solves and what follows them.
// Its context stops all work at the end, so that no estimate has to be right.
type limit struct {
	total time.Duration // 0: no limit
	end   time.Time
	// tail is the longest time so far from the last sweep of a solve to a filled
	// or certified channel.
	tail    time.Duration
	stopped time.Time // the last sweep of the last solve
	late    bool      // the last solve stopped before its gap was reached
	wasLate bool      // some solve did
}

// newLimit returns a context that ends a little before total is over, unless total
// is 0: the blocks of work under way and the file take the rest.
func newLimit(ctx context.Context, total time.Duration) (context.Context, context.CancelFunc, *limit) {
	if total <= 0 {
		return ctx, func() {}, &limit{}
	}
	l := &limit{total: total, end: time.Now().Add(total - total/64)}
	ctx, cancel := context.WithDeadlineCause(ctx, l.end, errTimeUp)
	return ctx, cancel, l
}

// over reports whether err is that of ctx, which the end of the time ended.
func over(ctx context.Context, err error) bool {
	return errors.Is(err, context.DeadlineExceeded) && errors.Is(context.Cause(ctx), errTimeUp)
}

func (l *limit) set() bool { return l.total > 0 }

// reserved is kept for the steps after a solve: their longest time and a quarter.
func (l *limit) reserved() time.Duration { return l.tail + l.tail/4 }

// until returns when a solve has to stop if passes solves share the remaining
// time, or the zero time without a limit. Before a channel is complete, the steps
// after the solve may take half of what remains, and rows that cannot be filled
// may need another solve.
func (l *limit) until(passes int, complete bool) time.Time {
	if !l.set() {
		return time.Time{}
	}
	if !complete {
		passes = max(2, passes)
	}
	now := time.Now()
	return now.Add((l.end.Sub(now) - l.reserved()) / time.Duration(passes))
}

// room reports whether another solve and the steps after it fit.
func (l *limit) room() bool {
	return !l.set() || time.Until(l.end) > l.reserved()+l.tail/4
}

// solved records the end of a solve.
func (l *limit) solved(at time.Time, late bool) {
	l.stopped, l.late = at, late
	l.wasLate = l.wasLate || late
}

// followed records the end of a step after a solve.
func (l *limit) followed() { l.tail = max(l.tail, time.Since(l.stopped)) }

// explain returns err, or tooShort where the end of the time caused it.
func (l *limit) explain(ctx context.Context, who string, err error) error {
	if over(ctx, err) {
		return l.tooShort(who)
	}
	return err
}

// tooShort returns the error of a compilation whose time ends before any channel
// is complete.
func (l *limit) tooShort(who string) error {
	return privacy.Wrong(who, "time", fmt.Sprintf("no channel is complete after %v", l.total), fmt.Sprintf("try %v", 2*l.total))
}

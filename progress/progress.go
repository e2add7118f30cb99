// Package progress reports the progress of long computations.
package progress

import "sync"

// Report is the progress of one stage of a computation.
type Report struct {
	Stage       string // what is computed; empty where the caller knows
	Done, Total int
}

// Func receives reports, one at a time. The nil Func receives none.
type Func func(Report)

// At reports that done of total parts are done.
func (f Func) At(done, total int) {
	if f != nil {
		f(Report{Done: done, Total: total})
	}
}

// Stage returns a Func that gives its reports a stage and passes them to f. It is nil
// where f is nil.
func (f Func) Stage(stage string) Func {
	if f == nil {
		return nil
	}
	return func(r Report) {
		r.Stage = stage
		f(r)
	}
}

// Counter reports from many goroutines, one report at a time. The nil Counter reports
// nothing.
type Counter struct {
	mu          sync.Mutex
	done, total int
	report      Func
}

// Counter returns a counter up to total. It is nil where f is nil.
func (f Func) Counter(total int) *Counter {
	if f == nil {
		return nil
	}
	return &Counter{total: total, report: f}
}

// Add counts n more parts as done and reports the sum.
func (c *Counter) Add(n int) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.done += n
	c.report.At(c.done, c.total)
}

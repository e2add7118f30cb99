package cli

import "github.com/sotto-dp/sotto/progress"

// Job shows a long computation of several parts as one progress bar.
type Job struct {
	what         string
	show         progress.Func // nil if standard error is not a terminal
	parts, begun int
	shown        int
}

// partSteps is the number of steps of the bar per part.
const partSteps = 1000

func NewJob(term *Terminal, what string, parts int) *Job {
	return &Job{what: what, show: term.Progress(), parts: parts}
}

// Part starts the next part and returns its reporter. The stages of a part follow each
// other, and each moves the bar by half of what is left of the part.
func (j *Job) Part() progress.Func {
	from := j.begun * partSteps
	j.begun++
	if j.show == nil {
		return nil
	}
	j.to(from)
	last, begin := "", 0
	return func(r progress.Report) {
		if r.Stage != last {
			last, begin = r.Stage, max(from, j.shown)
		}
		left := from + partSteps - begin
		j.to(begin + left/2*min(r.Done, r.Total)/max(1, r.Total))
	}
}

// to moves the bar forward, never back.
func (j *Job) to(done int) {
	j.shown = max(j.shown, done)
	j.show(progress.Report{Stage: j.what, Done: j.shown, Total: j.parts * partSteps})
}

func (j *Job) End() {
	if j.show != nil {
		j.to(j.parts * partSteps)
	}
}

package main

// job is a long computation of many parts under one bar on a person's screen.
type job struct {
	what         string
	show         func(what string, done, total int) // nil where nobody watches
	parts, begun int
	shown        int
}

// partSteps is how finely one part moves the bar.
const partSteps = 1000

func newJob(term *terminal, what string, parts int) *job {
	return &job{what: what, show: term.progress(), parts: parts}
}

// part begins the next part and returns its reporter: its stages follow each
// other, each moving the bar by half of what is left of the part.
func (j *job) part() func(what string, done, total int) {
	from := j.begun * partSteps
	j.begun++
	if j.show == nil {
		return nil
	}
	j.to(from)
	last, begin := "", 0
	return func(what string, done, total int) {
		if what != last {
			last, begin = what, max(from, j.shown)
		}
		left := from + partSteps - begin
		j.to(begin + left/2*min(done, total)/max(1, total))
	}
}

// to moves the bar, never back.
func (j *job) to(done int) {
	j.shown = max(j.shown, done)
	j.show(j.what, j.shown, j.parts*partSteps)
}

func (j *job) end() {
	if j.show != nil {
		j.to(j.parts * partSteps)
	}
}

// reportPart tells a reporter, if there is one, of a single stage.
func reportPart(progress func(what string, done, total int), done, total int) {
	if progress != nil {
		progress("", done, total)
	}
}

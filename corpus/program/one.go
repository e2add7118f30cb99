package program

import "context"

// One makes the vector of one text at a time, on the grid of a corpus. It is for one
// goroutine.
type One struct {
	ctx     context.Context
	program *Program
	fail    context.CancelCauseFunc
	known   map[string][]int8
}

// mostKnown bounds the vectors that are kept of texts that occur again.
const mostKnown = 1 << 16

// One returns an encoder of single texts. If the program fails, it ends the context, with the
// error as its cause, and its vectors mean nothing; nor do they if [Program.Finish] fails.
func (p *Program) One(ctx context.Context, fail context.CancelCauseFunc) *One {
	return &One{ctx: ctx, program: p, fail: fail, known: map[string][]int8{}}
}

// Dim returns the number of components of a vector.
func (o *One) Dim() int { return o.program.Dim() }

// Encode appends the grid vector of a text to dst.
func (o *One) Encode(dst []int8, text []byte) []int8 {
	if v, ok := o.known[string(text)]; ok {
		return append(dst, v...)
	}
	v, err := o.program.single(o.ctx, text)
	if err != nil {
		o.fail(err)
		return append(dst, make([]int8, o.Dim())...)
	}
	if len(o.known) < mostKnown {
		o.known[string(text)] = v
	}
	return append(dst, v...)
}

// Package program gets vectors of texts from an encoder that is a program of the user's: a
// sentence encoder in any language, or a client of a service.
//
// The program writes one JSON line when it is ready:
//
//	{"dimensions": 512, "format": "json"}
//
// Then it reads lines, each a JSON array of texts, and answers each with a vector of every
// text, in their order: with the format json one line, an array of arrays of numbers; with
// the format float32 the components alone, little-endian, text after text. It ends when its
// input does. It may state "batch", the most texts of a line.
//
// The program sees the texts, which may be private. What it writes on its standard error
// after it is ready is dropped, and no error of this package has a part of a text or of an
// answer. What is kept of an answer is bounded by what the program stated, and how long one
// takes by Program.Wait.
package program

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"sync/atomic"
	"time"
)

// starts is how often a line is sent before the program has failed: it may die and is
// started again.
const starts = 2

// DefaultWait is how long the answer to a line may take where Wait is not set.
const DefaultWait = 5 * time.Minute

// mostComponents bounds the components of an answer, and so its memory: a line has no more
// texts than that.
const mostComponents = 1 << 20

// Program is an encoder. It reads one text at a time, as far as that can be checked. It is
// safe for concurrent use, and answers in turn.
type Program struct {
	// Wait is how long the answer to a line may take, also the first line of a program that
	// is started again; DefaultWait if 0. Set it before the first text.
	Wait time.Duration

	ctx     context.Context // ends the program
	command string
	hello   hello
	turn    chan struct{} // has the token of whoever asks
	process *process      // nil after it died
	checked bool
	short   int                    // the stretch of a program that died before the end of longer ones, else 0
	probes  [][]int8               // the vectors of public texts, which must stay the same
	next    int                    // the one that is asked for next
	open    []answered             // vectors that were given out since one was asked for
	probed  atomic.Pointer[string] // see corpus.Probes
}

// answered is a text whose vector was given out before a public text was asked for.
type answered struct {
	text   []byte
	vector []int8
}

// Start runs a command of the system's shell and reads its first line, for which it has
// DefaultWait. The context ends it.
func Start(ctx context.Context, command string) (*Program, error) {
	p := &Program{ctx: ctx, command: command, turn: make(chan struct{}, 1)}
	return p, p.start(DefaultWait)
}

// start starts the process; again with the same first line, within a time. One that is started
// again may have kept texts of before, so nothing that it says is repeated.
func (p *Program) start(within time.Duration) error {
	process, found, err := launch(p.ctx, p.command, within)
	again := p.hello != (hello{})
	switch {
	case p.ctx.Err() != nil && err != nil:
		return p.ctx.Err()
	case again && err != nil:
		return failed("started again, it does not begin as before")
	case err != nil:
		return err
	case again && found != p.hello:
		process.close()
		return failed("started again, it states another form of vectors")
	}
	p.hello, p.process = found, process
	return nil
}

// Close ends the program.
func (p *Program) Close() {
	p.turn <- struct{}{}
	defer p.leave()
	_ = p.end()
}

// end ends the process. One that wrote more than it was asked for may have answered a text with
// the vector of another.
func (p *Program) end() error {
	if p.process == nil {
		return nil
	}
	more := p.process.close()
	p.process = nil
	if more && p.ctx.Err() == nil {
		return errMore
	}
	return p.ctx.Err()
}

// Dim returns the number of components of a vector.
func (p *Program) Dim() int { return p.hello.Dimensions }

// take waits for the turn to ask.
func (p *Program) take(ctx context.Context) error {
	select {
	case p.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (p *Program) leave() { <-p.turn }

// most returns the most texts of a line.
func (p *Program) most() int { return min(p.hello.Batch, max(1, mostComponents/p.hello.Dimensions)) }

// all asks for texts in lines, in the turn of the caller.
func (p *Program) all(texts [][]byte) (vectors [][]float64, err error) {
	for some := range slices.Chunk(texts, p.most()) {
		answers, err := p.ask(some)
		if err != nil {
			return nil, err
		}
		vectors = append(vectors, answers...)
	}
	return vectors, nil
}

// ask sends one line and reads its answer. A program that died is started again.
func (p *Program) ask(texts [][]byte) ([][]float64, error) {
	vectors, err := again(func() ([][]float64, error) { return p.once(texts) })
	if errors.Is(err, errEnded) {
		err = errDies
	}
	return vectors, err
}

// again asks a program that died once more: ask starts it. The error is errEnded if it died each
// time.
func again(ask func() ([][]float64, error)) (vectors [][]float64, err error) {
	for range starts {
		if vectors, err = ask(); !errors.Is(err, errEnded) {
			break
		}
	}
	return vectors, err
}

// errDies reports a program that died each time.
var errDies = failed("it ended %d times without an answer, or before a public text after one text was answered too", starts)

// once sends one line to the process, which it starts if there is none, and reads its answer. The
// error ends the process; it is errEnded if that died.
func (p *Program) once(texts [][]byte) ([][]float64, error) {
	list := make([]string, len(texts))
	for i, t := range texts {
		list[i] = string(t)
	}
	line, err := json.Marshal(list)
	if err != nil {
		return nil, failed("a text cannot be written as JSON")
	}
	wait := cmp.Or(p.Wait, DefaultWait)
	if p.process == nil {
		if err := p.start(wait); err != nil {
			return nil, err
		}
	}
	over, stop := context.WithTimeout(p.ctx, wait)
	vectors, err := p.process.answer(over, append(line, '\n'), len(texts), p.hello)
	late := over.Err() != nil
	stop()
	if err == nil {
		err = finite(vectors)
	}
	if err == nil {
		return vectors, nil
	}
	_ = p.end()
	switch {
	case p.ctx.Err() != nil:
		return nil, p.ctx.Err()
	case late:
		return nil, failed("it gave no answer in %v", wait)
	}
	return nil, err
}

func finite(vectors [][]float64) error {
	for _, v := range vectors {
		for _, x := range v {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				return errFinite
			}
		}
	}
	return nil
}

// Package python has the command worker, which serves a Python program over pipes.
package python

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/worker"
)

// WorkerCmd serves the program that started this one, until it ends or closes the pipe.
type WorkerCmd struct{}

// Run serves requests over the standard input and output.
func (c *WorkerCmd) Run(ctx context.Context, term *cli.Terminal) error {
	if cli.OnTerminal(term.In) || cli.OnTerminal(term.Out) {
		return cli.WrongUsage("use import sotto in Python, or see sotto rewrite --help", "worker is for programs: it reads and writes binary frames")
	}
	in, out := term.In, cli.FileOf(term.Out)
	// Commands that run within the worker must not use its pipes.
	nothing, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return fmt.Errorf("%s: %w", os.DevNull, cli.PlainError(err))
	}
	os.Stdin, os.Stdout = nothing, nothing
	s := new(Sessions)
	return worker.Serve(ctx, in, out, s.Handle, FaultOf)
}

// Sessions holds everything that the requests of one worker have opened.
type Sessions struct {
	mu   sync.Mutex
	last uint64
	open map[uint64]*session
}

// Handle answers one request.
func (s *Sessions) Handle(ctx context.Context, r worker.Request, payload []byte, progress func(done, total int)) (worker.Reply, error) {
	switch r.Op {
	case "hello":
		return worker.Reply{Result: map[string]any{"protocol": worker.Protocol, "version": sotto.Version}}, nil
	case "open":
		return s.begin(ctx, r)
	case "close":
		s.end(r.Session)
		return worker.Reply{}, nil
	case "run":
		return runWithin(ctx, r, payload)
	}
	one, err := s.find(r.Session)
	if err != nil {
		return worker.Reply{}, err
	}
	switch r.Op {
	case "count":
		return one.count(ctx, r, payload)
	case "pay":
		return one.pay(ctx, r)
	case "rewrite":
		return one.rewrite(ctx, r, payload, progress)
	case "embed":
		return one.embed(ctx, r, payload, progress)
	case "explain":
		return one.explain(r, payload)
	case "statement":
		return one.statement(r)
	}
	return worker.Reply{}, cli.WrongUsage("", "worker has no operation %q", r.Op)
}

// begin opens a session. Its number is never used again.
func (s *Sessions) begin(ctx context.Context, r worker.Request) (worker.Reply, error) {
	one, err := openSession(ctx, r.Options)
	if err != nil {
		return worker.Reply{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open == nil {
		s.open = map[uint64]*session{}
	}
	s.last++
	s.open[s.last] = one
	opened := map[string]any{"session": s.last, "mechanism": one.entry.Name, "claim": one.claim, "pays": one.payer != nil}
	if one.embedder != nil {
		opened["components"] = one.embedder.Dimensions()
	}
	if one.brought > 0 {
		opened["brought"] = one.known()
	}
	return worker.Reply{Result: opened}, nil
}

func (s *Sessions) find(number uint64) (*session, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	one := s.open[number]
	if one == nil {
		return nil, errors.New("worker: there is no such session")
	}
	return one, nil
}

// end closes a session. Requests that still use it may fail.
func (s *Sessions) end(number uint64) {
	s.mu.Lock()
	one := s.open[number]
	delete(s.open, number)
	s.mu.Unlock()
	if one != nil && one.payer != nil {
		one.payer.Close()
	}
}

package worker

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
)

// Handler answers one request. It is called for several requests at once. It may call
// progress, from any goroutine, until it returns.
type Handler func(ctx context.Context, r Request, payload []byte, progress func(done, total int)) (Reply, error)

// Reply is what a Handler returns.
type Reply struct {
	Result  any
	Texts   int      // the number of texts in the payload
	Payload [][]byte // parts of the payload, in order
}

// Serve answers requests until the input ends. Then the client has gone, so Serve cancels
// the running requests and returns without waiting for them. fault converts the errors of
// the handler.
func Serve(ctx context.Context, in io.Reader, out io.Writer, handle Handler, fault func(error) *Fault) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &server{out: bufio.NewWriterSize(out, 1<<16), handle: handle, fault: fault, failed: make(chan error, 1)}
	read := make(chan error, 1)
	go func() { read <- s.read(ctx, in) }()
	select {
	case err := <-read:
		return err
	case err := <-s.failed:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

type server struct {
	handle Handler
	fault  func(error) *Fault
	failed chan error // holds the first failure of out

	mu  sync.Mutex // of out
	out *bufio.Writer
}

// read starts a goroutine per request until the input ends.
func (s *server) read(ctx context.Context, in io.Reader) error {
	for {
		header, payload, err := readFrame(in)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		var r Request
		if err := json.Unmarshal(header, &r); err != nil {
			return errFrame // an answer would need an id
		}
		go s.answer(ctx, r, payload)
	}
}

func (s *server) answer(ctx context.Context, r Request, payload []byte) {
	reply, err := s.call(ctx, r, payload)
	if err != nil {
		s.write(Answer{ID: r.ID, Error: s.fault(err)}, nil)
		return
	}
	s.write(Answer{ID: r.ID, Texts: reply.Texts, Result: reply.Result}, reply.Payload)
}

func (s *server) write(a Answer, payload [][]byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	err := writeFrame(s.out, a, payload)
	if err == nil {
		err = s.out.Flush()
	}
	if err != nil {
		select {
		case s.failed <- err:
		default:
		}
	}
}

// ErrPanic reports a fault of the program. The message of a panic may contain a text, so it
// is dropped.
var ErrPanic = errors.New("worker: the request failed by a fault of the program")

func (s *server) call(ctx context.Context, r Request, payload []byte) (reply Reply, err error) {
	defer func() {
		if recover() != nil {
			err = ErrPanic
		}
	}()
	progress := func(int, int) {}
	if r.Progress {
		progress = func(done, total int) { s.write(Answer{ID: r.ID, Progress: &Progress{done, total}}, nil) }
	}
	return s.handle(ctx, r, payload, progress)
}

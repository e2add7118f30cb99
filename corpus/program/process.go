package program

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/sotto-dp/sotto/corpus"
)

// errEnded reports a process that ended before its answer did.
var errEnded = errors.New("encoder program: it ended")

// patience is how long a process may take to end after its input did.
const patience = 2 * time.Second

// mostHello bounds the first line, and what is kept of the standard error before it.
const mostHello = 1 << 14

// process is a running program.
type process struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	pipe io.Closer // of out
	out  *bufio.Reader
	stop context.CancelFunc
}

// launch starts a command and reads its first line, within a time. No text has been sent yet,
// so that its standard error may be shown.
func launch(ctx context.Context, command string, within time.Duration) (*process, hello, error) {
	shell := []string{"sh", "-c"}
	if runtime.GOOS == "windows" {
		shell = []string{"cmd", "/C"}
	}
	ctx, stop := context.WithCancel(ctx)
	p := &process{cmd: exec.CommandContext(ctx, shell[0], shell[1], command), stop: stop}
	p.cmd.WaitDelay = patience
	withChildren(p.cmd)
	said := &beginning{}
	p.cmd.Stderr = said
	var h hello
	in, err := p.cmd.StdinPipe()
	if err == nil {
		p.in = in
		var out io.ReadCloser
		if out, err = p.cmd.StdoutPipe(); err == nil {
			p.pipe, p.out = out, bufio.NewReaderSize(out, 1<<16)
			err = p.cmd.Start()
		}
	}
	if err != nil {
		stop()
		return nil, h, failed("it cannot be started: %v", err)
	}
	late := time.AfterFunc(within, p.kill)
	line, err := p.line(mostHello)
	if !late.Stop() {
		p.close()
		return nil, h, failed("its first line, {\"dimensions\": N, \"format\": \"json\"}, did not come in %v%s", within, said.tail())
	}
	if err == nil {
		err = json.Unmarshal(line, &h)
	}
	if err != nil {
		p.close()
		return nil, h, failed("its first line must be {\"dimensions\": N, \"format\": \"json\"}%s", said.tail())
	}
	said.end()
	if err := h.check(); err != nil {
		p.close()
		return nil, h, failed("%v", err)
	}
	return p, h, nil
}

// close ends the process: by its input, or else by force. It reports whether output was left
// that nobody had asked for.
func (p *process) close() (more bool) {
	_ = p.in.Close()
	ended := time.AfterFunc(patience, p.kill)
	left, _ := io.Copy(io.Discard, p.out)
	_ = p.cmd.Wait() // how a program that was told to end ends is its own affair
	ended.Stop()
	p.stop()
	return left > 0
}

// kill ends the process by force, and what waits for it: its children may keep the pipe open.
func (p *process) kill() {
	p.stop()
	_ = p.pipe.Close()
}

// answer sends a line and reads the vectors of n texts. ctx ends it, and the process.
func (p *process) answer(ctx context.Context, line []byte, n int, h hello) ([][]float64, error) {
	if p.out.Buffered() > 0 {
		return nil, errMore
	}
	defer context.AfterFunc(ctx, p.kill)()
	sent := make(chan error, 1)
	go func() { _, err := p.in.Write(line); sent <- err }() // it may answer before it has read all
	vectors, err := p.read(n, h)
	if err != nil {
		_ = p.in.Close() // lets a write end that nobody reads
	}
	if wrote := <-sent; wrote != nil && err == nil {
		err = errEnded
	}
	return vectors, err
}

func (p *process) read(n int, h hello) ([][]float64, error) {
	vectors := make([][]float64, n)
	if h.Format == formatFloat32 {
		data := make([]byte, 4*n*h.Dimensions)
		if _, err := io.ReadFull(p.out, data); err != nil {
			return nil, errEnded
		}
		for i := range vectors {
			vectors[i] = make([]float64, h.Dimensions)
			for k := range vectors[i] {
				vectors[i][k] = float64(math.Float32frombits(binary.LittleEndian.Uint32(data[4*(i*h.Dimensions+k):])))
			}
		}
		return vectors, nil
	}
	line, err := p.line(1<<16 + 64*n*h.Dimensions)
	if err != nil {
		return nil, err
	}
	// Counted first: a line of empty arrays would become much larger than it is.
	if opened := bytes.Count(line, []byte("[")); opened > 0 && opened != n+1 {
		return nil, errVectors
	}
	if bytes.Count(line, []byte(",")) > n*h.Dimensions {
		return nil, errComponents(h)
	}
	if bytes.Contains(line, []byte("null")) { // JavaScript's for what is not finite
		return nil, errFinite
	}
	if err := json.Unmarshal(line, &vectors); err != nil {
		return nil, failed("an answer is not an array of arrays of numbers")
	}
	if len(vectors) != n {
		return nil, errVectors
	}
	for _, v := range vectors {
		if len(v) != h.Dimensions {
			return nil, errComponents(h)
		}
	}
	return vectors, nil
}

var (
	errVectors = failed("an answer has another number of vectors than there were texts")
	errFinite  = failed("a component of a vector is not finite")
	errMore    = failed("it wrote more than the answers to what it was asked, so that a text may have got the vector of another")
)

func errComponents(h hello) error {
	return failed("a vector has another number of components than the %d that it stated", h.Dimensions)
}

// line reads a line of at most most bytes.
func (p *process) line(most int) ([]byte, error) {
	var line []byte
	for {
		part, err := p.out.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > most:
			return nil, failed("a line is longer than %d bytes", most)
		case err == nil:
			return line, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, errEnded
		}
	}
}

// beginning keeps what a program writes on its standard error until it is ready.
type beginning struct {
	mu    sync.Mutex
	kept  bytes.Buffer
	ended bool
}

func (b *beginning) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.ended && b.kept.Len() < mostHello {
		b.kept.Write(p)
	}
	return len(p), nil
}

func (b *beginning) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.kept.String()
}

// end drops what was kept, and what comes.
func (b *beginning) end() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ended = true
	b.kept.Reset()
}

// tail returns the last line, for an error.
func (b *beginning) tail() string {
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	if last := lines[len(lines)-1]; last != "" {
		return "; it says " + strconv.Quote(last[:min(len(last), 300)])
	}
	return ""
}

// hello is the line with which the program begins.
type hello struct {
	Dimensions int    `json:"dimensions"`
	Format     string `json:"format"`
	Batch      int    `json:"batch"`
}

func (h *hello) check() error {
	if h.Batch == 0 {
		h.Batch = DefaultBatch
	}
	switch {
	case h.Dimensions < 1 || h.Dimensions > corpus.MaxDim:
		return fmt.Errorf("it states %d dimensions, want 1 to %d", h.Dimensions, corpus.MaxDim)
	case h.Format != formatJSON && h.Format != formatFloat32:
		return fmt.Errorf("it states the format %q, want json or float32", h.Format)
	case h.Batch < 1 || h.Batch > 1<<16:
		return fmt.Errorf("it states %d texts in a line, want 1 to %d", h.Batch, 1<<16)
	}
	return nil
}

// The formats of an answer.
const (
	formatJSON    = "json"
	formatFloat32 = "float32"
)

func failed(format string, args ...any) error { return &Error{fmt.Sprintf(format, args...)} }

// Error reports a program that failed. It has no part of a text.
type Error struct{ What string }

func (e *Error) Error() string { return "encoder program: " + e.What }

// DefaultBatch is the most texts of a line where the program states nothing.
const DefaultBatch = 64

package worker_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/worker"
)

// frame returns a frame with a header and a payload.
func frame(header string, payload []byte) []byte {
	b := binary.LittleEndian.AppendUint32(nil, uint32(len(header)))
	b = binary.LittleEndian.AppendUint64(b, uint64(len(payload)))
	return append(append(b, header...), payload...)
}

// answer reads one frame.
func answer(t *testing.T, r io.Reader) (a worker.Answer, payload []byte) {
	t.Helper()
	var lengths [12]byte
	if _, err := io.ReadFull(r, lengths[:]); err != nil {
		t.Fatal(err)
	}
	header := make([]byte, binary.LittleEndian.Uint32(lengths[:4]))
	payload = make([]byte, binary.LittleEndian.Uint64(lengths[4:]))
	for _, part := range [][]byte{header, payload} {
		if _, err := io.ReadFull(r, part); err != nil {
			t.Fatal(err)
		}
	}
	if err := json.Unmarshal(header, &a); err != nil {
		t.Fatal(err)
	}
	return a, payload
}

func fault(err error) *worker.Fault {
	return &worker.Fault{Kind: "failed", Code: 1, Message: err.Error()}
}

func TestAnswersCarryTheirRequests(t *testing.T) {
	in, send := io.Pipe()
	receive, out := io.Pipe()
	first := make(chan struct{})
	ended := make(chan error, 1)
	go func() {
		ended <- worker.Serve(t.Context(), in, out, func(_ context.Context, r worker.Request, payload []byte, progress func(done, total int)) (worker.Reply, error) {
			switch r.Op {
			case "wait":
				<-first
			case "fail":
				return worker.Reply{Payload: [][]byte{payload}}, errors.New("refused")
			case "panic":
				panic(string(payload))
			}
			progress(1, 2)
			texts, err := worker.SplitTexts(payload, r.Texts)
			if err != nil {
				return worker.Reply{}, err
			}
			return worker.Reply{Result: r.Op, Texts: len(texts), Payload: worker.JoinTexts(texts)}, nil
		}, fault)
	}()
	texts := bytes.Join(worker.JoinTexts([][]byte{[]byte("one"), nil, []byte("ü\x00")}), nil)
	write := func(header string, payload []byte) {
		t.Helper()
		if _, err := send.Write(frame(header, payload)); err != nil {
			t.Fatal(err)
		}
	}
	write(`{"id":1,"op":"wait"}`, nil)
	write(`{"id":2,"op":"echo","texts":3}`, texts)
	a, payload := answer(t, receive)
	if a.ID != 2 || a.Texts != 3 || a.Result != "echo" || a.Error != nil || !bytes.Equal(payload, texts) {
		t.Errorf("the later request is answered by %+v with %q", a, payload)
	}
	close(first)
	if a, _ := answer(t, receive); a.ID != 1 || a.Result != "wait" {
		t.Errorf("the earlier request is answered by %+v", a)
	}
	write(`{"id":3,"op":"echo","progress":true}`, nil)
	if a, _ := answer(t, receive); a.ID != 3 || a.Progress == nil || *a.Progress != (worker.Progress{Done: 1, Total: 2}) {
		t.Errorf("progress is told by %+v", a)
	}
	answer(t, receive)
	write(`{"id":4,"op":"fail"}`, []byte("private"))
	if a, payload := answer(t, receive); a.ID != 4 || a.Error == nil || a.Error.Message != "refused" || len(payload) > 0 {
		t.Errorf("a failure is answered by %+v with %q", a, payload)
	}
	write(`{"id":5,"op":"panic"}`, []byte("private"))
	if a, _ := answer(t, receive); a.ID != 5 || a.Error == nil || strings.Contains(a.Error.Message, "private") {
		t.Errorf("a panic is answered by %+v", a)
	}
	_ = send.Close()
	if err := <-ended; err != nil {
		t.Errorf("the end of the input gives %v", err)
	}
}

// A worker whose program has ended waits for nothing that runs.
func TestServeEndsWithItsInput(t *testing.T) {
	stopped := make(chan struct{})
	in := bytes.NewReader(frame(`{"id":1,"op":"wait"}`, nil))
	err := worker.Serve(t.Context(), in, io.Discard, func(ctx context.Context, _ worker.Request, _ []byte, _ func(int, int)) (worker.Reply, error) {
		<-ctx.Done()
		close(stopped)
		return worker.Reply{}, ctx.Err()
	}, fault)
	if err != nil {
		t.Error(err)
	}
	<-stopped
}

func TestMalformedFramesEndTheWorker(t *testing.T) {
	whole := frame(`{"id":1,"op":"echo"}`, []byte("payload"))
	for name, input := range map[string][]byte{
		"cut in the lengths": whole[:5],
		"cut in the header":  whole[:20],
		"cut in the payload": whole[:len(whole)-1],
		"no object":          frame(`[1]`, nil),
		"a huge header":      append(binary.LittleEndian.AppendUint32(nil, 1<<31), make([]byte, 8)...),
		"a huge payload":     append(make([]byte, 4), 255, 255, 255, 255, 255, 255, 255, 255),
	} {
		err := worker.Serve(t.Context(), bytes.NewReader(input), io.Discard, func(context.Context, worker.Request, []byte, func(int, int)) (worker.Reply, error) {
			t.Errorf("%s: handled", name)
			return worker.Reply{}, nil
		}, fault)
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestPayloadsOfTextsAreWhole(t *testing.T) {
	whole := bytes.Join(worker.JoinTexts([][]byte{[]byte("one"), []byte("three")}), nil)
	for name, c := range map[string]struct {
		payload []byte
		texts   int
	}{
		"more bytes than lengths": {append(bytes.Clone(whole), 'x'), 2},
		"fewer bytes":             {whole[:len(whole)-1], 2},
		"more texts":              {whole, 3},
		"a negative number":       {whole, -1},
		"no lengths":              {[]byte("xyz"), 1},
		"an enormous number":      {whole, 1 << 62},
	} {
		if texts, err := worker.SplitTexts(c.payload, c.texts); err == nil {
			t.Errorf("%s: %d texts", name, len(texts))
		}
	}
	if texts, err := worker.SplitTexts(nil, 0); err != nil || len(texts) != 0 {
		t.Errorf("no texts: %d, %v", len(texts), err)
	}
}

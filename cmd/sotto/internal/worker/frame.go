// Package worker serves a program that started this one, over two pipes.
//
// A frame has four parts: the length of the header (uint32), the length of the payload
// (uint64), the header, which is one JSON object, and the payload, which is binary.
// Lengths are little-endian. A request is one frame. So is its answer, which may come
// after those of later requests: "id" names the request it answers.
//
// Texts travel as a payload of their lengths in bytes (uint64 each), followed by their
// bytes. So the speed does not depend on JSON, and no text of a client is part of a header.
package worker

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
)

// Protocol is the number of this protocol. Clients refuse a worker with another one.
const Protocol = 4

// mostHeader bounds a header in bytes. Headers hold options, and of texts those of a corpus.
const mostHeader = 1 << 24

// Request is the header of a request.
type Request struct {
	ID uint64 `json:"id"`
	// Op names the operation.
	Op string `json:"op"`
	// Session is what an earlier request opened.
	Session uint64 `json:"session,omitempty"`
	// Texts is the number of texts in the payload.
	Texts int `json:"texts,omitempty"`
	// Progress asks for frames that report how much is done, before the answer.
	Progress bool `json:"progress,omitempty"`
	// Options belong to the operation.
	Options json.RawMessage `json:"options,omitempty"`
}

// Answer is the header of an answer, or of a frame before it if Progress is set.
type Answer struct {
	ID       uint64    `json:"id"`
	Texts    int       `json:"texts,omitempty"`
	Result   any       `json:"result,omitempty"`
	Error    *Fault    `json:"error,omitempty"`
	Progress *Progress `json:"progress,omitempty"`
}

// Progress is how much of a request is done.
type Progress struct {
	Done  int `json:"done"`
	Total int `json:"total"`
}

// Fault is why a request failed. It holds no part of a text.
type Fault struct {
	Kind    string         `json:"kind"`
	Code    int            `json:"code"` // the exit code of the command for such a failure
	Message string         `json:"message"`
	Hint    string         `json:"hint,omitempty"`
	Fields  map[string]any `json:"fields,omitempty"`
}

var errFrame = errors.New("worker: malformed frame")

// readFrame returns the next frame, or io.EOF if the stream ends before it.
func readFrame(r io.Reader) (header, payload []byte, err error) {
	var lengths [12]byte
	if _, err := io.ReadFull(r, lengths[:]); err != nil {
		return nil, nil, err
	}
	head, body := binary.LittleEndian.Uint32(lengths[:4]), binary.LittleEndian.Uint64(lengths[4:])
	if head > mostHeader || body > math.MaxInt {
		return nil, nil, errFrame
	}
	header = make([]byte, head)
	if _, err := io.ReadFull(r, header); err != nil {
		return nil, nil, cut(err)
	}
	payload = make([]byte, body)
	if _, err := io.ReadFull(r, payload); err != nil {
		return nil, nil, cut(err)
	}
	return header, payload, nil
}

// cut names the end of a stream within a frame.
func cut(err error) error {
	if errors.Is(err, io.EOF) {
		return fmt.Errorf("%w: the input ends within it", errFrame)
	}
	return err
}

func writeFrame(w io.Writer, header any, payload [][]byte) error {
	head, err := json.Marshal(header)
	if err != nil {
		return err
	}
	size := 0
	for _, part := range payload {
		size += len(part)
	}
	start := binary.LittleEndian.AppendUint32(nil, uint32(len(head)))
	start = binary.LittleEndian.AppendUint64(start, uint64(size))
	if _, err := w.Write(append(start, head...)); err != nil {
		return err
	}
	for _, part := range payload {
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return nil
}

// SplitTexts returns the n texts of a payload. They share its memory.
func SplitTexts(payload []byte, n int) ([][]byte, error) {
	if n < 0 || n > len(payload)/8 {
		return nil, fmt.Errorf("%w: the payload cannot hold %d texts", errFrame, n)
	}
	lengths, rest := payload[:8*n], payload[8*n:]
	texts := make([][]byte, n)
	for i := range texts {
		size := binary.LittleEndian.Uint64(lengths[8*i:])
		if size > uint64(len(rest)) {
			return nil, fmt.Errorf("%w: the lengths of the texts exceed the payload", errFrame)
		}
		texts[i], rest = rest[:size:size], rest[size:]
	}
	if len(rest) > 0 {
		return nil, fmt.Errorf("%w: %d bytes follow the last text", errFrame, len(rest))
	}
	return texts, nil
}

// JoinTexts returns the payload of some texts, in parts.
func JoinTexts(texts [][]byte) [][]byte {
	size := 0
	lengths := make([]byte, 0, 8*len(texts))
	for _, t := range texts {
		lengths = binary.LittleEndian.AppendUint64(lengths, uint64(len(t)))
		size += len(t)
	}
	all := make([]byte, 0, size)
	for _, t := range texts {
		all = append(all, t...)
	}
	return [][]byte{lengths, all}
}

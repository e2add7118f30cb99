package gate

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/wire"
)

// Upper bounds, in bytes, of the memory that parts of a request take. The sum over all
// requests in progress stays below Limits.Memory: a request reserves its share before it
// allocates, or gets 429.
const (
	// requestMemory covers a request whose body has at most firstBody bytes.
	requestMemory = 64 << 10
	firstBody     = 4 << 10
	// bodyMemory is per byte of a body: the body, the decoder's copy, the strings, their
	// bytes, and 4 bytes per token, since one byte can be a token. All but the body can
	// be held twice while a slice grows.
	bodyMemory = 12
)

// Decode decodes the request's JSON body.
func (e *Exchange) Decode(into any) error {
	body := e.body
	e.body = nil // what is decoded is held in its place
	return wire.Decode(body, e.values, into)
}

// receive waits for a request's body.
func (g *Gate) receive(e *Exchange, r *http.Request) error {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "application/json" {
		return wire.NewProblem(http.StatusUnsupportedMediaType, "not-json", "Content-Type must be application/json")
	}
	if encodings := r.Header["Content-Encoding"]; len(encodings) > 1 || len(encodings) == 1 && encodings[0] != "" && encodings[0] != "identity" {
		return wire.NewProblem(http.StatusUnsupportedMediaType, "encoded", "Content-Encoding must be left out: send the body as it is")
	}
	e.body, err = e.readBody(http.MaxBytesReader(e, r.Body, g.Limits.Body), min(r.ContentLength, g.Limits.Body))
	var large *http.MaxBytesError
	var network net.Error
	var own *wire.Problem
	switch {
	case errors.As(err, &own):
		return own
	case errors.As(err, &large):
		return wire.NewProblem(http.StatusRequestEntityTooLarge, "too-large", fmt.Sprintf("the body must have at most %d bytes", g.Limits.Body))
	case errors.As(err, &network) && network.Timeout():
		return wire.NewProblem(http.StatusRequestTimeout, "too-slow", "the body did not arrive in time")
	case err != nil:
		return wire.NewProblem(http.StatusBadRequest, "malformed", "the body ended early")
	}
	return nil
}

// otherValues bounds the values of a body that are not texts, such as parameters.
const otherValues = 1024

// readBody reads the whole body. It reserves memory as bytes arrive, so that an announced
// length alone reserves nothing.
func (e *Exchange) readBody(r io.Reader, announced int64) ([]byte, error) {
	size := firstBody
	if announced >= 0 {
		size = min(size, int(announced)+1) // one more byte, to see the end
	}
	body := make([]byte, 0, size)
	for {
		if len(body) == cap(body) {
			size = 2 * cap(body)
			if int(announced) >= len(body) {
				size = min(size, int(announced)+1)
			}
			if err := e.Reserve(int64(size-cap(body)) * bodyMemory); err != nil {
				return nil, err
			}
			body = append(make([]byte, 0, size), body...)
		}
		n, err := r.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		if err == io.EOF {
			return body, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

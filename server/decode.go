package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"
)

// deepest is how far a request may nest; the documented ones reach 2.
const deepest = 16

// read takes a request's JSON body within the limits.
func (s *Server) read(w http.ResponseWriter, r *http.Request, into any) error {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "application/json" {
		return problem(http.StatusUnsupportedMediaType, "not-json", "the content type must be application/json")
	}
	if e := r.Header.Get("Content-Encoding"); e != "" && e != "identity" {
		return problem(http.StatusUnsupportedMediaType, "encoded", "the content must not be encoded")
	}
	body, err := readAll(http.MaxBytesReader(w, r.Body, s.limits.Body), min(r.ContentLength, s.limits.Body))
	var large *http.MaxBytesError
	var network net.Error
	switch {
	case errors.As(err, &large):
		return problem(http.StatusRequestEntityTooLarge, "too-large", fmt.Sprintf("the body must have at most %d bytes", s.limits.Body))
	case errors.As(err, &network) && network.Timeout():
		return problem(http.StatusRequestTimeout, "too-slow", "the body did not come in time")
	case err != nil:
		return problem(http.StatusBadRequest, "malformed", "the body ended early")
	}
	return decode(body, into)
}

func readAll(r io.Reader, size int64) ([]byte, error) {
	b := bytes.NewBuffer(make([]byte, 0, max(size, 0)+bytes.MinRead))
	_, err := b.ReadFrom(r)
	return b.Bytes(), err
}

// decode reads one JSON document, strictly. Its problems hold nothing of it but
// the names that this interface has.
func decode(body []byte, into any) error {
	malformed := func(detail string) error { return problem(http.StatusBadRequest, "malformed", detail) }
	if !utf8.Valid(body) {
		return malformed("the body is not UTF-8")
	}
	if tooDeep(body) {
		return malformed(fmt.Sprintf("the body nests more than %d levels", deepest))
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	err := d.Decode(into)
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	var own *Problem
	switch {
	case errors.As(err, &own):
		return own
	case errors.As(err, &syntax):
		return malformed(fmt.Sprintf("the body is not JSON after byte %d", syntax.Offset))
	case errors.As(err, &kind):
		if name := kind.Field[strings.LastIndexByte(kind.Field, '.')+1:]; slices.Contains(fieldNames, name) {
			return malformed(name + " has the wrong type")
		}
		return malformed("a value has the wrong type")
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return malformed("the body is not a whole JSON document")
	case err != nil: // what is left: a field that does not exist, a number that is none
		return malformed("a field does not exist, or a value has the wrong type")
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return malformed("something follows the JSON document")
	}
	return nil
}

// tooDeep counts brackets outside of strings.
func tooDeep(body []byte) bool {
	depth, quoted := 0, false
	for i := 0; i < len(body); i++ {
		switch c := body[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			if depth++; depth > deepest {
				return true
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return false
}

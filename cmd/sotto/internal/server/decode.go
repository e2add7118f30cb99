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
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sotto-dp/sotto/internal/strictjson"
)

// deepest is the largest nesting depth of a request; the documented requests reach 2.
const deepest = 16

// read decodes a request's JSON body within the limits.
func (s *Server) read(e *exchange, into any) error {
	return readValues(e, s.limits.Texts+otherValues, into)
}

// readValues is read for a body of another number of values.
func readValues(e *exchange, values int, into any) error {
	body := e.body
	e.body = nil // what is decoded is held in its place
	return decode(body, values, into)
}

// receive waits for a request's body.
func (s *Server) receive(e *exchange, r *http.Request) error {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "application/json" {
		return problem(http.StatusUnsupportedMediaType, "not-json", "Content-Type must be application/json")
	}
	if encodings := r.Header["Content-Encoding"]; len(encodings) > 1 || len(encodings) == 1 && encodings[0] != "" && encodings[0] != "identity" {
		return problem(http.StatusUnsupportedMediaType, "encoded", "Content-Encoding must be left out: send the body as it is")
	}
	e.body, err = e.readBody(http.MaxBytesReader(e, r.Body, s.limits.Body), min(r.ContentLength, s.limits.Body))
	var large *http.MaxBytesError
	var network net.Error
	var own *Problem
	switch {
	case errors.As(err, &own):
		return own
	case errors.As(err, &large):
		return problem(http.StatusRequestEntityTooLarge, "too-large", fmt.Sprintf("the body must have at most %d bytes", s.limits.Body))
	case errors.As(err, &network) && network.Timeout():
		return problem(http.StatusRequestTimeout, "too-slow", "the body did not arrive in time")
	case err != nil:
		return problem(http.StatusBadRequest, "malformed", "the body ended early")
	}
	return nil
}

// otherValues bounds the values of a body that are not texts, such as parameters.
const otherValues = 1024

// readBody reads the whole body. It reserves memory as bytes arrive, so that an announced
// length alone reserves nothing.
func (e *exchange) readBody(r io.Reader, announced int64) ([]byte, error) {
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
			if err := e.reserve(int64(size-cap(body)) * bodyMemory); err != nil {
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

// decode decodes one JSON document of a bounded number of values, strictly. Its problems
// repeat nothing of the document except known field names.
func decode(body []byte, values int, into any) error {
	malformed := func(detail string) error { return problem(http.StatusBadRequest, "malformed", detail) }
	if !utf8.Valid(body) {
		return malformed("the body is not UTF-8")
	}
	depth, commas := shape(body)
	if depth > deepest {
		return malformed(fmt.Sprintf("the body nests more than %d levels", deepest))
	}
	if commas >= values { // an empty text, once decoded, takes many times its bytes
		p := problem(http.StatusRequestEntityTooLarge, "too-many-values", fmt.Sprintf("the body has more than %d values: send it in several requests", values))
		p.Limit, p.Count = values, commas+1
		return p
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
			return malformed(name + wrongType(kind))
		}
		return malformed("a value has the wrong type")
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return malformed("the body is not a whole JSON document")
	case err != nil && strings.HasPrefix(err.Error(), "json: unknown field "): // its name may be private
		return malformed("a field is unknown: GET /openapi.json lists the fields of each request")
	case err != nil:
		return malformed("a value has the wrong type")
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return malformed("the body continues after the JSON document")
	}
	// A proxy or a log in front of the server may take another one of two fields.
	switch err := strictjson.Exact(body, into); {
	case errors.Is(err, strictjson.ErrName):
		return malformed("the name of a field has letters of the wrong case: GET /openapi.json lists the fields of each request")
	case err != nil:
		return malformed("an object has a field twice, in the same or another case")
	}
	return nil
}

// wrongType describes a value by what it is and what it must be, without the value.
func wrongType(e *json.UnmarshalTypeError) string {
	is, _, _ := strings.Cut(e.Value, " ") // a number follows its kind
	must := ""
	switch kind := e.Type.Kind(); {
	case kind == reflect.String:
		must = "a string"
	case kind == reflect.Bool:
		must = "true or false"
	case kind == reflect.Slice:
		must = "a list"
	case kind >= reflect.Int && kind <= reflect.Uint64 && is == "number":
		return " must be a whole number of at most 64 bits"
	case kind >= reflect.Float32 && kind <= reflect.Float64 && is == "number":
		return " has a number that is too large"
	case kind >= reflect.Int && kind <= reflect.Float64:
		must = "a number"
	default:
		return " has the wrong type"
	}
	if is == "array" {
		is = "list"
	}
	return fmt.Sprintf(" has a value of type %s where %s must be", is, must)
}

// shape counts brackets and commas outside strings. It returns the nesting depth and the
// number of commas between values, and stops at a depth that no request may have.
func shape(body []byte) (depth, commas int) {
	quoted, now := false, 0
	for i := 0; i < len(body) && depth <= deepest; i++ {
		switch c := body[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == ',':
			commas++
		case c == '{' || c == '[':
			now++
			depth = max(depth, now)
		case c == '}' || c == ']':
			now--
		}
	}
	return depth, commas
}

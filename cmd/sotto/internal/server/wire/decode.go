package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sotto-dp/sotto/request"
	"github.com/sotto-dp/sotto/text"
)

// deepest is the largest nesting depth of a request; the documented requests reach 2.
const deepest = 16

// Decode decodes one JSON document of a bounded number of values, strictly. Its problems
// repeat nothing of the document except known field names.
func Decode(body []byte, values int, into any) error {
	if !utf8.Valid(body) {
		return malformed("the body is not UTF-8")
	}
	depth, commas := shape(body)
	if depth > deepest {
		return malformed(fmt.Sprintf("the body nests more than %d levels", deepest))
	}
	if commas >= values { // an empty text, once decoded, takes many times its bytes
		return NewProblem(http.StatusRequestEntityTooLarge, "too-many-values", fmt.Sprintf("the body has more than %d values: send it in several requests", values)).Of(values, commas+1)
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
	case errors.Is(err, text.ErrSpans):
		return malformed(text.ErrSpans.Error())
	case err != nil:
		return malformed("a value has the wrong type")
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return malformed("the body continues after the JSON document")
	}
	if err := exact(body, into); err != nil {
		return err
	}
	if name := lacking(reflect.ValueOf(into).Elem()); name != "" {
		return malformed(name + " is missing or null where a list must be")
	}
	return nil
}

// lacking returns the name of a list that a document needs and does not have; empty if it has
// all. Nothing must be charged for a request whose texts were lost on the way.
func lacking(v reflect.Value) string {
	for i := range v.NumField() {
		f, of := v.Field(i), v.Type().Field(i)
		name, options, _ := strings.Cut(of.Tag.Get("json"), ",")
		switch f.Kind() {
		case reflect.Slice:
			if f.IsNil() && !strings.Contains(options, "omitempty") {
				return name
			}
			continue
		case reflect.Pointer:
			if f = f.Elem(); f.Kind() != reflect.Struct {
				continue
			}
		case reflect.Struct:
		default:
			continue
		}
		if of.IsExported() {
			if name := lacking(f); name != "" {
				return name
			}
		}
	}
	return ""
}

// wrongType describes a value by what it is and what it must be, without the value.
func wrongType(e *json.UnmarshalTypeError) string {
	is, _, _ := strings.Cut(e.Value, " ") // a number follows its kind
	must := ""
	switch kind := e.Type.Kind(); {
	case e.Type == reflect.TypeFor[request.Value]():
		must = "a number or a string"
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

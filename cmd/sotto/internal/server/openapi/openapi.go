// Package openapi describes routes as OpenAPI, from the Go types that they take and give.
package openapi

import (
	"encoding/json"
	"net/http"
	"reflect"
	"strconv"
	"strings"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/gate"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/wire"
)

type object = map[string]any

// Describe encodes the OpenAPI document of routes.
func Describe(routes []gate.Route) ([]byte, error) {
	body, err := json.MarshalIndent(document(routes), "", "  ")
	return append(body, '\n'), err
}

// document describes routes as OpenAPI 3.0, from the Go types they take and give. It is
// 3.0 and not 3.1 because generators of clients take it: scripts/clients tries three.
func document(routes []gate.Route) object {
	b := &schemas{named: object{}, types: map[string]reflect.Type{}, problems: object{}}
	paths := object{}
	for _, r := range routes {
		if r.Summary == "" {
			continue
		}
		paths[r.Path()] = object{strings.ToLower(r.Method): b.operation(&r)}
	}
	return object{
		"openapi": "3.0.3",
		"info": object{"title": "sotto", "version": sotto.Version,
			"description": "Private copies of text under differential privacy, with enforced budgets. Errors are problem documents (RFC 9457) and contain no string of the request. " +
				"A number that is a parameter of a mechanism may also be given as a string that holds it."},
		"paths": paths,
		"components": object{"schemas": b.named, "responses": b.problems, "securitySchemes": object{"key": object{"type": "http", "scheme": "bearer",
			"description": "An API key. A server on loopback may be started without keys."}}},
		"security": []object{{"key": []string{}}},
	}
}

func (b *schemas) operation(r *gate.Route) object {
	operation := object{"summary": r.Summary, "operationId": strings.ToLower(r.Method) + strings.NewReplacer("/v1", "", "/", "-", "{id...}", "id", ".", "-", "{$}", "root").Replace(r.Pattern)}
	if r.Access == gate.Public {
		operation["security"] = []object{}
	}
	parameters := []object{}
	if r.Id != "" {
		parameters = append(parameters, object{"name": "id", "in": "path", "required": true, "schema": object{"type": "string"}, "description": r.Id})
	}
	for _, h := range r.ReadHeaders() {
		parameter := headerOf(h)
		parameter["name"], parameter["in"] = h.Name, "header"
		parameters = append(parameters, parameter)
	}
	if len(parameters) > 0 {
		operation["parameters"] = parameters
	}
	if r.Request != nil {
		operation["requestBody"] = object{"required": true, "content": b.content(r.Request)}
	}
	answers := object{"200": b.response(r, http.StatusOK, "Done.", b.content(r.Answer))}
	for status, body := range r.Also {
		answers[strconv.Itoa(status)] = b.response(r, status, http.StatusText(status), b.content(body))
	}
	for _, status := range r.Problems() {
		// The headers of a problem follow from its status, so all routes share it.
		name := "Problem" + strconv.Itoa(status)
		b.problems[name] = b.response(r, status, http.StatusText(status), object{"application/problem+json": object{"schema": b.of(reflect.TypeFor[wire.Problem]())}})
		answers[strconv.Itoa(status)] = object{"$ref": "#/components/responses/" + name}
	}
	operation["responses"] = answers
	return operation
}

// response describes an answer with its headers.
func (b *schemas) response(r *gate.Route, status int, text string, content object) object {
	headers := object{}
	for _, h := range r.SetHeaders(status) {
		headers[h.Name] = headerOf(h)
	}
	answer := object{"description": text, "headers": headers}
	if content != nil {
		answer["content"] = content
	}
	return answer
}

// content describes a body: JSON of a type, or a media; nil is none.
func (b *schemas) content(body any) object {
	switch body := body.(type) {
	case nil:
		return nil
	case gate.Media:
		kind, _, _ := strings.Cut(string(body), ";")
		return object{kind: object{"schema": object{"type": "string"}}}
	}
	return object{"application/json": object{"schema": b.of(reflect.TypeOf(body))}}
}

// headerOf describes a header, except its name.
func headerOf(h wire.Header) object { return object{"description": h.Doc, "schema": h.Schema} }

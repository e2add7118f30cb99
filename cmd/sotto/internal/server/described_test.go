package server_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// document is what tests read of an OpenAPI document.
type document struct {
	OpenAPI    string
	Paths      map[string]map[string]operation
	Components struct {
		Schemas   map[string]map[string]any
		Responses map[string]response
	}
}

type operation struct {
	OperationID string
	Parameters  []struct{ Name, In string }
	RequestBody struct{ Content content }
	Responses   map[string]response
}

type response struct {
	Ref     string `json:"$ref"`
	Headers map[string]struct{ Schema map[string]any }
	Content content
}

type content map[string]struct{ Schema map[string]any }

func parseDocument(t *testing.T, body []byte) (d document) {
	t.Helper()
	if err := json.Unmarshal(body, &d); err != nil {
		t.Fatal(err)
	}
	return d
}

func readDocument(t *testing.T, r *running) document {
	t.Helper()
	return parseDocument(t, []byte(r.ask("GET", "/openapi.json", "").want(t, 200, "").body))
}

// answer returns the description of an operation's answers with a status.
func (d document) answer(op operation, status int) (response, bool) {
	described, ok := op.Responses[strconv.Itoa(status)]
	if described.Ref != "" {
		described, ok = d.Components.Responses[strings.TrimPrefix(described.Ref, "#/components/responses/")]
	}
	return described, ok
}

// takes reports whether an operation reads a header.
func (op operation) takes(header string) bool {
	for _, p := range op.Parameters {
		if p.In == "header" && p.Name == header {
			return true
		}
	}
	return false
}

// unsaid are headers that only tell browsers and caches how to treat an answer, and those
// of HTTP itself.
var unsaid = []string{"Content-Type", "Content-Length", "Date", "Connection", "Cache-Control", "X-Content-Type-Options", "Content-Security-Policy", "Vary",
	"Referrer-Policy", "Cross-Origin-Opener-Policy", "Cross-Origin-Resource-Policy", "Permissions-Policy"}

// admits returns an error if an answer of a described path has a status, a type of content
// or a header that the document lacks.
func (d document) admits(method, path string, a reply) error {
	path, _, _ = strings.Cut(path, "?")
	if rest, ok := strings.CutPrefix(path, "/v1/accounts/"); ok && rest != "" {
		path = "/v1/accounts/{id}"
	}
	op, ok := d.Paths[path][strings.ToLower(method)]
	if !ok { // an unknown path, or another method
		return nil
	}
	described, ok := d.answer(op, a.status)
	if !ok {
		return fmt.Errorf("the document lacks status %d", a.status)
	}
	kind, _, _ := strings.Cut(a.header.Get("Content-Type"), ";")
	if _, ok := described.Content[kind]; !ok && kind != "" {
		return fmt.Errorf("the document lacks %s for %d", kind, a.status)
	}
	for name := range a.header {
		said := slices.ContainsFunc(sortedKeys(described.Headers), func(h string) bool { return strings.EqualFold(h, name) })
		if !said && !slices.Contains(unsaid, name) {
			return fmt.Errorf("the document lacks the header %s for %d", name, a.status)
		}
	}
	if a.header.Get("X-Request-Id") == "" {
		return fmt.Errorf("an answer has no X-Request-Id")
	}
	return nil
}

// fits returns an error where a value does not match a schema; closed refuses properties
// that the schema lacks.
func (d document) fits(at string, v any, schema map[string]any) error {
	if ref, ok := schema["$ref"].(string); ok {
		name, _ := strings.CutPrefix(ref, "#/components/schemas/")
		target, ok := d.Components.Schemas[name]
		if !ok {
			return fmt.Errorf("%s: %s leads nowhere", at, ref)
		}
		return d.fits(at, v, target)
	}
	if v == nil && schema["nullable"] == true {
		return nil
	}
	if only, ok := schema["enum"].([]any); ok && !slices.Contains(only, v) {
		return fmt.Errorf("%s is %v, must be one of %v", at, v, only)
	}
	if list, ok := schema["allOf"].([]any); ok {
		return d.fits(at, v, list[0].(map[string]any))
	}
	if list, ok := schema["oneOf"].([]any); ok {
		var err error
		for _, one := range list {
			if err = d.fits(at, v, one.(map[string]any)); err == nil {
				return nil
			}
		}
		return err
	}
	is := ""
	switch v := v.(type) {
	case nil:
		is = "null"
	case bool:
		is = "boolean"
	case string:
		is = "string"
	case float64:
		is = "number"
		if v == float64(int64(v)) && schema["type"] == "integer" {
			is = "integer"
		}
	case []any:
		is = "array"
		for i, one := range v {
			if items, ok := schema["items"].(map[string]any); ok {
				if err := d.fits(fmt.Sprintf("%s[%d]", at, i), one, items); err != nil {
					return err
				}
			}
		}
	case map[string]any:
		is = "object"
		if err := d.fitsObject(at, v, schema); err != nil {
			return err
		}
	}
	if want, ok := schema["type"]; ok && want != is {
		return fmt.Errorf("%s is %s, must be %v", at, is, want)
	}
	return nil
}

func (d document) fitsObject(at string, v, schema map[string]any) error {
	properties, ok := schema["properties"].(map[string]any)
	if !ok {
		return nil
	}
	for name, one := range v {
		p, ok := properties[name].(map[string]any)
		if !ok {
			return fmt.Errorf("%s: the document lacks %s", at, name)
		}
		if err := d.fits(at+"."+name, one, p); err != nil {
			return err
		}
	}
	required, _ := schema["required"].([]any)
	for _, name := range required {
		if _, ok := v[name.(string)]; !ok {
			return fmt.Errorf("%s: %s is required and absent", at, name)
		}
	}
	return nil
}

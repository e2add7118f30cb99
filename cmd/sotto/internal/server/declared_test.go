package server_test

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/server"
	"github.com/sotto-dp/sotto/internal/stage"
)

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// A client that is made from the document repeats a request under its key, and pays once,
// for every route that charges: which these are, the ledger says.
func TestRoutesThatChargeHonourAndDescribeTheIdempotencyKey(t *testing.T) {
	stage.Unraced(t)
	bodies := map[string]string{
		"/v1/rewrite":    `{"texts":["my doctor"],"epsilon":2,"account":"alice"}`,
		"/v1/cost":       `{"texts":["my doctor"],"epsilon":2,"account":"alice","fast":true}`,
		"/v1/synthesize": `{"records":[{"text":"my doctor"}],"epsilon":2,"expect":50,"account":"tickets"}`,
		"/v1/explain":    `{"words":["doctor"],"epsilon":2}`,
		"/v1/read":       `{"texts":["my doctor"],"epsilon":2}`,
		"/v1/figures":    `{"epsilon":2}`,
	}
	l := newBudgets(t, map[string]string{"alice": "100", "tickets": "100"})
	r := start(t, server.Config{Ledger: l, Playground: true})
	entries := func() uint64 {
		t.Helper()
		head, err := l.Head(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return uint64(head.Seq)
	}
	d, charging := readDocument(t, r), 0
	for _, path := range sortedKeys(d.Paths) {
		op, ok := d.Paths[path]["post"]
		if !ok {
			continue
		}
		body, ok := bodies[path]
		if !ok {
			t.Errorf("this test lacks a request for POST %s", path)
			continue
		}
		before := entries()
		first := r.ask("POST", path, body, "Idempotency-Key", uuid+path[4:]).want(t, 200, "")
		charged := entries() != before
		if charged != op.takes("Idempotency-Key") {
			t.Errorf("%s: charges %v, describes the key %v", path, charged, op.takes("Idempotency-Key"))
		}
		if !charged {
			continue
		}
		charging++
		before = entries()
		again := r.ask("POST", path, body, "Idempotency-Key", uuid+path[4:]).want(t, 200, "")
		if entries() != before || again.body != first.body || again.header.Get("Idempotent-Replayed") != "true" || first.header.Get("Idempotent-Replayed") != "" {
			t.Errorf("%s: a retry is another request: %d entries, %v", path, entries()-before, again.header)
		}
		if described, _ := d.answer(op, 200); described.Headers["Idempotent-Replayed"].Schema == nil {
			t.Errorf("%s: the document lacks Idempotent-Replayed", path)
		}
		r.ask("POST", path, body, "Idempotency-Key", "short").want(t, 400, "invalid-parameter")
	}
	if charging < 2 {
		t.Errorf("%d routes charge", charging)
	}
}

// Generators of clients take OpenAPI 3.0 in this form. A number without a format would be
// a float32, and an amount of money with it.
func TestDocumentIsOneThatGeneratorsTake(t *testing.T) {
	r := start(t, server.Config{Playground: true})
	var d any
	if err := json.Unmarshal([]byte(r.ask("GET", "/openapi.json", "").body), &d); err != nil {
		t.Fatal(err)
	}
	numbers, names := 0, map[string]bool{}
	var walk func(at string, v any, schema bool)
	walk = func(at string, v any, schema bool) {
		list, _ := v.([]any)
		for _, one := range list {
			walk(at, one, schema)
		}
		m, _ := v.(map[string]any)
		for name, below := range m {
			walk(at+"/"+name, below, name == "schema" || name == "schemas" || schema)
		}
		if id, ok := m["operationId"].(string); ok {
			if names[id] {
				t.Errorf("%s: two operations are %s", at, id)
			}
			names[id] = true
		}
		if _, ref := m["$ref"].(string); ref && len(m) != 1 {
			t.Errorf("%s: a reference has siblings, which readers leave out: %v", at, sortedKeys(m))
		}
		if !schema || m["properties"] != nil && m["type"] == nil {
			return
		}
		switch kind := m["type"].(type) {
		case nil, map[string]any: // a property may be called type
		case string:
			if kind != "number" && kind != "integer" {
				break
			}
			numbers++
			if format, _ := m["format"].(string); !slices.Contains([]string{"double", "int64", "uint64"}, format) {
				t.Errorf("%s: a %s has the format %q", at, kind, format)
			}
		default:
			t.Errorf("%s: the type is %v, must be one", at, kind)
		}
		for _, bound := range []string{"exclusiveMinimum", "exclusiveMaximum"} {
			switch m[bound].(type) {
			case nil, bool, map[string]any:
			default:
				t.Errorf("%s: %s is %v, must be true or absent", at, bound, m[bound])
			}
		}
	}
	walk("", d, false)
	if numbers < 100 || len(names) < 10 {
		t.Errorf("%d numbers and %d operations were looked at", numbers, len(names))
	}
}

package server

import (
	"encoding/json"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/privacy"
)

type object = map[string]any

// openAPI describes routes as OpenAPI 3.1, from the Go types they take and give.
func openAPI(routes []route) object {
	b := &schemas{named: object{}}
	problemRef := b.of(reflect.TypeFor[Problem]())
	paths := object{}
	for _, r := range routes {
		if r.summary == "" { // files that the page asks for itself
			continue
		}
		operation := object{"summary": r.summary, "operationId": strings.ToLower(r.method) + strings.NewReplacer("/v1", "", "/", "-", "{id...}", "id", ".", "-", "{$}", "root").Replace(r.pattern)}
		if r.access == public {
			operation["security"] = []object{}
		}
		parameters := []object{}
		if strings.Contains(r.pattern, "{id...}") {
			parameters = append(parameters, object{"name": "id", "in": "path", "required": true, "schema": object{"type": "string"}, "description": "Name of the account."})
		}
		if r.pattern == "/v1/rewrite" {
			parameters = append(parameters, object{"name": "Idempotency-Key", "in": "header", "schema": object{"type": "string", "minLength": minSecret, "maxLength": ledger.MaxKey},
				"description": "A retry under the same key gets the same answer and is charged once. Must be unguessable, such as a random UUID."})
		}
		if len(parameters) > 0 {
			operation["parameters"] = parameters
		}
		if r.request != nil {
			operation["requestBody"] = object{"required": true, "content": object{"application/json": object{"schema": b.of(reflect.TypeOf(r.request))}}}
		}
		ok := object{"description": "Done."}
		switch {
		case r.answer != nil:
			ok["content"] = object{"application/json": object{"schema": b.of(reflect.TypeOf(r.answer))}}
		case r.pattern == "/metrics":
			ok["content"] = object{"text/plain": object{}}
		case r.pattern == rootPattern:
			ok["content"] = object{"text/html": object{}}
		default:
			ok["content"] = object{"application/json": object{"schema": object{"type": "object"}}}
		}
		answers := object{"200": ok}
		for _, status := range r.problems {
			answers[strconv.Itoa(status)] = object{"description": http.StatusText(status), "content": object{"application/problem+json": object{"schema": problemRef}}}
		}
		if r.pattern == "/readyz" {
			answers["503"] = ok
		}
		operation["responses"] = answers
		paths[strings.NewReplacer("{id...}", "{id}", "{$}", "").Replace(r.pattern)] = object{strings.ToLower(r.method): operation}
	}
	return object{
		"openapi": "3.1.0",
		"info": object{"title": "sotto", "version": sotto.Version,
			"description": "Private copies of text under differential privacy, with enforced budgets. Errors are problem documents (RFC 9457) and contain no string of the request."},
		"paths": paths,
		"components": object{"schemas": b.named, "securitySchemes": object{"key": object{"type": "http", "scheme": "bearer",
			"description": "An API key. A server on loopback may be started without keys."}}},
		"security": []object{{"key": []string{}}},
	}
}

// schemas makes the JSON schema of Go types; structs become components.
type schemas struct{ named object }

// fixed are the types that write their own JSON.
func (b *schemas) fixed(t reflect.Type) object {
	number := object{"type": "number"}
	switch t {
	case reflect.TypeFor[time.Time]():
		return object{"type": "string", "format": "date-time"}
	case reflect.TypeFor[json.Number]():
		return number
	case reflect.TypeFor[sotto.Withheld]():
		return object{"type": "null"}
	case reflect.TypeFor[Field]():
		return object{"description": "A string, a number, true or false. Anything else is refused."}
	case reflect.TypeFor[Name]():
		return object{"type": "string", "minLength": 1}
	case reflect.TypeFor[Value]():
		return object{"type": []string{"number", "string"}}
	case reflect.TypeFor[sotto.Spans]():
		place := object{"type": "integer", "minimum": 0}
		return object{"type": "array", "items": object{"type": "object", "required": []string{"start", "end"}, "properties": object{"start": place, "end": place}}}
	case reflect.TypeFor[privacy.Standing]():
		return object{"type": "string", "enum": []string{"unknown", "refuted", "stated", "proved"}}
	case reflect.TypeFor[privacy.Relation]():
		return object{"type": "string", "enum": []string{"replace", "add-remove"}, "description": "The inputs that are compared differ in one unit: it is replaced, or it is added or removed."}
	case reflect.TypeFor[ledger.Amount]():
		return object{"type": "object", "properties": object{"epsilon": number, "delta": number}, "required": []string{"epsilon", "delta"},
			"description": "Exact decimal numbers, in billionths of epsilon and 1e-18ths of delta."}
	case reflect.TypeFor[privacy.Claim]():
		return object{"type": "object", "required": []string{"unit", "neighbouring", "notion", "distance", "epsilon", "delta", "assumes"}, "properties": object{
			"unit":         object{"type": "string"},
			"neighbouring": b.of(reflect.TypeFor[privacy.Relation]()),
			"notion":       object{"type": "string", "enum": []string{"pure", "approximate", "metric", "metric-approximate", "none"}},
			"distance":     object{"type": []string{"string", "null"}}, "epsilon": object{"type": []string{"number", "null"}, "description": "In nats, or nats per unit of distance; null where no finite loss holds."},
			"delta": number, "assumes": object{"type": "array", "items": object{"type": "string"}}}}
	case reflect.TypeFor[audit.Parameters](), reflect.TypeFor[audit.Certificate]():
		return object{"type": "object"}
	}
	return nil
}

func (b *schemas) of(t reflect.Type) object {
	if s := b.fixed(t); s != nil {
		return s
	}
	switch t.Kind() {
	case reflect.Pointer:
		s := b.of(t.Elem())
		if kind, ok := s["type"].(string); ok && s["properties"] == nil && s["enum"] == nil {
			nullable := object{}
			for k, v := range s {
				nullable[k] = v
			}
			nullable["type"] = []string{kind, "null"}
			return nullable
		}
		return object{"oneOf": []object{s, {"type": "null"}}}
	case reflect.Slice, reflect.Array:
		return object{"type": "array", "items": b.of(t.Elem())}
	case reflect.Map:
		return object{"type": "object", "additionalProperties": b.of(t.Elem())}
	case reflect.Struct:
		return b.component(t)
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.Int, reflect.Int64:
		return object{"type": "integer"}
	case reflect.Float64:
		return object{"type": "number"}
	case reflect.String:
		return object{"type": "string"}
	}
	return object{}
}

func (b *schemas) component(t reflect.Type) object {
	name := strings.ToUpper(t.Name()[:1]) + t.Name()[1:]
	if _, ok := b.named[name]; !ok {
		s := object{"type": "object"}
		b.named[name] = s // before its fields: types may refer to themselves
		properties, required := object{}, []string{}
		b.fields(t, properties, &required)
		s["properties"], s["required"] = properties, required
		if strings.HasSuffix(name, "Request") {
			s["additionalProperties"] = false
		}
	}
	return object{"$ref": "#/components/schemas/" + name}
}

func (b *schemas) fields(t reflect.Type, properties object, required *[]string) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		doc := f.Tag.Get("doc")
		switch {
		case f.Tag.Get("inline") == "true" || f.Anonymous && name == "":
			if f.Type.Kind() == reflect.Pointer { // may be absent with all its fields
				b.fields(f.Type.Elem(), properties, &[]string{})
			} else {
				b.fields(f.Type, properties, required)
			}
			continue
		case !f.IsExported() || name == "-" || doc == "-":
			continue
		}
		if properties[name] != nil { // a field of the outer struct, which hides this one
			continue
		}
		s := b.of(f.Type)
		if own := f.Tag.Get("schema"); own != "" {
			s = object{}
			if err := json.Unmarshal([]byte(own), &s); err != nil {
				panic(err) // a generated tag
			}
		}
		if doc != "" {
			s["description"] = doc
		}
		if enum := f.Tag.Get("enum"); enum != "" {
			s["enum"] = strings.Split(enum, ",")
		}
		properties[name] = s
		if !strings.Contains(options, "omitempty") {
			*required = append(*required, name)
		}
	}
}

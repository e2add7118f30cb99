package openapi

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/wire"
	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/request"
	"github.com/sotto-dp/sotto/statement"
	"github.com/sotto-dp/sotto/synthesis"
	"github.com/sotto-dp/sotto/text"
)

// schemas makes the schemas of Go types; structs become components.
type schemas struct {
	named    object
	types    map[string]reflect.Type // by name, of structs
	problems object                  // responses by name
}

// Numbers always have a format: a generator takes one without it for a float32.
func double() object { return object{"type": "number", "format": "double"} }

func whole(format string) object { return object{"type": "integer", "format": format} }

// null is the schema of a field that has no other value.
func null() object { return object{"nullable": true, "enum": []any{nil}} }

// withheld are fields of other packages that are null in every answer.
var withheld = map[reflect.Type][]string{
	reflect.TypeFor[synthesis.Statement](): {"documents", "tokens", "unknown_tokens"},
}

// nullable allows null where a schema does not.
func nullable(s object) object {
	if s["$ref"] != nil { // a reference takes no sibling
		return object{"allOf": []object{s}, "nullable": true}
	}
	s = maps.Clone(s)
	s["nullable"] = true
	return s
}

// fixed are the types that write their own JSON.
func (b *schemas) fixed(t reflect.Type) object {
	switch t {
	case reflect.TypeFor[time.Time]():
		return object{"type": "string", "format": "date-time"}
	case reflect.TypeFor[json.Number]():
		return double()
	case reflect.TypeFor[statement.Withheld]():
		return null()
	case reflect.TypeFor[wire.Field]():
		return object{"description": "A string, a number, true or false. Anything else counts as no value."}
	case reflect.TypeFor[wire.Fields](): // a schema that refused a record would tell what it holds
		return object{"description": "A list. Anything else counts as no list."}
	case reflect.TypeFor[wire.Name]():
		return object{"type": "string", "minLength": 1}
	case reflect.TypeFor[request.Value]():
		return object{"oneOf": []object{double(), {"type": "string"}}}
	case reflect.TypeFor[text.Spans]():
		place := whole("int64")
		place["minimum"] = 0
		return object{"type": "array", "items": object{"type": "object", "required": []string{"start", "end"}, "properties": object{
			"start": place, "end": place, "entity_type": object{"type": "string", "description": "The detector's name of what is marked; label is read too."}}}}
	case reflect.TypeFor[privacy.Standing]():
		return b.name("Standing", object{"type": "string", "enum": []string{"unknown", "refuted", "stated", "proved"}})
	case reflect.TypeFor[privacy.Relation]():
		return b.name("Relation", object{"type": "string", "enum": []string{"replace", "add-remove"}, "description": "The inputs that are compared differ in one unit: it is replaced, or it is added or removed."})
	case reflect.TypeFor[ledger.Amount]():
		return b.name("Amount", object{"type": "object", "properties": object{"epsilon": double(), "delta": double()}, "required": []string{"epsilon", "delta"},
			"description": "Exact decimal numbers, in billionths of epsilon and 1e-18ths of delta."})
	case reflect.TypeFor[privacy.Claim]():
		epsilon := nullable(double())
		epsilon["description"] = "In nats, or nats per unit of distance; null where no finite loss holds."
		return b.name("Claim", object{"type": "object", "required": []string{"unit", "neighbouring", "notion", "distance", "epsilon", "delta", "assumes"}, "properties": object{
			"unit":         object{"type": "string"},
			"neighbouring": b.of(reflect.TypeFor[privacy.Relation]()),
			"notion":       object{"type": "string", "enum": []string{"pure", "approximate", "metric", "metric-approximate", "none"}},
			"distance":     nullable(object{"type": "string"}), "epsilon": epsilon,
			"delta": double(), "assumes": object{"type": "array", "items": object{"type": "string"}}}})
	case reflect.TypeFor[audit.Parameters](), reflect.TypeFor[audit.Certificate]():
		return object{"type": "object", "additionalProperties": true}
	}
	return nil
}

func (b *schemas) of(t reflect.Type) object {
	if s := b.fixed(t); s != nil {
		return s
	}
	switch t.Kind() {
	case reflect.Pointer:
		return nullable(b.of(t.Elem()))
	case reflect.Slice, reflect.Array:
		return object{"type": "array", "items": b.of(t.Elem())}
	case reflect.Map:
		return object{"type": "object", "additionalProperties": b.of(t.Elem())}
	case reflect.Struct:
		return b.component(t)
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.Int, reflect.Int64:
		return whole("int64")
	case reflect.Uint64:
		return whole("uint64")
	case reflect.Float64:
		return double()
	case reflect.String:
		return object{"type": "string"}
	case reflect.Interface:
		return object{}
	}
	panic(fmt.Sprintf("a field has the type %v, which has no schema", t)) // in every test
}

func capital(name string) string { return strings.ToUpper(name[:1]) + name[1:] }

func (b *schemas) component(t reflect.Type) object {
	name := capital(t.Name())
	if other, ok := b.types[name]; ok && other != t { // of another package
		name = capital(path.Base(t.PkgPath())) + name
	}
	if _, ok := b.types[name]; !ok {
		b.types[name] = t
		s := object{"type": "object"}
		b.named[name] = s // before its fields: types may refer to themselves
		properties, required := object{}, []string{}
		b.fields(t, properties, &required)
		s["properties"], s["required"] = properties, required
		switch {
		case t == reflect.TypeFor[wire.SynthesizeRecord](): // all that is said of one that is an object
			delete(s, "required")
			s["additionalProperties"] = false
		case strings.HasSuffix(name, "Request"):
			s["additionalProperties"] = false
		}
	}
	return b.name(name, b.named[name])
}

// name makes a schema a component, so that a client has one type for it, and returns the
// reference to it.
func (b *schemas) name(name string, schema any) object {
	b.named[name] = schema
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
		if slices.Contains(withheld[t], name) {
			s = null()
		}
		if own := f.Tag.Get("schema"); own != "" {
			s = object{}
			if err := json.Unmarshal([]byte(own), &s); err != nil {
				panic(err) // a generated tag
			}
		}
		if s["$ref"] != nil && doc != "" { // a reference takes no sibling
			s = object{"allOf": []object{s}}
		}
		if doc == "" { // of a field that is a flag too
			doc = f.Tag.Get("help")
		}
		if doc != "" {
			s["description"] = doc
		}
		if enum := cmp.Or(f.Tag.Get("enum"), f.Tag.Get("oneof")); enum != "" {
			s["enum"] = strings.Split(enum, ",")
		}
		properties[name] = s
		if !strings.Contains(options, "omitempty") && !strings.Contains(options, "omitzero") {
			*required = append(*required, name)
		}
	}
}

package strictjson

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"sync"
)

// ErrTwice is returned for a document that different readers may understand differently.
var ErrTwice = errors.New("not one JSON document whose keys occur once")

// object is an object or a list that is being read; keys is nil for a list.
type object struct {
	keys   map[string]bool
	value  bool         // what follows is the value of a key
	fields fields       // of the struct that the object is read into
	of     reflect.Type // of the next value, nil if it does not matter
	any    bool         // of a value in which names are not checked
}

// Any is implemented by types of values whose content must not decide whether a document is
// refused: Exact does not look at the names in them.
type Any interface{ AnyJSON() }

// isAny reports whether a value of the type is one.
func isAny(t reflect.Type) bool {
	return t != nil && reflect.PointerTo(t).Implements(reflect.TypeFor[Any]())
}

// Unique refuses a document in which an object has a key twice, in whatever case, and
// anything after the document: a lenient reader takes the last of equal keys, and another
// program may take the first. Its error does not quote the data.
func Unique(data []byte) error { return walk(data, nil) }

// walk reads a document that will be read into a value of type t.
func walk(data []byte, t reflect.Type) error {
	if !json.Valid(data) { // one document, so that below only its parts are told apart
		return ErrTwice
	}
	open := []object{{of: t}}
	for i := 0; i < len(data); i++ {
		at := &open[len(open)-1]
		switch data[i] {
		case '{':
			open = append(open, object{keys: map[string]bool{}, fields: fieldsOf(at.of), of: within(at.of), any: at.any || isAny(at.of)})
		case '[':
			open = append(open, object{of: within(at.of), any: at.any || isAny(at.of)})
		case '}', ']':
			open = open[:len(open)-1]
		case ':':
			at.value = true
		case ',':
			at.value = false
		case '"':
			begin := i
			for i++; data[i] != '"'; i++ {
				if data[i] == '\\' {
					i++
				}
			}
			if at.keys == nil || at.value || at.any {
				continue
			}
			var key string
			if err := json.Unmarshal(data[begin:i+1], &key); err != nil {
				return ErrTwice
			}
			if err := at.key(key); err != nil {
				return err
			}
		}
	}
	return nil
}

// key begins the value of a key.
func (o *object) key(key string) error {
	folded := fold(key)
	if o.keys[folded] {
		return ErrTwice
	}
	o.keys[folded] = true
	if o.fields != nil {
		f, ok := o.fields[folded]
		if ok && f.name != key {
			return ErrName
		}
		o.of = f.of
	}
	return nil
}

// ErrName is returned for a document that names a field in another case.
var ErrName = errors.New("a field's name is in another case")

// Exact refuses what Unique refuses, and a document that names a field of v, or of a struct
// in v, in another case: encoding/json takes it for that field, another reader may not. It
// does not look for unknown fields. Its errors do not quote the data.
func Exact(data []byte, v any) error { return walk(data, reflect.TypeOf(v)) }

// fields are the fields of a struct by the folded name, and nil for other types.
type fields map[string]field

type field struct {
	name string
	of   reflect.Type
}

var known sync.Map // fields by reflect.Type

// fieldsOf returns the fields that encoding/json fills. What reads its own JSON has none.
func fieldsOf(t reflect.Type) fields {
	if t = elem(t); t == nil || t.Kind() != reflect.Struct {
		return nil
	}
	if f, ok := known.Load(t); ok {
		return f.(fields)
	}
	all := fields{}
	all.add(t)
	known.Store(t, all)
	return all
}

// add adds the fields of a struct, and then those of the structs in it, which it hides.
func (all fields) add(t reflect.Type) {
	var inner []reflect.Type
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "-":
			continue
		case f.Anonymous && name == "":
			inner = append(inner, elem(f.Type))
			continue
		case !f.IsExported():
			continue
		case name == "":
			name = f.Name
		}
		if _, hidden := all[fold(name)]; !hidden {
			all[fold(name)] = field{name, f.Type}
		}
	}
	for _, t := range inner {
		if t != nil && t.Kind() == reflect.Struct {
			all.add(t)
		}
	}
}

// elem returns what pointers point to, or nil for a type that reads its own JSON.
func elem(t reflect.Type) reflect.Type {
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == nil || reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()) {
		return nil
	}
	return t
}

// within returns the type of the values of a list or a map.
func within(t reflect.Type) reflect.Type {
	if t = elem(t); t != nil && (t.Kind() == reflect.Slice || t.Kind() == reflect.Array || t.Kind() == reflect.Map) {
		return t.Elem()
	}
	return nil
}

// fold folds a key as encoding/json does.
func fold(key string) string { return strings.ToLower(strings.ToUpper(key)) }

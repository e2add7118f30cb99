package strictjson

import (
	"encoding/json"
	"errors"
	"reflect"
)

// ErrTwice is returned for a document that different readers may understand differently.
var ErrTwice = errors.New("not one JSON document whose keys occur once")

// object is an object or a list that is being read; keys is nil for a list.
type object struct {
	keys   map[string]bool
	value  bool         // what follows is the value of a key
	fields fields       // of the struct that the object is read into
	of     reflect.Type // of the next value, nil if it does not matter
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
			open = append(open, object{keys: map[string]bool{}, fields: fieldsOf(at.of), of: within(at.of)})
		case '[':
			open = append(open, object{of: within(at.of)})
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
			if at.keys == nil || at.value {
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

package sottobeam

import (
	"fmt"
	"reflect"
	"strings"
)

// fields locates the private texts of an element type, and its key.
type fields struct {
	of    reflect.Type
	paths [][]int
	key   []int // nil without a key
	spans []int // nil without marks of the element
}

// fieldsOf finds the fields with these names, or else the tagged ones.
func fieldsOf(t reflect.Type, names []string) (*fields, error) {
	if t.Kind() == reflect.String {
		if len(names) > 0 {
			return nil, fmt.Errorf("sottobeam: strings have no fields")
		}
		return &fields{of: t}, nil
	}
	if t.Kind() != reflect.Struct {
		return nil, fmt.Errorf("sottobeam: elements must be strings or structures, got %s", t)
	}
	f := &fields{of: t}
	for _, name := range names {
		path, err := pathOf(t, name)
		if err != nil {
			return nil, err
		}
		f.paths = append(f.paths, path)
	}
	for i := range t.NumField() {
		field := t.Field(i)
		switch tag := field.Tag.Get("sotto"); {
		case tag == "key" && f.key == nil && keyKind(field.Type):
			f.key = field.Index
		case tag == "key":
			return nil, fmt.Errorf("sottobeam: field %s of %s cannot be the key: the key must be one field, a string or an integer", field.Name, t)
		case tag == "private" && len(names) == 0:
			path, err := pathOf(t, field.Name)
			if err != nil {
				return nil, err
			}
			f.paths = append(f.paths, path)
		}
	}
	if len(f.paths) == 0 {
		return nil, fmt.Errorf("sottobeam: no field of %s is named or tagged `sotto:\"private\"`", t)
	}
	return f, nil
}

func keyKind(t reflect.Type) bool {
	return t.Kind() == reflect.String || t.Kind() >= reflect.Int && t.Kind() <= reflect.Uint64
}

// find returns the path and the type of a field by name, with dots for nested structures.
func find(t reflect.Type, name string) (path []int, of reflect.Type, err error) {
	for _, step := range strings.Split(name, ".") {
		if t.Kind() != reflect.Struct {
			return nil, nil, fmt.Errorf("sottobeam: there is no field %s", name)
		}
		field, ok := t.FieldByName(step)
		if !ok || !field.IsExported() {
			return nil, nil, fmt.Errorf("sottobeam: there is no field %s", name)
		}
		path, t = append(path, field.Index...), field.Type
	}
	return path, t, nil
}

// pathOf finds a field of texts.
func pathOf(t reflect.Type, name string) ([]int, error) {
	path, t, err := find(t, name)
	if err != nil {
		return nil, err
	}
	if (t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice) && t.Elem().Kind() == reflect.String || t.Kind() == reflect.String {
		return path, nil
	}
	return nil, fmt.Errorf("sottobeam: field %s must be a string, a pointer to a string or a slice of strings, got %s", name, t)
}

// keyOf returns the element's own key, if it has one.
func (f *fields) keyOf(x any) (string, bool) {
	if f.key == nil {
		return "", false
	}
	return fmt.Sprint(reflect.ValueOf(x).FieldByIndex(f.key).Interface()), true
}

// copyOf returns an element's key and texts, and a function that copies the element with
// other texts. The element itself is never changed, since other stages may hold it.
func (f *fields) copyOf(x any) (private func(texts [][]byte) any, key string, texts [][]byte) {
	if f.paths == nil {
		old := reflect.ValueOf(x)
		return func(out [][]byte) any {
			return reflect.ValueOf(string(out[0])).Convert(old.Type()).Interface()
		}, "", [][]byte{[]byte(old.String())}
	}
	key, _ = f.keyOf(x)
	copied := reflect.New(f.of).Elem()
	copied.Set(reflect.ValueOf(x))
	if f.spans != nil {
		copied.FieldByIndex(f.spans).SetZero()
	}
	var places []reflect.Value
	for _, path := range f.paths {
		v := copied.FieldByIndex(path)
		switch v.Kind() {
		case reflect.String:
			places = append(places, v)
		case reflect.Pointer:
			if !v.IsNil() {
				own := reflect.New(v.Type().Elem())
				own.Elem().Set(v.Elem())
				v.Set(own)
				places = append(places, own.Elem())
			}
		case reflect.Slice:
			own := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
			reflect.Copy(own, v)
			if !v.IsNil() {
				v.Set(own)
			}
			for i := range own.Len() {
				places = append(places, own.Index(i))
			}
		}
	}
	for _, p := range places {
		texts = append(texts, []byte(p.String()))
	}
	return func(out [][]byte) any {
		for i, p := range places {
			p.SetString(string(out[i]))
		}
		return copied.Interface()
	}, key, texts
}

package sottobeam

import (
	"fmt"
	"reflect"

	"github.com/sotto-dp/sotto/synthesis"
)

// source reads the records of an element type.
type source struct {
	text   []int
	labels [][]int
	user   []int // nil where the claim is for records
}

// source finds the fields of the text and of the labels in an element type.
func (c Synthesis) source(t reflect.Type) (*source, error) {
	if t.Kind() != reflect.Struct {
		return nil, fmt.Errorf("sottobeam: elements must be structures with the named fields, got %s", t)
	}
	s := &source{}
	var err error
	if s.text, err = valueOf(t, c.Text); err != nil {
		return nil, err
	}
	for _, by := range c.By {
		path, err := valueOf(t, by.Field)
		if err != nil {
			return nil, err
		}
		s.labels = append(s.labels, path)
	}
	if c.User != "" {
		if s.user, err = valueOf(t, c.User); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// valueOf finds the field of one value.
func valueOf(t reflect.Type, name string) ([]int, error) {
	path, t, err := find(t, name)
	if err != nil {
		return nil, err
	}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if k := t.Kind(); k != reflect.String && (k < reflect.Bool || k > reflect.Float64 || k == reflect.Uintptr) {
		return nil, fmt.Errorf("sottobeam: field %s must be a string, a number or a truth value, got %s", name, t)
	}
	return path, nil
}

// record reads an element. Any element is a record.
func (s *source) record(x any) synthesis.Record {
	v := reflect.ValueOf(x)
	r := synthesis.Record{Text: value(v, s.text)}
	for _, path := range s.labels {
		r.Labels = append(r.Labels, value(v, path))
	}
	if s.user != nil {
		r.User = value(v, s.user)
	}
	return r
}

// value writes a field as text; nil where there is none.
func value(v reflect.Value, path []int) []byte {
	v, err := v.FieldByIndexErr(path)
	if err != nil { // in an embedded structure that is nil
		return nil
	}
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return nil
		}
		v = v.Elem()
	}
	if v.Kind() == reflect.String {
		return []byte(v.String())
	}
	return fmt.Append(nil, v.Interface())
}

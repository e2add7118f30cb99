//go:generate go run ../internal/gen/parameters ..

package request

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
)

// Value is the value of a parameter, as text. A JSON number or string is one.
type Value string

// UnmarshalText takes any text.
func (v *Value) UnmarshalText(text []byte) error {
	*v = Value(text)
	return nil
}

// UnmarshalJSON accepts a number or a string. A whole number is one however JSON spells it: 10,
// 10.0, 1e1.
func (v *Value) UnmarshalJSON(data []byte) error {
	switch {
	case data[0] == '"':
		return json.Unmarshal(data, (*string)(v))
	case data[0] == '-' || data[0] >= '0' && data[0] <= '9':
		*v = Value(data)
		if x, err := strconv.ParseFloat(string(data), 64); err == nil && x == math.Trunc(x) && math.Abs(x) < 1<<53 {
			*v = Value(strconv.FormatInt(int64(x), 10))
		}
	case !bytes.Equal(data, []byte("null")):
		kind := map[byte]string{'{': "object", '[': "array"}[data[0]]
		if kind == "" {
			kind = "bool"
		}
		return &json.UnmarshalTypeError{Value: kind, Type: reflect.TypeFor[Value]()}
	}
	return nil
}

// field is a field of a request, or of a part of one.
type field struct {
	name  string // of the flag
	of    reflect.StructField
	value reflect.Value
}

// fields returns the fields of a struct and of those that it embeds.
func fields(v reflect.Value) iter.Seq[field] {
	return func(yield func(field) bool) {
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if f.Anonymous {
				for inner := range fields(v.Field(i)) {
					if !yield(inner) {
						return
					}
				}
				continue
			}
			if name := nameOf(f); name != "" && !yield(field{name, f, v.Field(i)}) {
				return
			}
		}
	}
}

// nameOf returns the name of the flag for a field; empty if it is no field of requests.
func nameOf(f reflect.StructField) string {
	if name := f.Tag.Get("name"); name != "" {
		return name
	}
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	if name == "-" {
		return ""
	}
	return strings.ReplaceAll(name, "_", "-")
}

// Names returns the names of the fields of a request, or of a part of one, as flags.
func Names(of any) (names []string) {
	for f := range fields(reflect.Indirect(reflect.ValueOf(of))) {
		names = append(names, f.name)
	}
	return names
}

// Given returns the flags of a struct of parameters that are set, by name.
func Given(parameters any) mechanism.Values {
	all := mechanism.Values{}
	for f := range fields(reflect.Indirect(reflect.ValueOf(parameters))) {
		if value := f.value.String(); value != "" {
			all[f.name] = value
		}
	}
	return all
}

// ParamOf returns parameters of the mechanism as a request has them.
func ParamOf(values mechanism.Values) map[string]Value {
	all := map[string]Value{}
	for name, value := range values {
		all[name] = Value(value)
	}
	return all
}

// Decode sets fields of a request, or of a part of one, from JSON values by their names. Errors
// are *privacy.ParameterError: a value of another type, and a name that the request lacks.
func Decode(who string, into any, values map[string]json.RawMessage) error {
	v := reflect.ValueOf(into).Elem()
	for _, name := range slices.Sorted(maps.Keys(values)) { // errors must not depend on the order of a map
		target := reflect.Value{}
		for f := range fields(v) {
			if f.name == strings.ReplaceAll(name, "_", "-") {
				target = f.value
			}
		}
		if !target.IsValid() {
			return &privacy.ParameterError{Who: who, Name: "parameter", Value: name, Have: Names(into)}
		}
		if string(values[name]) == `""` { // with an empty account nothing would be charged
			return &ValueError{Name: name, Value: `""`, Must: "a value, or left out"}
		}
		if json.Unmarshal(values[name], target.Addr().Interface()) != nil {
			return &ValueError{Name: name, Value: string(values[name]), Must: kindOf(target.Type())}
		}
	}
	return nil
}

// kindOf describes what JSON values a type takes.
func kindOf(t reflect.Type) string {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.Float64:
		return "a number"
	case reflect.Int:
		return "a whole number"
	case reflect.Uint64:
		return "a whole number, 0 or more"
	case reflect.Map:
		return "values by name"
	}
	if t == reflect.TypeFor[Value]() {
		return "a number or a word"
	}
	return fmt.Sprintf("a %s", t.Kind())
}

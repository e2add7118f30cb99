package wire

import (
	"reflect"
	"strings"
)

// fieldNames are the names that a request may have; problems repeat no others.
var fieldNames = namesOf(nil, reflect.TypeFor[RewriteRequest](), reflect.TypeFor[CostRequest](), reflect.TypeFor[ExplainRequest](), reflect.TypeFor[SynthesizeRequest]())

// namesOf appends the JSON names of the fields of structs.
func namesOf(names []string, structs ...reflect.Type) []string {
	for _, t := range structs {
		for i := range t.NumField() {
			if f := t.Field(i); f.Anonymous {
				names = namesOf(names, f.Type)
			} else {
				names = append(names, jsonName(f))
			}
		}
	}
	return names
}

// jsonName returns the JSON name of a field.
func jsonName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}

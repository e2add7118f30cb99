package request

import (
	"encoding/json"
	"flag"
	"fmt"
	"reflect"
	"strings"
)

// AddFlags declares the fields of a request, or of a part of one, as flags of a program whose
// other flags are those of a framework. Their names have underscores, as fields of JSON.
func AddFlags(to *flag.FlagSet, into any) {
	for f := range fields(reflect.ValueOf(into).Elem()) {
		name, help := strings.ReplaceAll(f.name, "-", "_"), f.of.Tag.Get("help")
		set := func(text string) error { return setText(f.value, text) }
		if f.value.Kind() == reflect.Bool {
			to.BoolFunc(name, help, set)
		} else {
			to.Func(name, help, set)
		}
	}
}

// setText sets a field from the text of a flag; a map gets one entry more.
func setText(v reflect.Value, text string) error {
	if v.Kind() == reflect.Map {
		key, value, ok := strings.Cut(text, "=")
		if !ok {
			return fmt.Errorf("give it as KEY=VALUE")
		}
		entry := reflect.New(v.Type().Elem()).Elem()
		if err := setText(entry, value); err != nil {
			return err
		}
		if v.IsNil() {
			v.Set(reflect.MakeMap(v.Type()))
		}
		v.SetMapIndex(reflect.ValueOf(key), entry)
		return nil
	}
	if v.Kind() == reflect.String {
		if text == "" {
			return fmt.Errorf("it is empty: give it a value, or leave it out")
		}
		v.SetString(text)
		return nil
	}
	if text == "null" || json.Unmarshal([]byte(text), v.Addr().Interface()) != nil {
		return fmt.Errorf("it must be %s", kindOf(v.Type()))
	}
	return nil
}

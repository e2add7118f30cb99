package grammar

import (
	"fmt"
	"reflect"

	"github.com/alecthomas/kong"
)

// asGiven takes texts of the command line byte by byte. Names of files need not be UTF-8, and
// kong's own mapper, which goes through JSON, would name others.
var asGiven = kong.KindMapper(reflect.String, kong.MapperFunc(func(ctx *kong.DecodeContext, target reflect.Value) error {
	token, err := ctx.Scan.PopValue("string")
	if err != nil {
		return err
	}
	value, ok := token.Value.(string)
	if !ok {
		return fmt.Errorf("expected a text, got %v", token.Value)
	}
	target.SetString(value)
	return nil
}))

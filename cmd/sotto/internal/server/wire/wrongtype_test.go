package wire

import (
	"testing"

	"github.com/sotto-dp/sotto/text"
)

// The error names the field and both types, and repeats no value.
func TestWrongTypesAreNamed(t *testing.T) {
	for body, want := range map[string]string{
		`{"texts":"a"}`:               "texts has a value of type string where a list must be",
		`{"texts":[17]}`:              "texts has a value of type number where a string must be",
		`{"epsilon":"17"}`:            "epsilon has a value of type string where a number must be",
		`{"epsilon":1e400}`:           "epsilon has a number that is too large",
		`{"words":1e400}`:             "words must be a whole number of at most 64 bits",
		`{"words":1.5}`:               "words must be a whole number of at most 64 bits",
		`{"epsilon":[17]}`:            "epsilon has a value of type list where a number must be",
		`{"spans":[[{"start":0.5}]]}`: text.ErrSpans.Error(),
		`{"texts":[],"report":"yes"}`: "report has a value of type string where true or false must be",
	} {
		var req RewriteRequest
		err := Decode([]byte(body), 1000, &req)
		if err == nil || ProblemOf(err).Detail != want {
			t.Errorf("%s: %v, want %q", body, err, want)
		}
	}
}

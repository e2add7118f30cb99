package request

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/mechanism/catalog"
)

// decoded returns the request of a JSON object.
func decoded(t *testing.T, text string) *Request {
	t.Helper()
	r := new(Request)
	var values map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &values); err != nil {
		t.Fatal(err)
	}
	if err := Decode("test", r, values); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return r
}

// Each row of the table has a request that it refuses, and that is fine without one field.
func TestConflictsAreRefused(t *testing.T) {
	const cap = `"document_epsilon": 9, "document_tokens": 9`
	for text, want := range map[string]string{
		`"unit": "word", "corpus": "c"`:                                    "corpus cannot be used with unit word",
		`"unit": "word", "model": "m"`:                                     "model cannot be used with unit word",
		`"model": "m", "corpus": "c"`:                                      "corpus cannot be used with model",
		`"mechanism": "adept"`:                                             "mechanism adept needs model",
		`"pieces": 2`:                                                      "pieces needs model",
		`"beam": 2`:                                                        "beam needs model",
		`"model": "m", "words": 9`:                                         "words cannot be used with model",
		`"corpus": "c", "words": 9`:                                        "words cannot be used with corpus",
		`"unit": "text", "never": "n"`:                                     "never cannot be used with unit text",
		`"mechanism": "retrieval", "unknown": "u"`:                         "unknown cannot be used with mechanism retrieval",
		`"unit": "text", "consistent": true`:                               "consistent cannot be used with unit text",
		`"document_delta": 0.1`:                                            "document-delta needs document-epsilon",
		`"document_tokens": 9`:                                             "document-tokens needs document-epsilon",
		`"over": "clamp"`:                                                  "over needs document-epsilon",
		`"document_epsilon": 9`:                                            "document-epsilon needs document-tokens",
		cap + `, "consistent": true`:                                       "consistent cannot be used with document-epsilon",
		cap + `, "unit": "text"`:                                           "document-epsilon cannot be used with unit text",
		`"text_vectors": "v"`:                                              "text-vectors needs unit text",
		`"shuffle": true`:                                                  "shuffle needs unit text",
		`"unit": "text", "shuffle_delta": 0.1`:                             "shuffle-delta needs shuffle",
		`"user": "u", "per_user": 2`:                                       "user needs unit text",
		`"unit": "text", "per_user": 2`:                                    "per-user needs user",
		`"unit": "text", "user": "u"`:                                      "user needs per-user",
		`"unit": "text", "pad": true`:                                      "pad needs user",
		`"model": "m", "text_vectors": "v"`:                                "text-vectors cannot be used with model",
		`"model": "m", "shuffle": true`:                                    "shuffle cannot be used with model",
		`"model": "m", "user": "u", "per_user": 1`:                         "user cannot be used with model",
		`"marked_epsilon": 2`:                                              "marked-epsilon needs spans",
		`"marked_epsilon": 2, "spans": "s", "require_certificate": "c"`:    "marked-epsilon cannot be used with require-certificate",
		`"spans": "s", "spans_field": "f"`:                                 "spans cannot be used with spans-field",
		`"spans_field": "f", "unit": "text"`:                               "spans-field cannot be used with unit text",
		`"spans": "s", "consistent": true`:                                 "spans cannot be used with consistent",
		cap + `, "spans_field": "f"`:                                       "spans-field cannot be used with document-epsilon",
		`"spans_format": "conll"`:                                          "spans-format needs spans",
		`"type_codebook": {"A": "f"}`:                                      "type-codebook needs typed",
		`"type_epsilon": {"A": 1}`:                                         "type-epsilon needs typed",
		`"strict_types": true`:                                             "strict-types needs typed",
		`"keep_map": "m"`:                                                  "keep-map needs typed",
		`"typed": true`:                                                    "typed needs spans",
		`"typed": true, "mark_patterns": true, "unit": "text"`:             "mark-patterns cannot be used with unit text",
		`"typed": true, "spans": "s", "mechanism": "response"`:             "typed cannot be used with mechanism",
		`"typed": true, "spans": "s", "neighbours": 3`:                     "typed cannot be used with param",
		`"typed": true, "spans": "s", "calibrate": "published"`:            "typed cannot be used with calibrate",
		`"typed": true, "spans_field": "s", "marked_epsilon": 2`:           "typed cannot be used with marked-epsilon",
		`"typed": true, "spans": "s", "unknown": "zzz"`:                    "typed cannot be used with unknown",
		`"typed": true, "spans": "s", "require_certificate": "c"`:          "typed cannot be used with require-certificate",
		`"typed": true, "spans": "s", "keep_map": "m", "insecure_seed": 1`: "keep-map cannot be used with insecure-seed",
		`"model": "m", "require_certificate": "c"`:                         "require-certificate cannot be used with model",
	} {
		err := decoded(t, `{"epsilon": 8, `+text+`}`).Check("test")
		var conflict *ConflictError
		if !errors.As(err, &conflict) || !strings.HasPrefix(err.Error(), want+": ") {
			t.Errorf("%s gives %v, want %s", text, err, want)
		}
	}
	for _, text := range []string{"", `, "unit": "text"`, `, "corpus": "c", "user": "u", "per_user": 2, "pad": true`, `, "spans": "s", "marked_epsilon": 2`, `, "typed": true, "mark_patterns": true, "consistent": true, "epsilon": 0, "type_epsilon": {"AGE": 0}`, `, "model": "m", "pieces": 2`, ", " + cap} {
		if err := decoded(t, `{"epsilon": 8`+text+`}`).Check("test"); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestWhatIsWrongAloneIsRefused(t *testing.T) {
	for text, want := range map[string]any{
		`{"epsilon": 8, "unit": "line"}`:      new(*ValueError),
		`{"epsilon": 8, "accept": "proved"}`:  new(*ValueError),
		`{"epsilon": 8, "mechanism": "none"}`: new(*sotto.UnknownMechanismError),
		`{}`:                                  new(*MissingEpsilonError),
	} {
		if err := decoded(t, text).Check("test"); !errors.As(err, want) {
			t.Errorf("%s gives %v", text, err)
		}
	}
	if err := decoded(t, `{"epsilon": -1}`).Check("test"); err == nil || err.Error() != "test: epsilon must be positive and finite, got -1" {
		t.Error(err)
	}
	if err := decoded(t, `{"document_epsilon": 9, "document_tokens": 9}`).Check("test"); err != nil {
		t.Errorf("a cap chooses epsilon: %v", err)
	}
}

// A value of another type is an error that names the field and what it must be.
func TestDecodeRefusesOtherTypesAndNames(t *testing.T) {
	for text, want := range map[string]string{
		`{"epsilon": "4"}`:         `epsilon must be a number, got "4"`,
		`{"epsilon": true}`:        `epsilon must be a number, got true`,
		`{"document-tokens": 1.5}`: `document-tokens must be a whole number, got 1.5`,
		`{"insecure_seed": -1}`:    `insecure_seed must be a whole number, 0 or more, got -1`,
		`{"consistent": "yes"}`:    `consistent must be true or false, got "yes"`,
		`{"neighbours": true}`:     `neighbours must be a number or a word, got true`,
		`{"param": [1]}`:           `param must be values by name, got [1]`,
		`{"unit": 1}`:              `unit must be a string, got 1`,
		`{"never": ""}`:            `never is empty: give it a value, or leave it out`,
	} {
		var values map[string]json.RawMessage
		_ = json.Unmarshal([]byte(text), &values)
		if err := Decode("test", new(Request), values); err == nil || err.Error() != want {
			t.Errorf("%s gives %v, want %s", text, err, want)
		}
	}
	err := Decode("test", new(Request), map[string]json.RawMessage{"epsilom": []byte("1")})
	if err == nil || !strings.Contains(err.Error(), "epsilom") {
		t.Error(err)
	}
}

// A parameter is the same by its field and by name, as a number and as text.
func TestParametersAreReadByFieldAndByName(t *testing.T) {
	for _, text := range []string{`{"code-seed": 3, "bits": "64"}`, `{"code_seed": "3", "bits": 64}`, `{"param": {"code-seed": 3, "bits": 64}}`, `{"code-seed": 3.0, "bits": 6.4e1}`} {
		if got := decoded(t, text).Values(); got["code-seed"] != "3" || got["bits"] != "64" || len(got) != 2 {
			t.Errorf("%s gives %v", text, got)
		}
	}
	if got := decoded(t, `{"gamma": 0.50}`).Values(); got["gamma"] != "0.50" { // a number that is not whole stays as it is
		t.Errorf("0.50 is read as %v", got)
	}
}

// Every field has a name and a help text, and no two have the same name.
func TestFieldsAreDescribed(t *testing.T) {
	seen := Names(new(Request))
	for _, p := range catalog.Parameters() {
		if !slices.Contains(seen, p.Name) {
			t.Errorf("there is no field for the parameter %s", p.Name)
		}
	}
	slices.Sort(seen)
	if len(slices.Compact(seen)) != len(Names(new(Request))) {
		t.Error("two fields have the same name")
	}
	for _, of := range []any{new(Request), new(Embedding), new(Payment)} {
		for f := range fields(reflect.ValueOf(of).Elem()) {
			if f.of.Tag.Get("help") == "" || f.of.Tag.Get("group") == "" && reflect.TypeFor[Value]() != f.of.Type {
				t.Errorf("%s has no help or group", f.name)
			}
		}
	}
}

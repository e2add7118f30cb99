package text_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/sotto-dp/sotto/text"
)

func TestSpanLinesLeaveOutTheirField(t *testing.T) {
	const spans = `[{"start":1,"end":2,"word":"secret"}]`
	for in, want := range map[string]string{
		`{"ents":` + spans + `,"t":"a b"}`:               `{"t":"a b"}`,
		`{"t":"a b","ents":` + spans + `}`:               `{"t":"a b"}`,
		`{"t":"a b" , "ents" : ` + spans + ` , "n":1}`:   `{"t":"a b" , "n":1}`,
		`{ "ents" :` + spans + ` , "t":"a"}`:             `{ "t":"a"}`,
		`{"ents":` + spans + `}`:                         `{}`,
		`{"\u0065nts":` + spans + `,"t":"a"}`:            `{"t":"a"}`,
		`{"ents":{"spans":` + spans + `},"t":"a"}`:       `{"t":"a"}`,
		`{"t":{"ents":"kept"},"ents":` + spans + `}`:     `{"t":{"ents":"kept"}}`,
		`{"t":",\"ents\":","ents":` + spans + `,"u":[]}`: `{"t":",\"ents\":","u":[]}`,
	} {
		for _, end := range []string{"\n", "", "\r\n"} {
			s := text.NewSpanLines(iotest.OneByteReader(strings.NewReader(in+end)), "ents")
			got, err := io.ReadAll(s)
			if err != nil || string(got) != want+end {
				t.Errorf("%s: %s, want %s (%v)", in, got, want, err)
				continue
			}
			if row, err := s.Row(0, nil); err != nil || s.Rows() != 1 || !reflect.DeepEqual(row, []text.Span{{Start: 1, End: 2}}) {
				t.Errorf("%s: %v (%v)", in, row, err)
			}
		}
	}
}

func TestSpanLinesRefuseWhatTheyCannotRead(t *testing.T) {
	for in, want := range map[string]string{
		`{"t":"secret"}`:             `line 2: there is no field "ents"`,
		`{"ents":[],"ents":[]}`:      `line 2: field "ents" is there twice`,
		`{"ents":[],"\u0065nts":[]}`: `line 2: field "ents" is there twice`,
		`{"ents":null}`:              `line 2: field "ents": spans must be`,
		`{"ents":"secret"}`:          `line 2: field "ents": spans must be`,
		`{"ents":[{"start":0}]}`:     `line 2: field "ents": spans must be`,
		`["secret"]`:                 `line 2: not a JSON object`,
		`{"ents":[]`:                 `line 2: not a JSON document`,
		`{"ents":[]} {"ents":[]}`:    `line 2: not a JSON document`,
		`secret`:                     `line 2: not a JSON document`,
	} {
		got, err := io.ReadAll(text.NewSpanLines(strings.NewReader("{\"ents\":[]}\n"+in+"\n{\"ents\":[]}\n"), "ents"))
		var fault *text.InputError
		if !errors.As(err, &fault) || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "secret") || string(got) != "{}\n" {
			t.Errorf("%s: %q, %v", in, got, err)
		}
	}
}

// Whatever else a record holds and wherever the field is, the rest means the same as before,
// nothing of the field is left, and blank lines are no records.
func TestSpanLinesKeepTheRest(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	keys := []string{"a", "ents ", "Ents", "b,c", `d":"e`, "f\\", "g{", "text"}
	values := []any{"x, \"ents\": y", 1.5, nil, true, []any{map[string]any{"ents": 1.0}, "}"}, map[string]any{"ents": "k"}, "ä\u2028"}
	var in bytes.Buffer
	var want []map[string]any
	for range 2000 {
		all := map[string]any{}
		for range rng.IntN(5) {
			all[keys[rng.IntN(len(keys))]] = values[rng.IntN(len(values))]
		}
		want = append(want, maps.Clone(all))
		members := []string{}
		for k, v := range all {
			name, _ := json.Marshal(k)
			value, _ := json.Marshal(v)
			members = append(members, string(name)+strings.Repeat(" ", rng.IntN(2))+":"+strings.Repeat("\t", rng.IntN(2))+string(value))
		}
		at := rng.IntN(len(members) + 1)
		members = append(members[:at], append([]string{`"ents":[{"start":0,"end":1,"word":"canary"}]`}, members[at:]...)...)
		in.WriteString("{" + strings.Repeat(" ", rng.IntN(2)) + strings.Join(members, strings.Repeat(" ", rng.IntN(2))+","+strings.Repeat(" ", rng.IntN(2))) + " }\n")
		in.WriteString(strings.Repeat(" \r\n", rng.IntN(2)))
	}
	s := text.NewSpanLines(&in, "ents")
	got, err := io.ReadAll(s)
	if err != nil || bytes.Contains(got, []byte("canary")) || s.Rows() != len(want) {
		t.Fatalf("%d records of %d: %v", s.Rows(), len(want), err)
	}
	i := 0
	for line := range bytes.Lines(got) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var all map[string]any
		if err := json.Unmarshal(line, &all); err != nil || !reflect.DeepEqual(all, want[i]) {
			t.Fatalf("record %d is %s, want %v (%v)", i, line, want[i], err)
		}
		i++
	}
}

package server_test

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/server"
	"github.com/sotto-dp/sotto/typed"
)

const markedNote = "Anna Kowalczyk (é) called on 2024-03-17 from 617-555-0143."

type markReading struct {
	Results []struct {
		Marks []struct {
			Start, End int
			Type       string `json:"entity_type"`
		}
		Error string
	}
	Promise   string
	Statement struct {
		Types map[string]struct {
			Epsilon float64
			Values  int
		}
		DocumentEpsilonMax *float64 `json:"document_epsilon_max"`
		Patterns           string
		NotProtected       []string `json:"not_protected"`
	}
	Cost any
}

func readMarks(t *testing.T, r *running, more string) (a markReading, body string) {
	t.Helper()
	body = r.ask("POST", "/v1/read", `{"texts":["`+markedNote+`"],"typed":true,`+more+`}`).want(t, 200, "").body
	if err := json.Unmarshal([]byte(body), &a); err != nil {
		t.Fatal(err)
	}
	return a, body
}

// The page shows the marks that are given and those that are found by their shape, with what
// is guaranteed of each, and draws them by the request that any client makes.
func TestMarksAreReadWithTheirTypesAndDrawnInPieces(t *testing.T) {
	r := start(t, server.Config{Playground: true, Spans: true})
	read, body := readMarks(t, r, `"epsilon":4,"mark_patterns":true,"spans":[[{"start":0,"end":14,"label":"PER"}]]`)
	want := []string{"Anna Kowalczyk PERSON 0", "2024-03-17 DATE 4", "617-555-0143 PHONE_NUMBER 0"}
	letters, got := []rune(markedNote), []string{}
	for _, m := range read.Results[0].Marks {
		got = append(got, fmt.Sprint(string(letters[m.Start:m.End]), " ", m.Type, " ", math.Round(read.Statement.Types[m.Type].Epsilon)))
	}
	if !slices.Equal(got, want) || read.Statement.Types["DATE"].Epsilon > 4 || read.Statement.Types["DATE"].Values == 0 || len(read.Statement.Types) != 3 {
		t.Errorf("read as %q, want %q: %s", got, want, body)
	}
	if read.Statement.DocumentEpsilonMax != nil || read.Cost != nil || read.Statement.Patterns == "" {
		t.Errorf("of the whole text it says %s", body)
	}
	for _, says := range []string{"What is not marked stays in clear", "Marks and types are public", "for the whole text there is no guarantee"} {
		if !strings.Contains(read.Promise, says) {
			t.Errorf("the promise %q lacks %q", read.Promise, says)
		}
	}
	if said := strings.Join(read.Statement.NotProtected, "\n"); !strings.Contains(said, "the shape of what the patterns marked") || !strings.Contains(said, "stays in clear") {
		t.Errorf("not protected is %q", said)
	}
	a := r.ask("POST", "/v1/rewrite", `{"texts":["`+markedNote+`"],"typed":true,"strict_types":true,"pieces":true,"epsilon":4,
		"spans":[[{"start":0,"end":14,"entity_type":"PERSON"},{"start":29,"end":39,"entity_type":"DATE"},{"start":45,"end":57,"entity_type":"PHONE_NUMBER"}]]}`).want(t, 200, "")
	var drawn struct {
		Results []struct {
			Text   string
			Pieces []string
		}
	}
	if err := json.Unmarshal([]byte(a.body), &drawn); err != nil {
		t.Fatal(err)
	}
	one := drawn.Results[0]
	if strings.Join(one.Pieces, "") != one.Text || len(one.Pieces) != 7 || one.Pieces[0] != "" || one.Pieces[2] != " (é) called on " || one.Pieces[4] != " from " || one.Pieces[6] != "." {
		t.Errorf("%q in pieces %q", one.Text, one.Pieces)
	}
	for i, form := range map[int]string{1: `^\pL[^\d]+ \pL[^\d]+$`, 3: `^\d{4}-\d\d-\d\d$`, 5: `555-01\d\d$`} {
		if !regexp.MustCompile(form).MatchString(one.Pieces[i]) {
			t.Errorf("the mark before piece %d became %q, want the form %s", i+1, one.Pieces[i], form)
		}
	}
	if log := r.log.String(); strings.Contains(log, "Kowalczyk") || strings.Contains(log, "617-555") {
		t.Error("the log has the text")
	}
}

func TestMarksAtEpsilonZeroKeepNothing(t *testing.T) {
	r := start(t, server.Config{Playground: true, Spans: true})
	if read, _ := readMarks(t, r, `"epsilon":0,"mark_patterns":true`); len(read.Results[0].Marks) != 2 || !strings.Contains(read.Promise, "changes nothing") {
		t.Errorf("%+v", read)
	}
	if read, _ := readMarks(t, r, `"epsilon":4`); len(read.Results[0].Marks) != 0 || read.Statement.Patterns != "" {
		t.Errorf("without patterns and marks: %+v", read)
	}
	if read, _ := readMarks(t, r, `"epsilon":4,"spans":[[{"start":0,"end":400,"entity_type":"DATE"}]]`); read.Results[0].Error == "" || strings.Contains(read.Results[0].Error, "Anna") {
		t.Errorf("a mark outside of the text: %+v", read)
	}
	if read, _ := readMarks(t, r, `"epsilon":4,"spans":[[{"start":0,"end":4,"type":"BADGE"}]]`); !strings.Contains(read.Results[0].Error, "without a codebook") {
		t.Errorf("a mark of an unknown type: %+v", read)
	}
	for more, want := range map[string]string{
		`"spans":[[]]`:                                   "true with spans",
		`"mark_patterns":true`:                           "true with spans",
		`"typed":true,"spans":[]`:                        "one list per text",
		`"typed":true,"unit":"text"`:                     "a whole text has no guarantee",
		`"typed":true,"mechanism":"response"`:            "types have their own",
		`"typed":true,"spans":[[{"start":0,"end":"x"}]]`: "",
		`"typed":true,"mark_patterns":true,"epsilon":-1`: "",
	} {
		if !strings.Contains(more, "epsilon") {
			more += `,"epsilon":4`
		}
		if a := r.ask("POST", "/v1/read", `{"texts":["Anna"],`+more+`}`); a.status != 400 || !strings.Contains(a.body, want) {
			t.Errorf("%s: %d %s", more, a.status, a.body)
		}
	}
}

// Marks are offered only where a request for them would be answered.
func TestMarksAreOfferedOnlyWhereTheyAreAllowed(t *testing.T) {
	for _, c := range []struct {
		cfg   server.Config
		offer bool
	}{
		{server.Config{}, false}, {server.Config{Spans: true}, true},
		{server.Config{Spans: true, Ledger: newBudgets(t, nil), RequireAccount: true}, false},
	} {
		c.cfg.Playground = true
		r := start(t, c.cfg)
		var s struct {
			Marks *struct {
				Types []string
				Stops []float64
				Start float64
			}
		}
		if err := json.Unmarshal([]byte(r.ask("GET", "/v1/playground", "").want(t, 200, "").body), &s); err != nil {
			t.Fatal(err)
		}
		if (s.Marks != nil) != c.offer {
			t.Errorf("spans %t, accounts only %t: offered %v", c.cfg.Spans, c.cfg.RequireAccount, s.Marks)
		}
		if s.Marks != nil && (!slices.Equal(s.Marks.Types, typed.Types()) || s.Marks.Stops[0] != 0 || !slices.IsSorted(s.Marks.Stops) || !slices.Contains(s.Marks.Stops, s.Marks.Start)) {
			t.Errorf("offered are %+v", s.Marks)
		}
		if !c.cfg.Spans {
			r.ask("POST", "/v1/read", `{"texts":["Anna"],"epsilon":4,"typed":true}`).want(t, 403, "spans-refused")
		}
	}
}

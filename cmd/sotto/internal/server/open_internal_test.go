package server

import (
	"errors"
	"testing"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/wire"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/request"
)

// Two checks keep requests from files: parameters that name a file are refused, and
// mechanisms get a Files that opens none. The second holds for a mechanism whose
// parameter is not declared as a file.
func TestConfigOpensNoFiles(t *testing.T) {
	s, err := New(Config{Slow: true})
	if err != nil {
		t.Fatal(err)
	}
	epsilon, files := 8.0, 0
	for _, e := range catalog.All() {
		for _, p := range append([]mechanism.Parameter{{}}, e.Parameters...) {
			o := &wire.Opening{Opening: request.Opening{Mechanism: e.Name, Epsilon: &epsilon}}
			if p.Name != "" {
				o.Param = map[string]request.Value{p.Name: "1"}
			}
			asked, err := s.asked(o, reading{})
			if asked.Spec(s.sources()).Open != nil {
				t.Errorf("%s %s: the mechanism can open files", e.Name, p.Name)
			}
			if p.Kind == mechanism.File {
				files++
				if err == nil || wire.ProblemOf(err).Type != "file-refused" {
					t.Errorf("%s %s is the name of a file and gives %v", e.Name, p.Name, err)
				}
			} else if noModel := new(request.ConflictError); err != nil && !(e.NewLatent != nil && errors.As(err, &noModel)) {
				t.Errorf("%s %s: %v", e.Name, p.Name, err)
			}
		}
	}
	if files == 0 {
		t.Error("no parameter is a file")
	}
}

// Clients see how long an answer takes, so texts are searched for whether the draw needs
// it or not.
func TestWholeTextsAreAlwaysSearchedFor(t *testing.T) {
	s, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	epsilon := 4.0
	for _, o := range []*wire.Opening{
		{Protected: request.Protected{Unit: "text"}}, {Opening: request.Opening{Mechanism: "retrieval"}}, {Protected: request.Protected{Corpus: "english"}},
	} {
		o.Epsilon = &epsilon
		asked, err := s.asked(o, reading{})
		if err != nil || asked.Corpus == "" || s.sources().Untimed {
			t.Errorf("%+v opens with corpus %v, untimed %v, %v", o, asked.Corpus, s.sources().Untimed, err)
		}
	}
}

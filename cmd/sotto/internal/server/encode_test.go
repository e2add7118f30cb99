package server_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/server"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/corpus/program"
)

// operators is an encoder of the operator's: the first or the second axis, as a text has "bank"
// or not. It fails at a text with "broken".
type operators struct {
	mu    sync.Mutex
	fault error
}

func (o *operators) Dim() int { return 2 }

func (o *operators) Vectors(_ context.Context, texts [][]byte) ([][]float64, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	vectors := make([][]float64, len(texts))
	for i, t := range texts {
		switch vectors[i] = []float64{1, 0}; {
		case bytes.Contains(t, []byte("broken")):
			return nil, o.fault
		case bytes.Contains(t, []byte("bank")):
			vectors[i] = []float64{0, 1}
		}
	}
	return vectors, nil
}

// axes has two texts with the vectors of operators.
func axes(t *testing.T) *corpus.Corpus {
	t.Helper()
	return build(t, corpus.Options{Name: "axes", Public: true, Program: &operators{}, Clusters: 2}, "the phone rings", "the bank is closed")
}

func TestOperatorsEncoderServesRequests(t *testing.T) {
	l := newBudgets(t, map[string]string{"alice": "100"})
	r := start(t, server.Config{Ledger: l, Corpora: []*corpus.Corpus{english(t), axes(t)}, Encode: &operators{}})
	const asked = `"unit":"text","corpus":"axes","epsilon":30,"neighbours":1`
	// P(another text) is below 1e-13.
	got := r.rewrite(`{"texts":["no bank here","a phone",""],` + asked + `,"account":"alice"}`).rewritten(t)
	if *got.Results[0].Text != "the bank is closed" || *got.Results[1].Text != "the phone rings" || *got.Results[2].Text != "the phone rings" {
		t.Errorf("%+v", got)
	}
	r.ask("POST", "/v1/cost", `{"texts":["a bank"],`+asked+`}`).want(t, 200, "")
	if a := r.ask("POST", "/v1/explain", `{"texts":["a bank"],"top":1,`+asked+`}`).want(t, 200, ""); !strings.Contains(a.body, "the bank is closed") {
		t.Error(a.body)
	}
	s := r.ask("POST", "/v1/synthesize", `{"records":[`+strings.Repeat(`{"text":"a bank","labels":["money"]},`, 99)+`{"text":"a bank","labels":["money"]}],"by":[{"name":"topic","values":["money"]}],"corpus":"axes","epsilon":20,"expect":100}`).synthesized(t)
	banks := 0
	for _, row := range s.Rows {
		if row.Text == "the bank is closed" {
			banks++
		}
	}
	if banks < 95 || banks > 105 { // noise of scale 0.05 in each cell
		t.Errorf("%d rows of 100 are of a bank", banks)
	}
	// A corpus with an encoder needs none of the operator's.
	r.rewrite(`{"texts":["broken"],"unit":"text","epsilon":1}`).want(t, 200, "")
	if a := r.rewrite(`{"texts":["a"],` + asked + `,"encoder_program":"rm"}`); a.status != 400 {
		t.Errorf("a request named a program: %d", a.status)
	}
}

// Where the encoder fails nothing is charged, and no part of a text comes out or into the log.
func TestEncoderThatFailsChargesNothing(t *testing.T) {
	l := newBudgets(t, map[string]string{"alice": "100"})
	for _, c := range []struct {
		fault  error
		logged string
	}{{&program.Error{What: "it ended"}, "it ended"}, {errors.New("died of " + marker), "encoder-failed"}} {
		r := start(t, server.Config{Ledger: l, Corpora: []*corpus.Corpus{axes(t)}, Encode: &operators{fault: c.fault}})
		for path, body := range map[string]string{
			"/v1/rewrite":    `{"texts":["a","broken ` + marker + `"],"unit":"text","epsilon":4,"account":"alice"}`,
			"/v1/cost":       `{"texts":["broken ` + marker + `"],"unit":"text","epsilon":4}`,
			"/v1/explain":    `{"texts":["broken ` + marker + `"],"unit":"text","epsilon":4}`,
			"/v1/synthesize": `{"records":[{"text":"broken ` + marker + `"}],"epsilon":4,"expect":10,"account":"alice"}`,
		} {
			if a := r.ask("POST", path, body).want(t, 503, "encoder-failed"); strings.Contains(a.body, marker) || a.header.Get("Retry-After") == "" {
				t.Errorf("%s: %s", path, a.body)
			}
		}
		if a := accountOf(t, r, "alice"); a.Spent.Epsilon != 0 {
			t.Errorf("requests that failed left %+v", a)
		}
		if log := r.log.String(); strings.Contains(log, marker) || !strings.Contains(log, c.logged) {
			t.Errorf("the log is %s", log)
		}
	}
}

func TestEncoderMustFitItsCorpora(t *testing.T) {
	_, err := server.New(server.Config{Corpora: []*corpus.Corpus{build(t, corpus.Options{Name: "three", Public: true, Dimensions: 3, Vectors: func(v []float64, i int) error {
		v[i] = 1
		return nil
	}}, "a", "b", "c")}, Encode: &operators{}})
	if err == nil || !strings.Contains(err.Error(), "it has 3 dimensions, and the vectors of the encoder have 2") {
		t.Error(err)
	}
}

package server_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/autoencoder"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server"
)

// model is trained for a moment only: its outputs do not matter here.
func model(t *testing.T, public bool) *autoencoder.Model {
	t.Helper()
	var texts [][]byte
	for i := range 40 {
		texts = append(texts, fmt.Appendf(nil, "good food %s", strings.Repeat("here ", i%3)))
	}
	m, err := autoencoder.Train(context.Background(), texts, autoencoder.Lesson{
		Options: autoencoder.Options{Embed: 4, Hidden: 4, Latent: 4, Tokens: 8, Epochs: 1}, Public: public,
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestWholeTextsAreRewrittenThroughAPublicModel(t *testing.T) {
	if _, err := server.New(server.Config{Model: model(t, false)}); err == nil || !strings.Contains(err.Error(), "its corpus was not declared public") {
		t.Errorf("a model that nobody declared public: %v", err)
	}
	r := start(t, server.Config{Model: model(t, true), Ledger: newBudgets(t, map[string]string{"alice": "9"})})
	answer := r.rewrite(`{"texts":["good food","",null],"epsilon":4,"mechanism":"adept","account":"alice","report":true}`)
	a := answer.rewritten(t)
	if a.Results[0].Text == nil || a.Results[1].Text == nil || a.Results[2].Error == nil {
		t.Errorf("results %+v", a.Results)
	}
	if a.Claim.Unit != "text" || a.Draws != 2 || a.Tokens != 0 || a.Receipt.Cost.Epsilon != 8 ||
		!strings.Contains(answer.body, `"document_tokens_max":null`) || !strings.Contains(answer.body, `"corpus_declared_public":true`) {
		t.Errorf("%+v", a)
	}
	for body, kind := range map[string]string{
		`{"texts":["good food here good food here good food here"],"epsilon":1,"mechanism":"adept"}`: "invalid-parameter",
		`{"texts":["good"],"epsilon":1,"mechanism":"adept","words":10}`:                              "invalid-parameter",
		`{"texts":["good"],"epsilon":1,"mechanism":"adept","consistent":true}`:                       "invalid-parameter",
	} {
		r.rewrite(body).want(t, 400, kind)
	}
	r.rewrite(`{"texts":["good"],"epsilon":1,"mechanism":"adept-published"}`).want(t, 403, "standing-not-accepted")
	if logged := r.log.String(); strings.Contains(logged, `"tokens":2`) {
		t.Error("the log tells how many tokens a text has")
	}
}

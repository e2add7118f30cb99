package main

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/grammar"
	"github.com/sotto-dp/sotto/internal/stage"
)

// A mechanism for vectors of whole texts is explained for each text given, and refuses
// the flags that choose another unit.
func TestExplainShowsWhatAReleaseOfAVectorIsLike(t *testing.T) {
	stage.Unraced(t)
	run := func(flags ...string) (string, error) {
		var out bytes.Buffer
		args := append([]string{"explain", "-m", "privunit", "-e", "4"}, flags...)
		_, err := grammar.Invoke(t.Context(), &cli.Terminal{In: os.Stdin, Out: &out, Err: &out}, append(args, "my order has not arrived", ""))
		return out.String(), err
	}
	printed, err := run("--json")
	var got struct {
		Vectors []sotto.ExplainedVector `json:"vectors"`
		Claim   struct{ Unit string }   `json:"claim"`
	}
	if err != nil || json.Unmarshal([]byte(printed), &got) != nil || len(got.Vectors) != 2 || got.Claim.Unit != "text" {
		t.Fatalf("%s (%v)", printed, err)
	}
	for _, x := range got.Vectors {
		if x.Codebook != 8192 || x.Neighbours < 100 || x.Dimensions != 30 || !(x.Inside > 0.7 && x.Inside < 0.9) || !(x.Cosine > 0.2 && x.Cosine < 0.35) || !(x.SquaredError > 11 && x.SquaredError < 14) {
			t.Errorf("%+v", x)
		}
	}
	printed, err = run()
	for _, want := range []string{"my order has not arrived\n", "of 8192 public directions", "cosine", "(epsilon = 4)-differential privacy for each text"} {
		if err != nil || !strings.Contains(printed, want) {
			t.Errorf("%q is not in %s (%v)", want, printed, err)
		}
	}
	if printed, err := run("--unit", "word"); err == nil {
		t.Errorf("--unit word: %s", printed)
	}
}

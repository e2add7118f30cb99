package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/grammar"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/text"
)

var topics = map[string][]string{
	"food":  {"soup", "bread", "cheese", "salt", "butter", "rice", "fish", "onion", "lemon", "sugar", "kitchen", "dinner"},
	"sport": {"match", "goal", "team", "coach", "league", "player", "cup", "season", "stadium", "race", "tennis", "striker"},
	"money": {"bank", "loan", "market", "shares", "profit", "interest", "price", "dollar", "budget", "tax", "debt", "trade"},
}

// sentences returns texts, each of one topic.
func sentences(n int, seed uint64) (texts, labels []string) {
	rng := rand.New(rand.NewPCG(seed, 1))
	names := []string{"food", "sport", "money"}
	for range n {
		label := names[rng.IntN(3)]
		words := topics[label]
		pick := func() string { return words[rng.IntN(len(words))] }
		texts = append(texts, fmt.Sprintf("the %s and the %s with a %s %d", pick(), pick(), pick(), rng.IntN(1000)))
		labels = append(labels, label)
	}
	return texts, labels
}

// releaseFolder is a folder with a corpus, a release of texts with their labels, its
// report and a test file.
type releaseFolder struct{ corpus, released, report, test, digest string }

func makeRelease(t *testing.T) releaseFolder {
	t.Helper()
	dir := t.TempDir()
	f := releaseFolder{filepath.Join(dir, "c.corpus"), filepath.Join(dir, "released.tsv"), filepath.Join(dir, "r.json"), filepath.Join(dir, "test.tsv"), ""}
	table, err := builtin.English()
	if err != nil {
		t.Fatal(err)
	}
	b, err := corpus.NewBuilder(corpus.Options{Name: "c", Public: true, Table: table, Similar: 1, Clusters: -1})
	if err != nil {
		t.Fatal(err)
	}
	public, _ := sentences(500, 1)
	for _, text := range public {
		if err := b.Add([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	c, err := b.Build(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	r, err := sotto.Open(t.Context(), sotto.Texts{Epsilon: 2, Corpus: c, Parameters: map[string]string{"neighbours": strconv.Itoa(c.Len() / 8)}})
	if err != nil {
		t.Fatal(err)
	}
	private, labels := sentences(800, 2)
	in := "label\ttext\n"
	for i, text := range private {
		in += labels[i] + "\t" + text + "\n"
	}
	var out bytes.Buffer
	statement, err := r.Copy(t.Context(), &out, strings.NewReader(in), sotto.Stream{Format: text.TSV, Fields: []string{"text"}})
	if err != nil {
		t.Fatal(err)
	}
	report, err := json.Marshal(statement)
	if err != nil {
		t.Fatal(err)
	}
	var test bytes.Buffer
	test.WriteString("text\tlabel\n")
	texts, labels := sentences(300, 4)
	for i, text := range texts {
		fmt.Fprintf(&test, "%s\t%s\n", text, labels[i])
	}
	for name, data := range map[string]string{f.released: out.String(), f.test: test.String(), f.report: string(report)} {
		if err := os.WriteFile(name, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.WriteFile(f.corpus); err != nil {
		t.Fatal(err)
	}
	f.digest = c.Digest()
	return f
}

// learnLine is a command line of learn.
type learnLine struct {
	flags map[string]string
	json  bool
	files []string
}

func (c learnLine) run(t *testing.T) (string, error) {
	t.Helper()
	args := []string{"learn"}
	for name, value := range c.flags {
		args = append(args, "--"+name+"="+value)
	}
	if c.json {
		args = append(args, "--json")
	}
	var out, warned bytes.Buffer
	_, err := grammar.Invoke(t.Context(), &cli.Terminal{In: os.Stdin, Out: &out, Err: &warned}, append(args, c.files...))
	return out.String(), err
}

// There are three classes, so a guess is right in a third of the cases; the fit reaches
// nearly all.
func TestLearnReadsReleasesAndTheReport(t *testing.T) {
	stage.Unraced(t)
	f := makeRelease(t)
	model := filepath.Join(t.TempDir(), "m.json")
	fit := learnLine{map[string]string{"report": f.report, "corpus": f.corpus, "label": "label", "test": f.test, "output": model, "field": "text"}, true, []string{f.released}}
	printed, err := fit.run(t)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Accuracy float64  `json:"accuracy"`
		MacroF1  float64  `json:"macro_f1"`
		Classes  []string `json:"classes"`
		Trained  struct {
			Examples int            `json:"examples"`
			Channel  *privacy.Claim `json:"channel"`
		} `json:"trained"`
		Privacy string `json:"privacy"`
	}
	if err := json.Unmarshal([]byte(printed), &got); err != nil {
		t.Fatal(err)
	}
	if got.Accuracy < 0.9 || got.MacroF1 < 0.9 || strings.Join(got.Classes, " ") != "food money sport" || got.Trained.Examples != 800 || got.Trained.Channel == nil || got.Trained.Channel.Epsilon != 2 || got.Privacy == "" {
		t.Errorf("%s", printed)
	}
	// The model is applied to texts and to labelled texts.
	apply := learnLine{map[string]string{"model": model, "corpus": f.corpus, "label": "label", "field": "text"}, true, []string{f.test}}
	again, err := apply.run(t)
	if err != nil {
		t.Fatal(err)
	}
	var measured struct{ Accuracy float64 }
	if err := json.Unmarshal([]byte(again), &measured); err != nil || measured.Accuracy != got.Accuracy {
		t.Errorf("%s after %s", again, printed)
	}
	delete(apply.flags, "label")
	apply.json = false
	lines, err := apply.run(t)
	if err != nil || strings.Count(lines, "\n") != 300 || strings.Count(lines, "food") < 60 {
		t.Errorf("%v: %.100s", err, lines)
	}
	fit.json = false
	if table, err := fit.run(t); err != nil || !strings.Contains(table, "accuracy ") || !strings.Contains(table, "is \\ predicted") {
		t.Errorf("%v: %s", err, table)
	}
}

func TestLearnRefusesWhatDoesNotFit(t *testing.T) {
	stage.Unraced(t)
	f := makeRelease(t)
	report, err := os.ReadFile(f.report)
	if err != nil {
		t.Fatal(err)
	}
	changed := func(old, new string) string {
		name := filepath.Join(t.TempDir(), "r.json")
		if err := os.WriteFile(name, bytes.ReplaceAll(report, []byte(old), []byte(new)), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	for _, c := range []struct {
		says   string
		change func(c *learnLine)
	}{
		{"another corpus", func(c *learnLine) { c.flags["report"] = changed(f.digest, "00"+f.digest[2:]) }},
		{"another corpus", func(c *learnLine) { c.flags["corpus"] = "english" }},
		{"not a privacy statement", func(c *learnLine) { c.flags["report"] = changed(`"unit":"text"`, `"unit":3`) }},
		{"not of a release of texts of a corpus", func(c *learnLine) { c.flags["report"] = changed(`"corpus":{`, `"corpses":{`) }},
		{"inside does not hold", func(c *learnLine) { c.flags["report"] = changed(`"inside":0.`, `"inside":0.1`) }},
		{"above the 0.5 that is claimed", func(c *learnLine) { c.flags["report"] = changed(`"epsilon":2,"delta"`, `"epsilon":0.5,"delta"`) }},
		{"text 1 is not a text of the corpus", func(c *learnLine) { c.files = []string{f.test} }},
		{"needs --label", func(c *learnLine) { delete(c.flags, "label") }},
		{"needs --test FILE", func(c *learnLine) { delete(c.flags, "test") }},
		{"smooth", func(c *learnLine) { c.flags["smooth"] = "-1" }},
		{"there is nothing to learn", func(c *learnLine) {
			c.flags["label"] = "same"
			delete(c.flags, "report")
			c.files = []string{sameLabels(t)}
		}},
		{"not a number", func(c *learnLine) { c.flags["weight"] = "label" }},
		{"--model cannot be used", func(c *learnLine) { c.flags["model"] = "m.json" }},
		{"reads one file, got 2", func(c *learnLine) { c.files = []string{f.test, f.released} }},
	} {
		command := learnLine{map[string]string{"report": f.report, "corpus": f.corpus, "label": "label", "test": f.test, "field": "text"}, false, []string{f.released}}
		c.change(&command)
		if printed, err := command.run(t); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v, want %q; printed %q", err, c.says, printed)
		}
	}
}

// A model that does not record what it was fitted to, as those of earlier versions, is
// private whatever it is applied to.
func TestModelsWithoutProvenanceArePrivate(t *testing.T) {
	stage.Unraced(t)
	f := makeRelease(t)
	model := filepath.Join(t.TempDir(), "m.json")
	fit := learnLine{map[string]string{"report": f.report, "corpus": f.corpus, "label": "label", "output": model, "field": "text"}, true, []string{f.released}}
	if _, err := fit.run(t); err != nil {
		t.Fatal(err)
	}
	privacyOf := func() string {
		t.Helper()
		apply := learnLine{map[string]string{"model": model, "corpus": f.corpus, "field": "text"}, true, []string{f.test}}
		printed, err := apply.run(t)
		var got struct{ Privacy, Warning string }
		if err != nil || json.Unmarshal([]byte(printed), &got) != nil {
			t.Fatalf("%v: %s", err, printed)
		}
		return got.Privacy + "|" + got.Warning
	}
	if got := privacyOf(); !strings.Contains(got, "post-processing of released.tsv") || !strings.HasSuffix(got, "|") {
		t.Error(got)
	}
	data, err := os.ReadFile(model)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(data), filepath.Dir(f.released)) {
		t.Error("the model names a folder of its maker")
	}
	var fitted map[string]any
	if err := json.Unmarshal(data, &fitted); err != nil {
		t.Fatal(err)
	}
	delete(fitted["source"].(map[string]any), "provenance")
	if data, err = json.Marshal(fitted); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(model, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := privacyOf(); !strings.Contains(got, "the predictions are from data that is not recorded: treat it as private, and as private as") || !strings.Contains(got, "|the model is from data that is not recorded") {
		t.Error(got)
	}
}

// A file with more texts than its report states is of another release, or holds other texts.
func TestLearnRefusesMoreTextsThanTheReportStates(t *testing.T) {
	stage.Unraced(t)
	f := makeRelease(t)
	report, err := os.ReadFile(f.report)
	if err != nil {
		t.Fatal(err)
	}
	for documents, holds := range map[int]bool{799: false, 800: true, 801: true} {
		stated := bytes.ReplaceAll(report, []byte(`:800,`), fmt.Appendf(nil, `:%d,`, documents)) // of texts and of draws
		if err := os.WriteFile(f.report, stated, 0o600); err != nil {
			t.Fatal(err)
		}
		fit := learnLine{map[string]string{"report": f.report, "corpus": f.corpus, "label": "label", "output": filepath.Join(t.TempDir(), "m.json"), "field": "text"}, true, []string{f.released}}
		if _, err := fit.run(t); (err == nil) != holds || err != nil && !strings.Contains(err.Error(), fmt.Sprintf("it states %d texts, and ", documents)) {
			t.Errorf("800 texts of %d: %v", documents, err)
		}
	}
}

func sameLabels(t *testing.T) string {
	name := filepath.Join(t.TempDir(), "same.tsv")
	if err := os.WriteFile(name, []byte("same\ttext\nx\tsome bread\nx\tsome cheese\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// A weight acts like a repetition; a record of weight 0 has no effect.
func TestLearnTakesWeightedTexts(t *testing.T) {
	stage.Unraced(t)
	f := makeRelease(t)
	name := filepath.Join(t.TempDir(), "weighted.tsv")
	texts, labels := sentences(60, 8)
	var b strings.Builder
	b.WriteString("weight\tlabel\ttext\n0\tnever\tnot this one\n")
	for i := range texts {
		fmt.Fprintf(&b, "2.5\t%s\t%s\n", labels[i], texts[i])
	}
	if err := os.WriteFile(name, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	c := learnLine{map[string]string{"corpus": f.corpus, "label": "label", "weight": "weight", "test": f.test, "field": "text"}, true, []string{name}}
	printed, err := c.run(t)
	if err != nil || !strings.Contains(printed, `"examples": 60`) || !strings.Contains(printed, `"channel": null`) || !strings.Contains(printed, `"privacy": "the model is as private as `+name+`, whose texts, labels and weights were read as they are`) || !strings.Contains(printed, `"warning": "the model is as private as `) {
		t.Errorf("%v: %s", err, printed)
	}
}

// The three forms of one release teach the same model, to the last digit.
func TestLearnReadsEveryFormOfVectorsThatEmbedWrites(t *testing.T) {
	stage.Unraced(t)
	dir := t.TempDir()
	texts, labels := sentences(300, 5)
	var file bytes.Buffer
	file.WriteString("text\tlabel\n")
	for i := range texts {
		fmt.Fprintf(&file, "%s\t%s\n", texts[i], labels[i])
	}
	in, report := filepath.Join(dir, "in.tsv"), filepath.Join(dir, "report.json")
	if err := os.WriteFile(in, file.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	first := ""
	for _, form := range []string{"npy", "parquet", "jsonl"} {
		name := filepath.Join(dir, "vectors."+form)
		var out bytes.Buffer
		args := []string{"embed", "--of", "documents", "-e", "8", "--insecure-seed", "4", "--field", "text", "-o", name, "--report", report, in}
		if _, err := grammar.Invoke(t.Context(), &cli.Terminal{In: os.Stdin, Out: &out, Err: &out}, args); err != nil {
			t.Fatalf("%s: %v: %s", form, err, out.String())
		}
		got, err := learnLine{map[string]string{"report": report, "vectors": name, "label": "label"}, true, []string{in}}.run(t)
		if err != nil {
			t.Fatalf("%s: %v: %s", form, err, got)
		}
		if !strings.Contains(got, `"privacy": "the model is as private as `+name+`, whose vectors were drawn by a seed that undoes the draws, and `+in+`, whose labels were read as they are`) {
			t.Errorf("%s: the model is not as private as the seed and the labels", form)
		}
		if got, _, _ = strings.Cut(got, `"privacy"`); first == "" { // which names the file
			first = got
		}
		if got != first || !strings.Contains(got, "food") {
			t.Errorf("%s teaches another model: %s", form, got)
		}
	}
	_, err := learnLine{map[string]string{"report": report, "vectors": in, "label": "label"}, false, []string{in}}.run(t)
	if err == nil || !strings.Contains(err.Error(), "line 1") {
		t.Errorf("a table of texts is no vectors: %v", err)
	}
}

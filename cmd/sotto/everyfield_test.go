package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/grammar"
	"github.com/sotto-dp/sotto/internal/altered"
	"github.com/sotto-dp/sotto/internal/stage"
)

// What no verification can recompute, in a report and in its certificate. The counts must be
// possible together. A request need not have what the mechanism chooses or the certificate
// states.
var (
	freeOfCertificates = []string{"version", "request.parameters", "request.parameters.neighbours"}
	freeOfReports      = []string{"version", "drawn", "drawn.*", "certificate.version", "embeddings.name", "certificate.request.parameters.neighbours"}
	freeCounts         = []string{"documents", "tokens", "document_tokens_max", "draws"}
)

// documents are the kinds of reports and certificates: a command that writes FILE, the flags
// with which it is verified, and what is free besides.
var documents = map[string]struct {
	command, verify string
	most            int // alterations of one field, 0 for all
	free            []string
}{
	"words":            {"rewrite -m neighbours -e 6 --neighbours 9 --words 60 --report FILE -o OUT input.txt", "", 0, freeCounts},
	"default size":     {"rewrite -m neighbours -e 4 --words 60 --report FILE -o OUT input.txt", "", 0, freeCounts},
	"distinct words":   {"rewrite --consistent -m neighbours -e 6 --words 60 --report FILE -o OUT input.txt", "", 0, freeCounts},
	"metric":           {"rewrite -m exponential -e 3 --words 40 --report FILE -o OUT input.txt", "", 0, freeCounts},
	"angular":          {"rewrite -m exponential -e 3 --param metric=angular --words 40 --report FILE -o OUT input.txt", "", 2, freeCounts},
	"classes":          {"rewrite -m classes -e 3 --words 60 --report FILE -o OUT input.txt", "", 0, freeCounts},
	"a certificate":    {"rewrite -m neighbours -e 6 --neighbours 9 --words 60 --require-certificate given.json --report FILE -o OUT input.txt", "", 0, append([]string{"given", "given.*"}, freeCounts...)},
	"texts":            {"rewrite --unit text -e 4 --corpus tiny.corpus --report FILE -o OUT input.txt", "--corpus tiny.corpus", 0, []string{"documents", "draws"}},
	"an index":         {"rewrite --unit text -e 4 --corpus tiny.corpus --param search=approximate --report FILE -o OUT input.txt", "--corpus tiny.corpus", 2, nil},
	"shuffled":         {"rewrite --unit text -e 4 --shuffle --corpus tiny.corpus --report FILE -o OUT many.txt", "--corpus tiny.corpus", 1, nil},
	"users":            {"rewrite --unit text -e 8 --field t --user user --per-user 2 --corpus tiny.corpus --report FILE -o OUT users.jsonl", "--corpus tiny.corpus", 2, nil},
	"padded users":     {"rewrite --unit text -e 8 --field t --user user --per-user 2 --pad --shuffle --corpus tiny.corpus --report FILE -o OUT users.jsonl", "--corpus tiny.corpus", 2, nil},
	"vectors":          {"embed -e 1 --codebook 64 --words 300 --report FILE -o OUT input.txt", "--words 300", 1, []string{"documents", "vectors", "draws"}},
	"of words":         {"audit neighbours -e 6 --neighbours 9 --words 60 --certificate FILE", "", 0, nil},
	"of a metric":      {"audit exponential -e 2 --words 40 --certificate FILE", "", 0, nil},
	"of a calibration": {"audit exponential -e 2 --calibrate published --words 40 --certificate FILE", "", 0, nil},
	"of another":       {"audit response -e 2 --words 30 --calibrate published --certificate FILE", "", 0, nil},
	"of texts":         {"audit retrieval -e 3 --corpus tiny.corpus --certificate FILE", "--corpus tiny.corpus", 0, nil},
	"of vectors":       {"audit privunit -e 1 --codebook 64 --words 300 --certificate FILE", "--words 300", 2, nil},
}

// Whichever field of a report or a certificate is another, and whatever digests are computed
// again, it is refused, except for what is listed as free. At every change each field has one
// other value.
func TestEveryFieldOfEveryDocumentIsVerified(t *testing.T) {
	if testing.Short() {
		t.Skip("under the race detector one verification tells as much as a thousand")
	}
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("XDG_CACHE_HOME", dir)
	writeInputs(t)
	for name, kind := range documents {
		mustRun(t, strings.NewReplacer("FILE", "document.json", "OUT", "out").Replace(kind.command))
		data, err := os.ReadFile("document.json")
		if err != nil {
			t.Fatal(err)
		}
		verify := func(data []byte) error {
			if err := os.WriteFile("altered.json", data, 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := commandLine("audit --verify altered.json " + kind.verify)
			return err
		}
		free := freeOfReports
		if strings.HasPrefix(kind.command, "audit") {
			free = freeOfCertificates
			data, verify = certificateOf(t, data), resealed(t, data, verify)
		}
		if !stage.Runs(stage.Thorough) {
			kind.most = 1
		}
		t.Run(name, func(t *testing.T) {
			altered.Check(t, data, kind.most, slices.Concat(kind.free, free), verify)
		})
		os.Remove("document.json")
	}
}

// certificateOf returns the certificate in a file.
func certificateOf(t *testing.T, file []byte) []byte {
	t.Helper()
	var parts struct{ Certificate json.RawMessage }
	if err := json.Unmarshal(file, &parts); err != nil {
		t.Fatal(err)
	}
	return parts.Certificate
}

// resealed verifies an altered certificate in a file of its own with a checksum of its own.
func resealed(t *testing.T, original []byte, verify func([]byte) error) func([]byte) error {
	first := true
	return func(data []byte) error {
		c := &audit.Certificate{}
		if err := json.Unmarshal(data, c); err != nil {
			return err
		}
		var file bytes.Buffer
		if err := audit.WriteCertificate(&file, c); err != nil {
			return err
		}
		switch {
		case !first && bytes.Equal(file.Bytes(), original):
			return errors.New("the same")
		case c.Source == "":
			return errors.New("of an earlier version")
		}
		first = false
		return verify(file.Bytes())
	}
}

func writeInputs(t *testing.T) {
	t.Helper()
	var users, public strings.Builder
	for i := range 6 {
		fmt.Fprintf(&users, `{"user":"u%d","t":"the parcel is late"}`+"\n", i/3)
	}
	for i := range 80 {
		fmt.Fprintf(&public, "the %d of the %s and %s\n", i, []string{"parcel", "soup", "train", "rain"}[i%4], []string{"late", "cold", "full"}[i%3])
	}
	for name, text := range map[string]string{
		"input.txt": "the end of the year was the best of the two\nin the first of the two it was\n",
		"many.txt":  strings.Repeat("the rain was cold\n", 2000), "users.jsonl": users.String(), "public.txt": public.String(),
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	mustRun(t, "corpus build --public -o tiny.corpus public.txt")
	mustRun(t, "audit neighbours -e 6 --neighbours 9 --words 60 --certificate given.json")
}

// commandLine runs a command line of sotto and returns what it prints.
func commandLine(line string) (string, error) {
	var out, messages bytes.Buffer
	_, err := grammar.Invoke(context.Background(), &cli.Terminal{In: os.Stdin, Out: &out, Err: &messages}, strings.Fields(line))
	return out.String() + messages.String(), err
}

func mustRun(t *testing.T, line string) string {
	t.Helper()
	out, err := commandLine(line)
	if err != nil {
		t.Errorf("sotto %s: %v\n%s", line, err, out)
	}
	return out
}

// A loss of 0 is certified as well as any other: where a set is the whole corpus, where there
// is one text or one word, and where the certificate is required for a run.
func TestLossOfNothingIsVerified(t *testing.T) {
	stage.Unraced(t)
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("XDG_CACHE_HOME", dir)
	writeInputs(t)
	if err := os.WriteFile("one.txt", []byte("the only text\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	mustRun(t, "corpus build --public --encoder lsa -o one.corpus one.txt")
	for _, flags := range []string{
		"retrieval -e 2 --corpus one.corpus", "retrieval -e 2 --corpus tiny.corpus --neighbours 80", "retrieval -e 2 --corpus tiny.corpus --neighbours 1",
		"neighbours -e 2 --words 60 --neighbours 60", "neighbours -e 2 --words 1", "response -e 2 --words 1", "exponential -e 2 --words 1",
	} {
		name, rest, _ := strings.Cut(flags, " ")
		unit, corpus, verified := "", "", ""
		if name == "retrieval" {
			unit, corpus = "--unit text ", strings.Fields(rest)[3]
			verified = " --corpus " + corpus
		}
		mustRun(t, "audit "+flags+" --certificate certificate.json")
		mustRun(t, "audit --verify certificate.json"+verified)
		mustRun(t, "rewrite -m "+flags+" "+unit+"--report report.json -o out input.txt")
		mustRun(t, "audit --verify report.json"+verified)
		mustRun(t, "rewrite -m "+flags+" "+unit+"--require-certificate certificate.json --report stated.json -o out input.txt")
		mustRun(t, "audit --verify stated.json"+verified)
		for _, file := range []string{"certificate.json", "report.json", "stated.json", "out"} {
			os.Remove(file)
		}
	}
}

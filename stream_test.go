package sotto_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/internal/setting"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/release"
	"github.com/sotto-dp/sotto/text"
)

func seeded(t testing.TB) *sotto.Rewriter {
	t.Helper()
	seed := uint64(3)
	r, err := sotto.Open(t.Context(), sotto.Config{Epsilon: 8, Parameters: map[string]string{"neighbours": "10"}, InsecureSeed: &seed})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

const streamed = "id,note\n1,the food was terrible\n2,\n3,my doctor agreed\n"

var notes = sotto.Stream{Format: text.CSV, Fields: []string{"note"}}

func TestReaderWriterAndCopyAreOneStream(t *testing.T) {
	r := seeded(t)
	var copied bytes.Buffer
	want, err := r.Copy(t.Context(), &copied, strings.NewReader(streamed), notes)
	if err != nil || want.Tokens == nil || *want.Tokens != 7 || want.Documents != 3 {
		t.Fatalf("%+v (%v)", want, err)
	}
	if s := copied.String(); !strings.HasPrefix(s, "id,note\n1,") || !strings.Contains(s, "\n2,\n3,") || strings.Contains(s, "the food was terrible") {
		t.Errorf("the copy is %q", s)
	}

	in := r.Reader(t.Context(), iotest.OneByteReader(strings.NewReader(streamed)), notes)
	read, err := io.ReadAll(in)
	if err != nil || string(read) != copied.String() || *in.Statement().Tokens != 7 {
		t.Errorf("read: %q of %d tokens (%v), want %q", read, *in.Statement().Tokens, err, copied.String())
	}

	var written bytes.Buffer
	out := r.Writer(t.Context(), &written, notes)
	for _, c := range []byte(streamed) {
		if _, err := out.Write([]byte{c}); err != nil {
			t.Fatal(err)
		}
	}
	if err := out.Close(); err != nil || written.String() != copied.String() || *out.Statement().Tokens != 7 {
		t.Errorf("written: %q of %d tokens (%v), want %q", written.String(), *out.Statement().Tokens, err, copied.String())
	}
}

func TestNothingIsReleasedWhereTheChargeFails(t *testing.T) {
	r := seeded(t)
	refused := errors.New("refused")
	s := notes
	s.Charge = func(context.Context, uint64, *sotto.Pending) error { return refused }
	if read, err := io.ReadAll(r.Reader(t.Context(), strings.NewReader(streamed), s)); !errors.Is(err, refused) || string(read) != "id,note\n" {
		t.Errorf("read: %q (%v)", read, err)
	}
	var written bytes.Buffer
	out := r.Writer(t.Context(), &written, s)
	_, _ = io.WriteString(out, streamed)
	if err := out.Close(); !errors.Is(err, refused) || written.String() != "id,note\n" {
		t.Errorf("written: %q (%v)", written.String(), err)
	}
	if *out.Statement().Tokens != 0 {
		t.Error("what was not drawn is counted")
	}
}

func TestStreamEndsEarly(t *testing.T) {
	r := seeded(t)
	in := r.Reader(t.Context(), strings.NewReader(strings.Repeat(streamed[8:], 1<<16)), sotto.Stream{})
	if _, err := in.Read(make([]byte, 10)); err != nil {
		t.Error(err)
	}
	if err := in.Close(); err != nil {
		t.Error(err)
	}
	if _, err := in.Read(make([]byte, 10)); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("after the end the error is %v", err)
	}
	full := errors.New("full")
	out := r.Writer(t.Context(), errorWriter{full}, sotto.Stream{Prompt: true})
	deadline := time.Now().Add(30 * time.Second)
	for err := error(nil); err == nil && time.Now().Before(deadline); {
		_, err = io.WriteString(out, "the food\n")
	}
	if err := out.Close(); !errors.Is(err, full) {
		t.Errorf("the error is %v, want that of the other writer", err)
	}
}

type errorWriter struct{ err error }

func (w errorWriter) Write([]byte) (int, error) { return 0, w.err }

// Every text of a whole file counts towards one document.
func TestWholeTextIsOneDocument(t *testing.T) {
	s, err := seeded(t).Copy(context.Background(), io.Discard, strings.NewReader("one two\nthree\n"), sotto.Stream{Format: text.Text})
	if err != nil || s.Documents != 1 || *s.LongestTokens != 3 {
		t.Errorf("%d documents, the longest of %d tokens (%v)", s.Documents, *s.LongestTokens, err)
	}
}

// The lines of a whole text are drawn separately: a word that occurs in two lines would
// get two draws, but the claim is for a word at all its positions.
func TestConsistentRewriterRefusesPartsOfOneText(t *testing.T) {
	r, err := sotto.Open(t.Context(), sotto.Config{Unit: privacy.Word, Epsilon: 1})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	_, copied := r.Copy(t.Context(), &out, strings.NewReader("doctor\ndoctor\n"), sotto.Stream{Format: text.Text})
	_, read := r.ReadAt([][]byte{[]byte("doctor")}, sotto.Position{Of: new(release.Parts)})
	for what, err := range map[string]error{"a copy": copied, "parts": read} {
		var refused *sotto.ConflictError
		if !errors.As(err, &refused) || refused.Setting != setting.UseParts || refused.Other != setting.UnitWord {
			t.Errorf("%s: %v", what, err)
		}
	}
	if out.Len() > 0 {
		t.Errorf("%d bytes were written", out.Len())
	}
	if _, err := r.Copy(t.Context(), &out, strings.NewReader("doctor\ndoctor\n"), sotto.Stream{}); err != nil {
		t.Error(err)
	}
}

func ExampleRewriter_Writer() {
	seed := uint64(1) // makes the output checkable here; leave it out for real texts
	r, err := sotto.Open(context.Background(), sotto.Config{
		Epsilon: 12, Parameters: map[string]string{"neighbours": "10"},
		InsecureSeed: &seed,
	})
	if err != nil {
		log.Fatal(err)
	}
	w := r.Writer(context.Background(), os.Stdout, sotto.Stream{Format: text.JSONL, Fields: []string{"note"}})
	fmt.Fprintln(w, `{"id": 7, "note": "my doctor in Boston agreed"}`)
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	fmt.Println(*w.Statement().Tokens, "tokens:", w.Statement().Claim)
	// Output:
	// {"id": 7, "note": "Her colleague's marietta insisted"}
	// 5 tokens: (epsilon = 12)-differential privacy for each token
}

func ExampleRewriter_Reader() {
	seed := uint64(1) // makes the output checkable here; leave it out for real texts
	r, err := sotto.Open(context.Background(), sotto.Config{
		Epsilon: 12, Parameters: map[string]string{"neighbours": "10"},
		InsecureSeed: &seed,
	})
	if err != nil {
		log.Fatal(err)
	}
	in := strings.NewReader("id,note\n7,my doctor in Boston agreed\n")
	private := r.Reader(context.Background(), in, sotto.Stream{Format: text.CSV, Fields: []string{"note"}})
	if _, err := io.Copy(os.Stdout, private); err != nil {
		log.Fatal(err)
	}
	// Output:
	// id,note
	// 7,Her colleague's marietta insisted
}

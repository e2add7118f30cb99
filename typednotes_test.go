package sotto

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/text"
)

var writeNotes = flag.Bool("write-notes", false, "write the files of testdata/marks that follow from the marked notes")

// The notes of testdata/marks were invented and marked by hand in notes.marked.txt. The other
// files follow: the texts, their marks as Presidio writes them, and one release with a seed.
func TestMarkedNotesReadAsNotes(t *testing.T) {
	const dir = "testdata/marks/"
	marked, err := os.ReadFile(dir + "notes.marked.txt")
	if err != nil {
		t.Fatal(err)
	}
	type mark struct {
		Type  string `json:"entity_type"`
		Start int    `json:"start"`
		End   int    `json:"end"`
	}
	var before, marks, after bytes.Buffer
	var texts [][]byte
	var spans []text.Spans
	for line := range strings.Lines(string(marked)) {
		plain, of := typedSpans(strings.TrimSuffix(line, "\n"))
		texts, spans = append(texts, []byte(plain)), append(spans, of)
		before.WriteString(plain + "\n")
		all := []mark{}
		for _, s := range of {
			all = append(all, mark{s.Type, s.Start, s.End})
		}
		data, err := json.Marshal(all)
		if err != nil {
			t.Fatal(err)
		}
		marks.Write(append(data, '\n'))
	}
	seed := uint64(1)
	r := openTyped(t, Marks{Distinct: true, Epsilon: 6, InsecureSeed: &seed, Strict: true})
	p, err := r.ReadSpans(texts, spans, Position{})
	if err != nil {
		t.Fatal(err)
	}
	if c := p.Counts(); c.Documents != 30 || c.Spans < 80 || c.Draws != c.Spans {
		t.Errorf("%+v", c)
	}
	out, err := p.Draw(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i, o := range out {
		after.Write(append(o, '\n'))
		// Nothing of these types is left. It could be drawn again: not with this seed.
		for _, s := range spans[i] {
			held := string([]rune(string(texts[i]))[s.Start:s.End])
			if slices.Contains([]string{"PERSON", "ID", "EMAIL_ADDRESS", "PHONE_NUMBER", "ADDRESS", "IBAN_CODE", "CREDIT_CARD"}, s.Type) && strings.Contains(string(o), held) {
				t.Errorf("note %d still has mark %+v", i+1, s)
			}
		}
	}
	for name, want := range map[string][]byte{"notes.txt": before.Bytes(), "notes.spans.jsonl": marks.Bytes(), "notes.after.txt": after.Bytes()} {
		if *writeNotes {
			if err := os.WriteFile(dir+name, want, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(dir + name); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what follows from the marked notes (%v): go test . -run TestMarkedNotes -write-notes", name, err)
		}
	}
}

// BenchmarkMarks rewrites the marks of 3,000 notes as words, and within their types.
func BenchmarkMarks(b *testing.B) {
	marked, err := os.ReadFile("testdata/marks/notes.marked.txt")
	if err != nil {
		b.Fatal(err)
	}
	var texts [][]byte
	var spans []text.Spans
	bytes := 0
	for range 100 {
		for line := range strings.Lines(string(marked)) {
			plain, of := typedSpans(strings.TrimSuffix(line, "\n"))
			texts, spans, bytes = append(texts, []byte(plain)), append(spans, of), bytes+len(plain)
		}
	}
	for name, cfg := range map[string]Configuration{"words": Words{Marked: true, Epsilon: 6}, "types": Marks{Epsilon: 6}} {
		r, err := Open(b.Context(), cfg)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(bytes))
			for b.Loop() {
				p, err := r.ReadSpans(texts, spans, Position{})
				if err != nil {
					b.Fatal(err)
				}
				if _, err := p.Draw(b.Context()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

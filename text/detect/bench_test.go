package detect

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"testing"

	"github.com/sotto-dp/sotto/text"
)

// The notes of the repository, with the marks that they come with and without.
func BenchmarkPatterns(b *testing.B) {
	var notes [][]byte
	var marks []text.Spans
	lines := func(name string, read func(line []byte)) {
		f, err := os.Open("../../testdata/marks/" + name)
		if err != nil {
			b.Fatal(err)
		}
		defer f.Close()
		for s := bufio.NewScanner(f); s.Scan(); {
			read(append([]byte{}, s.Bytes()...))
		}
	}
	lines("notes.txt", func(line []byte) { notes = append(notes, line) })
	lines("notes.spans.jsonl", func(line []byte) {
		spans, err := text.ReadSpans(line)
		if err != nil {
			b.Fatal(err)
		}
		marks = append(marks, spans)
	})
	for name, of := range map[string][]text.Spans{"plain": make([]text.Spans, len(notes)), "marked": marks} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				for i, note := range notes {
					if _, err := Patterns(note, of[i]); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}

// Dense is a text of nothing but prices and addresses, at 1, 2 and 4 times a size, and one of a
// single word with many beginnings, and one of names of secrets with quotes that do not end a value.
func BenchmarkDense(b *testing.B) {
	for name, unit := range map[string]string{"shapes": "$1 a@b.de ", "path": "abcd/1-/x_", "quotes": "'password' => "} {
		for _, times := range []int{1, 2, 4} {
			of := bytes.Repeat([]byte(unit), times*10_000)
			b.Run(fmt.Sprintf("%s/%dx", name, times), func(b *testing.B) {
				b.SetBytes(int64(len(of)))
				for b.Loop() {
					if _, err := Patterns(of, nil); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

package spellings

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// check compares a list with its words, and looks for words that it lacks.
func check(t rapid.TB, l *List, words, absent []string) {
	t.Helper()
	if l.Len() != len(words) {
		t.Fatalf("%d words, want %d", l.Len(), len(words))
	}
	for i, w := range l.All() {
		if at, ok := l.Find(w); w != words[i] || !ok || at != i {
			t.Fatalf("word %d is %q, found at %d: %t; want %q", i, w, at, ok, words[i])
		}
	}
	for _, w := range absent {
		if at, ok := l.Find(w); ok {
			t.Fatalf("%q is found at %d, and is not in the list", w, at)
		}
	}
}

func list(t testing.TB, words []string) *List {
	t.Helper()
	l, err := New(words)
	if err == nil {
		err = l.Index()
	}
	if err != nil {
		t.Fatal(err)
	}
	return &l
}

func TestAllWordsAreFoundAndNoOthers(t *testing.T) {
	check(t, &List{}, nil, []string{"", "a"})
	rapid.Check(t, func(rt *rapid.T) {
		all := rapid.SliceOfNDistinct(rapid.StringMatching(`[ab\x00ß]{1,6}`), 1, 40, rapid.ID).Draw(rt, "words")
		n := rapid.IntRange(0, len(all)).Draw(rt, "n")
		l := list(t, all[:n])
		check(rt, l, all[:n], append(all[n:], ""))
		first := l.First(n / 2)
		if err := first.Index(); err != nil {
			rt.Fatal(err)
		}
		check(rt, &first, all[:n/2], all[n/2:])
		again, ok := Parse(l.Text(), n)
		if whole := !strings.ContainsRune(strings.Join(all[:n], ""), 0); ok != whole {
			rt.Fatalf("parsed: %t, want %t", ok, whole)
		} else if whole {
			if err := again.Index(); err != nil {
				rt.Fatal(err)
			}
			check(rt, &again, all[:n], all[n:])
		}
	})
}

// In a long list the bits of the hash are few, so that only the words themselves tell some
// apart.
func TestLongLists(t *testing.T) {
	const n = 200_000
	var words, absent []string
	for i := range n {
		words, absent = append(words, fmt.Sprint("w", i)), append(absent, fmt.Sprint("v", i))
	}
	check(t, list(t, words), words, absent)
}

func TestWordsThatAreRefused(t *testing.T) {
	for want, words := range map[string][]string{
		"word 2 is empty":            {"a", "", "b"},
		"words 1 and 3 are the same": {"a", "b", "a"},
	} {
		l, err := New(words)
		if err != nil {
			t.Fatal(err)
		}
		if err := l.Index(); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", words, err, want)
		}
	}
}

func TestTextsThatAreNotTheWords(t *testing.T) {
	for text, n := range map[string]int{"": 1, "a": 1, "a\x00b": 2, "a\x00b\x00": 1, "a\x00": 2, "a\x00\x00": 1} {
		if _, ok := Parse(text, n); ok {
			t.Errorf("%q are %d words", text, n)
		}
	}
}

func BenchmarkFind(b *testing.B) {
	for _, n := range []int{20_000, 400_000} {
		words := make([]string, n)
		for i := range words {
			words[i] = fmt.Sprint("word", i)
		}
		asked := make([]string, 1<<16)
		for i := range asked {
			asked[i] = fmt.Sprint("word", rand.IntN(n)) // other bytes than the list's
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			l := list(b, words)
			for i := 0; b.Loop(); i++ {
				if _, ok := l.Find(asked[i%len(asked)]); !ok {
					b.Fatal("a word is not found")
				}
			}
		})
		b.Run(fmt.Sprint("map/", n), func(b *testing.B) {
			m := map[string]uint32{}
			for i, w := range words {
				m[w] = uint32(i)
			}
			for i := 0; b.Loop(); i++ {
				if _, ok := m[asked[i%len(asked)]]; !ok {
					b.Fatal("a word is not found")
				}
			}
		})
	}
}

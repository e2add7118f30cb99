package typed

import (
	"embed"
	"fmt"
	"strings"
	"sync"
)

//go:embed lists/*.txt
var files embed.FS

// list is a list of a file, and the place of each item in its folded form.
type list struct {
	items  []string
	places map[string]int
}

var lists sync.Map // of *list, by name

// embedded returns a list of this package, such as en-given.
func embedded(name string) *list {
	if l, ok := lists.Load(name); ok {
		return l.(*list)
	}
	data, err := files.ReadFile("lists/" + name + ".txt")
	if err != nil {
		panic("typed: no list " + name) // a name of this package
	}
	var items []string
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			items = append(items, line)
		}
	}
	l, _ := lists.LoadOrStore(name, newList(items))
	return l.(*list)
}

func newList(items []string) *list {
	l := &list{items, make(map[string]int, len(items))}
	for i, item := range items {
		if _, ok := l.places[Fold(item)]; !ok {
			l.places[Fold(item)] = i
		}
	}
	return l
}

// of returns the codebook of one list.
func of(name string, l *list) *Codebook {
	return &Codebook{name: name, n: len(l.items),
		place: func(value string) (int, bool) { i, ok := l.places[Fold(value)]; return i, ok },
		write: func(dst []byte, i int) []byte { return append(dst, l.items[i]...) }}
}

// pairs returns the codebook of all pairs of two lists. Write joins them, and parts returns
// the two parts of a value. A part that its list lacks counts as the middle of the list.
func pairs(name string, first, second *list, write func(dst []byte, first, second string) []byte, parts func(value string) (first, second string)) *Codebook {
	n := len(second.items)
	return &Codebook{name: name, n: len(first.items) * n,
		place: func(value string) (int, bool) {
			a, b := parts(value)
			i, found := first.places[Fold(a)]
			j, also := second.places[Fold(b)]
			if !found {
				i = len(first.items) / 2
			}
			if !also {
				j = n / 2
			}
			return i*n + j, found || also
		},
		write: func(dst []byte, i int) []byte { return write(dst, first.items[i/n], second.items[i%n]) }}
}

// spaced writes two parts with a space between them.
func spaced(dst []byte, first, second string) []byte {
	return append(append(append(dst, first...), ' '), second...)
}

// atSpace cuts a value at its first space, or its last one.
func atSpace(value string, last bool) (first, second string) {
	value = strings.TrimSpace(value)
	i := strings.IndexByte(value, ' ')
	if last {
		i = strings.LastIndexByte(value, ' ')
	}
	if i < 0 {
		return value, value
	}
	return value[:i], value[i+1:]
}

// forms of address that are no part of a name.
var forms = map[string]bool{"dr": true, "mr": true, "mrs": true, "ms": true, "miss": true, "prof": true, "sir": true, "frau": true, "herr": true, "mme": true, "m": true, "sr": true, "sra": true}

// person is the codebook of full names. Whatever and however many parts a value has, it is
// replaced by a given name and a family name.
func person(name, locale string) *Codebook {
	return pairs(name, embedded(locale+"-given"), embedded(locale+"-family"), spaced, func(value string) (given, family string) {
		if last, first, ok := strings.Cut(value, ","); ok {
			value = first + " " + last
		}
		words := strings.Fields(value)
		for len(words) > 1 && forms[Fold(words[0])] {
			words = words[1:]
		}
		if len(words) == 0 {
			return "", ""
		}
		return words[0], words[len(words)-1]
	})
}

// address is the codebook of streets with the number of a house, which is written before the
// street or after it.
func address(name, locale string, before bool) *Codebook {
	numbers := make([]string, 199)
	for i := range numbers {
		numbers[i] = fmt.Sprint(i + 1)
	}
	streets, houses := embedded(locale+"-street"), newList(numbers)
	if before {
		return pairs(name, houses, streets, spaced, func(value string) (string, string) { return atSpace(value, false) })
	}
	return pairs(name, streets, houses, spaced, func(value string) (string, string) { return atSpace(value, true) })
}

// named is the codebook of the items of a list before one of some words.
func named(name string, l *list, words ...string) *Codebook {
	return pairs(name, l, newList(words), spaced, func(value string) (string, string) { return atSpace(value, false) })
}

package grammar

import (
	"bytes"
	"math/rand/v2"
	"unicode"
	"unicode/utf8"
)

// Text is a drawn text.
type Text struct {
	Text  string
	Topic string
	Frame Place
}

// Draws draws texts one after another, evenly by topic and, within a topic, by frame. The
// same files and seed give the same texts. It is for one goroutine.
type Draws struct {
	grammar *Grammar
	random  *rand.Rand
	orders  [][]int // of the frames of each topic
	round   int
	topic   int
	text    []byte
}

// Draws returns the draws of a seed.
func (g *Grammar) Draws(seed uint64) *Draws {
	var key [32]byte
	for i := range 8 {
		key[i] = byte(seed >> (8 * i))
	}
	d := &Draws{grammar: g, random: rand.New(rand.NewChaCha8(key))}
	for _, t := range g.topics {
		d.orders = append(d.orders, d.random.Perm(len(t.frames)))
	}
	return d
}

// Next draws a text.
func (d *Draws) Next() Text {
	t, order := d.grammar.topics[d.topic], d.orders[d.topic]
	frame := t.frames[order[d.round%len(order)]]
	if d.topic++; d.topic == len(d.orders) {
		d.topic, d.round = 0, d.round+1
	}
	filling := drawing{Grammar: d.grammar, random: d.random}
	d.text = filling.fill(d.text[:0], frame.phrase)
	return Text{string(articles(squeeze(d.text))), t.name, frame.Place}
}

// squeeze makes one space of several, and takes away those at the ends, which an empty
// alternative leaves.
func squeeze(text []byte) []byte {
	kept := text[:0]
	for _, c := range text {
		if c != ' ' || len(kept) > 0 && kept[len(kept)-1] != ' ' {
			kept = append(kept, c)
		}
	}
	return bytes.TrimSuffix(kept, []byte(" "))
}

// abbreviations end with a full stop and end no sentence.
var abbreviations = []string{" e.g.", " i.e.", " approx.", " vs.", " pt.", " Dr.", " Mr.", " Mrs.", " St.", " z.B.", " z. B.", " d.h.", " ca.", " bzw.", " evtl.", " inkl.", " Nr.", " Str.", " ggf."}

// articles writes a or an where a text has a(n).
func articles(text []byte) []byte {
	mark := []byte("(n) ")
	if !bytes.Contains(text, mark) {
		return text
	}
	parts := bytes.Split(text, mark)
	written := bytes.Clone(parts[0])
	for _, next := range parts[1:] {
		if startsWithVowel(next) {
			written = append(written, 'n')
		}
		written = append(append(written, ' '), next...)
	}
	return written
}

// Words that are spoken otherwise than their first letter is.
var spoken = []struct {
	start string
	vowel bool
}{
	{"one", false}, {"once", false}, {"uni", false}, {"uran", false}, {"use", false}, {"usual", false}, {"util", false}, {"euro", false}, {"eu ", false}, {"ewe", false},
	{"unin", true}, {"unim", true}, {"unid", true}, {"hour", true}, {"honest", true}, {"honour", true}, {"heir", true},
	{"8", true}, {"11 ", true}, {"11-", true}, {"18 ", true}, {"18-", true}, {"80", true},
	{"sim ", false}, {"ram ", false}, {"lan ", false}, {"nato ", false}, {"nasa ", false}, {"fifa ", false}, {"led ", true},
}

// startsWithVowel reports whether a text is spoken with a vowel first.
func startsWithVowel(text []byte) bool {
	word, _, _ := bytes.Cut(text, []byte(" "))
	lower := append(bytes.ToLower(word), ' ')
	vowel := bytes.IndexByte([]byte("aeiou"), lower[0]) >= 0
	if isLetters(word) {
		vowel = bytes.IndexByte([]byte("aefhilmnorsx"), lower[0]) >= 0
	}
	for _, s := range spoken {
		if bytes.HasPrefix(lower, []byte(s.start)) {
			vowel = s.vowel
		}
	}
	return vowel
}

// isLetters reports whether a word is spoken letter by letter: its first two are capital,
// or the first is one and a dash follows.
func isLetters(word []byte) bool {
	capital := func(i int) bool { return len(word) > i && word[i] >= 'A' && word[i] <= 'Z' }
	return capital(0) && (capital(1) || len(word) > 1 && word[1] == '-')
}

// A drawing fills the gaps of one text.
type drawing struct {
	*Grammar
	random *rand.Rand
	labels map[label]int // the line that each label of the text has drawn
}

type label struct{ list, name string }

func (d *drawing) fill(dst []byte, p phrase) []byte {
	for _, part := range p {
		at := len(dst)
		switch {
		case part.choices != nil:
			dst = d.fill(dst, part.choices[d.random.IntN(len(part.choices))])
		case part.list != "":
			dst = d.fill(dst, d.lists[part.list].lines[d.line(part)].phrase)
		default:
			dst = append(dst, part.literal...)
			continue
		}
		dst = capital(dst, at)
	}
	return dst
}

// line draws a line of a list. Different labels of a text have different lines, as long as
// the list has enough of them.
func (d *drawing) line(part piece) int {
	n := len(d.lists[part.list].lines)
	if part.label == "" {
		return d.random.IntN(n)
	}
	key := label{part.list, part.label}
	if line, ok := d.labels[key]; ok {
		return line
	}
	taken := map[int]bool{}
	for other, line := range d.labels {
		taken[line] = taken[line] || other.list == part.list
	}
	line := d.random.IntN(n)
	for len(d.labels) > 0 && taken[line] && len(taken) < n {
		line = (line + 1) % n
	}
	if d.labels == nil {
		d.labels = map[label]int{}
	}
	d.labels[key] = line
	return line
}

// capital makes the letter at a position a capital if a sentence begins there.
func capital(text []byte, at int) []byte {
	before := bytes.TrimRight(text[:at], " \"'(")
	begins := len(before) == 0 || at > len(before) && bytes.IndexByte([]byte(".!?"), before[len(before)-1]) >= 0
	for _, a := range abbreviations {
		begins = begins && !bytes.HasSuffix(before, []byte(a))
	}
	letter, size := utf8.DecodeRune(text[at:])
	if upper := unicode.ToUpper(letter); begins && upper != letter && utf8.RuneLen(upper) == size {
		utf8.EncodeRune(text[at:], upper)
	}
	return text
}

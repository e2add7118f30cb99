package grammar

import (
	"fmt"
	"iter"
	"regexp"
	"strings"
)

// MostWords is the length of the longest text, in words.
const MostWords = 60

// Fault is what is wrong with a text.
type Fault struct {
	Frame Place
	What  string
	Text  string
}

func (f Fault) Error() string { return fmt.Sprintf("%s: %s: %s", f.Frame, f.What, f.Text) }

var wrong = []struct {
	pattern *regexp.Regexp
	what    string
}{
	{regexp.MustCompile(` [,.;:!?]( |$)`), "a space before punctuation"},
	{regexp.MustCompile(`,,|;;|[,;:][.!?]|[.!?],|[^.]\.\.( |$)|[?!]\.`), "two signs of punctuation"},
	{regexp.MustCompile(`[{}|]|\(n\)`), "a mark of the grammar"},
	{regexp.MustCompile(`[,;][A-Za-z]`), "no space after punctuation"},
}

// doubled are words that may follow themselves.
var doubled = map[string]bool{"had": true, "that": true, "very": true, "so": true, "no": true, "really": true, "die": true, "der": true, "das": true, "sie": true, "bye": true, "ha": true}

var vowel = regexp.MustCompile(`\b[Aa] ([A-Za-z0-9'-]+)|\b[Aa]n ([A-Za-z0-9'-]+)`)

// Faults returns what a program can see to be wrong with a text: its length, punctuation,
// doubled words.
func Faults(t Text) []Fault {
	var faults []Fault
	fault := func(format string, args ...any) {
		faults = append(faults, Fault{t.Frame, fmt.Sprintf(format, args...), t.Text})
	}
	words := strings.Fields(t.Text)
	if len(words) < 1 || len(words) > MostWords {
		fault("%d words, want 1 to %d", len(words), MostWords)
	}
	for _, w := range wrong {
		if w.pattern.MatchString(t.Text) {
			fault("%s", w.what)
		}
	}
	for i := 1; i < len(words); i++ {
		if a, b := strings.ToLower(words[i-1]), strings.ToLower(words[i]); a == b && !doubled[a] {
			fault("the word %s twice", b)
		}
	}
	return faults
}

// ArticleFaults returns the wrong forms of a and an in an English text.
func ArticleFaults(t Text) []Fault {
	var faults []Fault
	for _, m := range vowel.FindAllStringSubmatch(t.Text, -1) {
		if an := m[2] != ""; startsWithVowel([]byte(m[1]+m[2])) != an {
			faults = append(faults, Fault{t.Frame, "the article of " + m[0], t.Text})
		}
	}
	return faults
}

// Counts returns the numbers of topics, frames, lists, and lines of lists.
func (g *Grammar) Counts() (topics, frames, lists, lines int) {
	for _, t := range g.topics {
		frames += len(t.frames)
	}
	for _, l := range g.lists {
		lines += len(l.lines)
	}
	return len(g.topics), frames, len(g.lists), lines
}

// Frames returns the frames as written, in the order of the files.
func (g *Grammar) Frames() iter.Seq2[Place, string] {
	return func(yield func(Place, string) bool) {
		for _, t := range g.topics {
			for _, f := range t.frames {
				if !yield(f.Place, f.text) {
					return
				}
			}
		}
	}
}

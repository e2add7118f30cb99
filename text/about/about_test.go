package about

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

const questions = "# made for a test\nNUM\thow many, ^when, year\nHUM\t^who, inventor\nDESC\t^how, ^what is\n\nLOC\tcity country\n"

func read(t *testing.T, source string) *Words {
	t.Helper()
	w, err := Read([]byte(source))
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestCountsTakeTheLongestPhraseOfAPlace(t *testing.T) {
	w := read(t, questions)
	if got := w.Labels(); !slices.Equal(got, []string{"NUM", "HUM", "DESC", "LOC"}) {
		t.Fatalf("labels %v", got)
	}
	c := w.Counter(nil)
	for text, want := range map[string][]int{
		"How many people live in the City?":  {1, 0, 0, 1},
		"How does a country count the year?": {1, 0, 1, 1},
		"Tell me who and when":               {0, 0, 0, 0}, // ^ is the beginning
		"WHO":                                {0, 1, 0, 0},
		"":                                   {0, 0, 0, 0},
		"cities":                             {0, 0, 0, 0},
	} {
		if got := c.Counts([]byte(text)); !slices.Equal(got, want) {
			t.Errorf("%q: counts %v, want %v", text, got, want)
		}
	}
	if y, ok := c.Best([]byte("what is the city")); ok {
		t.Errorf("label %d where two have one phrase each", y)
	}
	if y, ok := c.Best([]byte("what is the city of a country")); !ok || y != 3 {
		t.Errorf("label %d, %v; want the one with two phrases", y, ok)
	}
	if y, ok := c.Best([]byte("who")); !ok || y != 1 {
		t.Errorf("label %d, %v; want 1", y, ok)
	}
}

func TestReadRefusesWhatIsNoListOfWords(t *testing.T) {
	for source, want := range map[string]string{
		"":                              "words for 0 labels",
		"good\tnice":                    "words for 1 labels",
		"good nice":                     "line 1 is not a label, a tab and words",
		"a\tx\nb\tx":                    `line 2: the phrase "x" speaks for a already`,
		"a\tx\nb\t!!!":                  `line 2: the phrase "!!!" has 0 words`,
		"a\tx\nb\t1 2 3 4 5 6 7 8 9, y": "has 9 words",
		"a\tx\nb\t\xff":                 "not UTF-8",
		strings.Repeat("#", MaxBytes+1): "at most",
	} {
		if _, err := Read([]byte(source)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: error %v, want %q", source, err, want)
		}
	}
	w := read(t, questions)
	if err := w.Covers([]string{"NUM", "HUM", "DESC"}); err == nil {
		t.Error("a label that is not known is covered")
	}
	if w.Covers([]string{"LOC", "NUM", "HUM", "DESC", "ABBR"}) != nil {
		t.Error("a label without words is refused")
	}
	if w.Digest() == read(t, questions+"#").Digest() {
		t.Error("two lists have one digest")
	}
}

func Example() {
	w, err := Read([]byte("good\tfine lovely, well made\nbad\tdull\n"))
	if err != nil {
		panic(err)
	}
	fmt.Println(w.Labels(), w.Counter(nil).Counts([]byte("A well made but dull film")))
	// Output: [good bad] [1 1]
}

func TestListsCanBeRead(t *testing.T) {
	if len(Lists()) < 3 {
		t.Errorf("lists %v", Lists())
	}
	for _, name := range Lists() {
		data, ok := List(name)
		if !ok {
			t.Fatalf("%s is no list", name)
		}
		w := read(t, string(data))
		c := w.Counter(nil)
		for key, y := range w.phrases {
			if counts := c.Counts([]byte(strings.TrimPrefix(key, begins))); counts[y] == 0 {
				t.Errorf("%s: the phrase %q does not count for its label", name, key)
			}
		}
	}
	if _, ok := List("../about"); ok {
		t.Error("a file outside of the lists is read")
	}
}

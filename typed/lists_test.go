package typed

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

// Lists are in the order of the SHA-256 of their items, which are distinct and plain, so the
// items beside an item share nothing with it.
func TestListsAreInTheOrderOfTheirDigests(t *testing.T) {
	names, err := fs.Glob(files, "lists/*.txt")
	if err != nil || len(names) < 15 {
		t.Fatalf("%d lists (%v)", len(names), err)
	}
	for _, name := range names {
		l := embedded(strings.TrimSuffix(strings.TrimPrefix(name, "lists/"), ".txt"))
		before := ""
		for _, item := range l.items {
			sum := sha256.Sum256([]byte(item))
			if at := hex.EncodeToString(sum[:]); at <= before {
				t.Errorf("%s: %s is out of order, or there twice", name, item)
			} else {
				before = at
			}
			if strings.ContainsFunc(item, func(r rune) bool {
				return unicode.IsControl(r) || unicode.IsDigit(r) || strings.ContainsRune("\"<>&,;", r)
			}) {
				t.Errorf("%s: %q is not plain", name, item)
			}
		}
		if len(l.items) < 20 {
			t.Errorf("%s has %d items", name, len(l.items))
		}
	}
}

// Check digits are those of their standards: published examples of a valid card number and
// IBAN, and each number that can come out.
func TestShapesHaveTheirCheckDigits(t *testing.T) {
	if d := checkDigit(411111111111111); d != 1 {
		t.Errorf("the check digit of the test card 4111 1111 1111 1111 is %d", d)
	}
	valid := func(iban string) bool {
		plain := strings.ReplaceAll(iban, " ", "")
		rest := 0
		for _, r := range plain[4:] + plain[:4] {
			switch {
			case r >= '0' && r <= '9':
				rest = (rest*10 + int(r-'0')) % 97
			default:
				rest = (rest*100 + int(r-'A') + 10) % 97
			}
		}
		return rest == 1
	}
	if !valid("GB82 WEST 1234 5698 7654 32") || valid("GB82 WEST 1234 5698 7654 33") {
		t.Error("the test of IBANs is wrong")
	}
	card, iban := cards("card"), accounts("iban")
	for i := 0; i < 1_000_000; i += 9973 {
		if got := iban.Text(i); !valid(got) {
			t.Errorf("%s is no IBAN", got)
		}
		digits := strings.ReplaceAll(card.Text(i), " ", "")
		if first, err := strconv.ParseInt(digits[:15], 10, 64); err != nil || len(digits) != 16 || int(digits[15]-'0') != checkDigit(first) {
			t.Errorf("%s is no card number", digits)
		}
	}
}

func TestEveryTypeHasACodebook(t *testing.T) {
	for _, kind := range Types() {
		if c, ok := Default(kind); !ok || c.Len() < 100 || Normal(kind) != kind || Known(kind) != kind {
			t.Errorf("%s has no codebook, or is not a name", kind)
		}
	}
	for alias, kind := range aliases {
		if _, ok := codebookOf[kind]; !ok || Normal(alias) != alias || codebookOf[alias] != "" {
			t.Errorf("%s means %s, which is no type, or is one itself", alias, kind)
		}
	}
	for name, want := range map[string]string{"phone number": "PHONE_NUMBER", "B-PER": "B_PER", "per": "PERSON", "NORP": "NORP", "Straße": "", strings.Repeat("x", 65): "", "": ""} {
		if got := Known(name); got != want {
			t.Errorf("%q is %q, must be %q", name, got, want)
		}
	}
}

func TestCodebooksOfFilesAreChecked(t *testing.T) {
	for text, want := range map[string]string{
		"":                               "at least two values",
		"# head\none\n":                  "at least two values",
		"one\ntwo\none\n":                "line 3 is there twice",
		"one\n\xff\n":                    "line 2 is not a line of printable UTF-8",
		"one\nt\x00wo\n":                 "line 2 is not a line of printable UTF-8",
		"a\n" + strings.Repeat("b", 257): "line 2 has more than 256 bytes",
	} {
		if _, err := Read(strings.NewReader(text), "mine", "WARD"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, must be %q", text, err, want)
		}
	}
	if _, err := Read(strings.NewReader("2024-01-01\nsoon\n"), "mine", "DATE"); err == nil || strings.Contains(err.Error(), "soon") {
		t.Errorf("a value that is no date: %v", err)
	}
	c, err := Read(strings.NewReader("# of the hospital\n2024-06-01\n1 May 2024\n\n2020-01-01\n"), "mine", "DATE")
	if err != nil || c.Len() != 3 || c.Text(0) != "2020-01-01" || c.Text(1) != "1 May 2024" || c.Unordered() {
		t.Fatalf("%v", err)
	}
	set, err := c.Nearest(nil, c.Encode(nil, []byte("2024-05-10")), 1)
	if err != nil || !slices.Equal(set, []uint32{1}) {
		t.Errorf("the nearest of a date is %v (%v)", set, err)
	}
	c, err = Read(strings.NewReader("North\nSouth\nWest"), "mine", "WARD")
	if set, _ = c.Nearest(nil, c.Encode(nil, []byte("south")), 1); err != nil || !slices.Equal(set, []uint32{1}) || !c.Unordered() {
		t.Errorf("%v %v", set, err)
	}
}

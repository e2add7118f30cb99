package tokenize

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// isShortenedAfter lists the words after which 's is read as is.
var isShortenedAfter = []string{"it", "he", "she", "that", "this", "what", "who", "where", "when", "why", "how", "there", "here"}

// wholeContractions expand as whole words.
var wholeContractions = map[string][]string{
	"can't":  {"can", "not"},
	"won't":  {"will", "not"},
	"shan't": {"shall", "not"},
	"ain't":  {"is", "not"},
	"let's":  {"let", "us"},
	"y'all":  {"you", "all"},
	"'tis":   {"it", "is"},
	"'twas":  {"it", "was"},
}

// endings expand after any word.
var endings = []struct{ ending, word string }{
	{"n't", "not"}, {"'m", "am"}, {"'re", "are"}, {"'ve", "have"}, {"'ll", "will"}, {"'d", "would"}, {"'s", "'s"},
}

// expand returns the words of a contraction, which is in lower case. 's after a
// word of isShortenedAfter becomes is when the words are looked up.
func expand(word string) ([]string, bool) {
	if !strings.Contains(word, "'") {
		return nil, false
	}
	if w, ok := wholeContractions[word]; ok {
		return w, true
	}
	for _, e := range endings {
		if base, ok := strings.CutSuffix(word, e.ending); ok && base != "" && !strings.Contains(base, "'") {
			return []string{base, e.word}, true
		}
	}
	return nil, false
}

var numberWords = map[string]string{
	"0": "zero", "1": "one", "2": "two", "3": "three", "4": "four", "5": "five", "6": "six", "7": "seven", "8": "eight",
	"9": "nine", "10": "ten", "11": "eleven", "12": "twelve", "13": "thirteen", "14": "fourteen", "15": "fifteen",
	"16": "sixteen", "17": "seventeen", "18": "eighteen", "19": "nineteen", "20": "twenty", "30": "thirty", "40": "forty",
	"50": "fifty", "60": "sixty", "70": "seventy", "80": "eighty", "90": "ninety", "100": "hundred", "1000": "thousand",
	"1,000": "thousand", "1000000": "million", "1,000,000": "million",
	"1st": "first", "2nd": "second", "3rd": "third", "4th": "fourth", "5th": "fifth", "6th": "sixth", "7th": "seventh",
	"8th": "eighth", "9th": "ninth", "10th": "tenth", "11th": "eleventh", "12th": "twelfth", "13th": "thirteenth",
	"14th": "fourteenth", "15th": "fifteenth", "16th": "sixteenth", "17th": "seventeenth", "18th": "eighteenth",
	"19th": "nineteenth", "20th": "twentieth",
}

// spellNumber reports whether a token is a number, and returns its word or
// "<num>". A number is digits with punctuation between them, with an ordinal's
// ending or a plural s (1990s).
func spellNumber(word string) (string, bool) {
	if w, ok := numberWords[word]; ok {
		return w, true
	}
	body := word
	for _, ending := range []string{"st", "nd", "rd", "th", "s"} {
		if b, ok := strings.CutSuffix(word, ending); ok {
			body = b
			break
		}
	}
	if body == "" || body[0] < '0' || body[0] > '9' {
		return "", false
	}
	for i := range len(body) {
		if c := body[i]; (c < '0' || c > '9') && c != '.' && c != ',' && c != '_' && c != '\'' {
			return "", false
		}
	}
	return "<num>", true
}

func isSpace(token []byte) bool {
	for len(token) > 0 {
		r, n := utf8.DecodeRune(token)
		if !unicode.IsSpace(r) {
			return false
		}
		token = token[n:]
	}
	return true
}

// mostParts bounds the cuts of one compound.
const mostParts = 16

// cut splits a compound into runs of letters and digits, and single punctuation marks.
func cut(word string) []string {
	var parts []string
	start := -1
	for i, r := range word {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
			if start < 0 {
				start = i
			}
			continue
		}
		if start >= 0 {
			parts = append(parts, word[start:i])
			start = -1
		}
		parts = append(parts, string(r))
		if len(parts) > mostParts {
			return nil
		}
	}
	if start >= 0 {
		parts = append(parts, word[start:])
	}
	return parts
}

// plain replaces typographic punctuation by plain.
var plain = strings.NewReplacer("’", "'", "‘", "'", "ʼ", "'", "“", `"`, "”", `"`, "„", `"`, "«", `"`, "»", `"`,
	"–", "-", "—", "--", "―", "--", "‐", "-", "‑", "-", "−", "-", "…", "...")

// vowelSound reports whether a word takes "an", by its first letter and the
// common exceptions of English.
func vowelSound(w string) bool {
	for _, p := range []string{"hour", "honest", "honor", "honour", "heir"} {
		if strings.HasPrefix(w, p) {
			return true
		}
	}
	for _, p := range []string{"uni", "use", "usu", "eu", "one", "once", "ewe", "ufo", "uti", "ukr"} {
		if strings.HasPrefix(w, p) {
			return strings.HasPrefix(w, "unin") || strings.HasPrefix(w, "unim")
		}
	}
	return w != "" && strings.ContainsRune("aeiou", rune(w[0]))
}

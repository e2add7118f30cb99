package detect

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/sotto-dp/sotto/text"
	"pgregory.net/rapid"
)

// marked writes a text with its marks of a type in brackets.
func marked(t *testing.T, of, kind string) string {
	t.Helper()
	out, at := "", 0
	runes := []rune(of)
	found, err := Patterns([]byte(of), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range found {
		if s.Type != kind {
			continue
		}
		out += string(runes[at:s.Start]) + "[" + string(runes[s.Start:s.End]) + "]"
		at = s.End
	}
	return out + string(runes[at:])
}

// Each pattern marks its cases, as its type and whatever else is searched for, and not those
// that it must not mark.
func TestPatternsMarkTheirCases(t *testing.T) {
	for _, p := range patterns() {
		if len(p.Match) == 0 || len(p.Not) == 0 || p.Source == "" {
			t.Errorf("%s %s has no cases or no source", p.Type, p.Expression)
		}
		for _, want := range p.Match {
			plain := strings.NewReplacer("[", "", "]", "").Replace(want)
			if got := marked(t, plain, p.Type); got != want {
				t.Errorf("%s: %q, must be %q", p.Type, got, want)
			}
		}
		for _, plain := range p.Not {
			of := []byte(plain)
			p.each(of, starts(of), nil, func(m place, _ bool) { t.Errorf("%s marks %q in %q", p.Type, of[m.from:m.to], plain) })
		}
	}
}

// Marks fit every text, whatever its bytes are, and each has a type.
func TestMarksFitTheirText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOf(rapid.OneOf(
			rapid.SampledFrom([]string{"a@b.example", "4242 4242 4242 4242", "2024-03-17", "é", "e\u0301", "\u00ad", "212\u2011555\u20110147", "٤٨٢٩١٣", "\xff", " ", "+1 212 555 0147", "192.0.2.1", "www.x.example", "12:30", "$5"}),
			rapid.String())).Draw(t, "parts")
		of := []byte(strings.Join(parts, rapid.SampledFrom([]string{"", " ", ","}).Draw(t, "between")))
		found, err := Patterns(of, nil)
		if err != nil || found.Check(of) != nil {
			t.Fatalf("%q: %v, %v", of, err, found.Check(of))
		}
		for i, s := range found {
			if s.Type == "" || i > 0 && s.Start < found[i-1].End {
				t.Fatalf("%q: %+v", of, found)
			}
		}
	})
}

func TestPlainTextHasNoMarks(t *testing.T) {
	for _, plain := range []string{"", "Anna Miller lives in Boston.", "He paid 20 for 3 of 12.", "Chapter 4, page 67.", "木村 3"} {
		if found, err := Patterns([]byte(plain), nil); err != nil || len(found) > 0 || !utf8.ValidString(plain) {
			t.Errorf("%q: %+v", plain, found)
		}
	}
}

// rest writes a text with its marks, each as its type alone.
func rest(t interface{ Fatalf(string, ...any) }, of string, spans text.Spans) string {
	kept, _, err := text.Cut([]byte(of), spans)
	if err != nil {
		t.Fatalf("%q, %+v: %v", of, spans, err)
	}
	out := string(kept[0])
	for i, s := range spans.Sorted() {
		out += "[" + s.Type + "]" + string(kept[i+1])
	}
	return out
}

// given cuts a text at its brackets, in which a type stands before a bar.
func given(marks string) (plain string, spans text.Spans) {
	for {
		before, after, found := strings.Cut(marks, "[")
		if plain += before; !found {
			return plain, spans
		}
		kind, after, _ := strings.Cut(after, "|")
		value, after, _ := strings.Cut(after, "]")
		start := utf8.RuneCountInString(plain)
		plain += value
		spans = append(spans, text.Span{Start: start, End: utf8.RuneCountInString(plain), Type: kind})
		marks = after
	}
}

// What is marked besides given marks, and as what, does not depend on what these hold or on
// how long it is.
func TestPatternsReadNothingOfGivenMarks(t *testing.T) {
	beside := []string{"", " ", "@", "-", "anna", "a@b.example", "212-", "-0147", "+1 212 ", "2024-03-17", "17 ", " 2024", "https://x.example/", "/y", "€", "\n", "é", "\xff", "4242 ", ":05", "DE89 ", "\u00a0", "\u2011", "\u00ad", "\u0301", "２", "password: ", "password=", "\"", "?token=", "-----BEGIN PRIVATE KEY-----\n", "-----END PRIVATE KEY-----", "\n67F", " with", "pt "}
	held := rapid.OneOf(rapid.SampledFrom([]string{"Anna", "555", "March", "17 March", "bosch", "12345678901", "a@b.example", "\n", "木村", "x 2024-03-17 y", "-", "@", "$5"}), rapid.StringMatching(`[ -~é]{1,20}`))
	rapid.Check(t, func(t *rapid.T) {
		var plain [2]string
		var spans [2]text.Spans
		for range rapid.IntRange(1, 4).Draw(t, "marks") {
			out := strings.Join(rapid.SliceOfN(rapid.SampledFrom(beside), 0, 4).Draw(t, "beside"), "")
			kind := rapid.SampledFrom([]string{"PERSON", "DATE_TIME", "CARDINAL", "ID", "ORG", "NORP", ""}).Draw(t, "type")
			for i := range plain {
				plain[i] += out
				start := utf8.RuneCountInString(plain[i])
				plain[i] += held.Draw(t, "held")
				spans[i] = append(spans[i], text.Span{Start: start, End: utf8.RuneCountInString(plain[i]), Type: kind})
			}
		}
		end := strings.Join(rapid.SliceOfN(rapid.SampledFrom(beside), 0, 4).Draw(t, "end"), "")
		var got [2]string
		for i := range plain {
			all, err := Patterns([]byte(plain[i]+end), spans[i])
			if err != nil {
				t.Fatalf("%q: %v", plain[i]+end, err)
			}
			got[i] = rest(t, plain[i]+end, all)
		}
		if got[0] != got[1] {
			t.Fatalf("%q and %q:\n%q\n%q", plain[0]+end, plain[1]+end, got[0], got[1])
		}
	})
}

// Where a given mark is in what has a shape, or a part of it, nothing of it stays in clear.
func TestMarksInsideAShapeBecomeOneWithIt(t *testing.T) {
	for marks, want := range map[string]string{
		"call 212-[CARDINAL|555]-0147 now":                         "call [PHONE_NUMBER] now",
		"call +1 [CARDINAL|212] 555 0147 now":                      "call [PHONE_NUMBER] now",
		"anna@[ORG|bosch].example":                                 "[EMAIL_ADDRESS]",
		"[PERSON|anna].[PERSON|miller]@[ORG|bosch.example]":        "[PERSON].[PERSON]@[ORG]", // nothing else is left
		"[PERSON|anna].m@[ORG|bosch.example]":                      "[EMAIL_ADDRESS]",
		"C.F. RSSMRA85T10A[ID|562]S":                               "C.F. [NATIONAL_ID]",
		"see https://x.example/[PERSON|Anna]/notes.":               "see [URL].",
		"on 17 [DATE_TIME|March 2024] and 18 [DATE|March] 2024":    "on [DATE]",
		"on [DATE|17 March] 2024, 2024-[DATE|03-17]":               "on [DATE], [DATE]",
		"card 4242 [NUMBER|4242] 4242 4242":                        "card [CREDIT_CARD]",
		"IBAN GB29 [ORG|NWBK] 6016 1331 9268 19":                   "IBAN [IBAN_CODE]",
		"order 482[NUMBER|913]":                                    "order [ID]",
		"$[CARDINAL|1],250.00 of [MONEY|300] dollars":              "[MONEY] of [MONEY]",
		"[PERSON|Anna Miller] 2024, born 1975":                     "[PERSON] 2024, born 1975",
		"[ID|482913] 2024-03-17 14:05 [AGE|67]-year-old":           "[ID] [DATE] [TIME] [AGE]-year-old",
		"[PERSON|Anna]2024-03-17, [PERSON|Anna] 2024-03-17":        "[PERSON][DATE], [PERSON] [DATE]",
		"[PERSON|a@b.example] and c@d.example":                     "[PERSON] and [EMAIL_ADDRESS]",
		"call 212\u2011[CARDINAL|555]\u20110147":                   "call [PHONE_NUMBER]",
		"a\u00ad[PERSON|Ann]\u0301\u00ada@b.example[AGE|67]\u00ad": "a\u00ad[PERSON]\u0301\u00ad[EMAIL_ADDRESS][AGE]\u00ad",
		"[PERSON|Anna]\u0301 [AGE|67]\u00ad":                       "[PERSON]\u0301 [AGE]\u00ad",
		"card 4242 4242 4242 4242 123, [AGE|67]":                   "card [CREDIT_CARD] 123, [AGE]",
		"see http://x.example/?m=a@b.example&n=Anna":               "see [URL]",
		"[NORP|Dutch] [PERSON|Anna], [AGE|67] years":               "[NORP] [PERSON], [AGE] years",
		"Mr [PERSON|Lee] of room 12 paid on 3/4/24 [DATE|at noon]": "Mr [PERSON] of room 12 paid on [DATE] [DATE]",
	} {
		plain, spans := given(marks)
		all, err := Patterns([]byte(plain), spans)
		if err != nil {
			t.Fatal(err)
		}
		if got := rest(t, plain, all); got != want {
			t.Errorf("%q becomes %q, must be %q", marks, got, want)
		}
	}
}

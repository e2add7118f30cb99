package typed

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// months are the first three letters of months in the languages that package detect marks
// dates in, or more where three are not enough.
var months = map[string]time.Month{
	"jan": 1, "feb": 2, "mar": 3, "apr": 4, "may": 5, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "oct": 10, "nov": 11, "dec": 12,
	"jän": 1, "mär": 3, "mrz": 3, "mai": 5, "okt": 10, "dez": 12, // German
	"fév": 2, "fev": 2, "avr": 4, "juin": 6, "juil": 7, "aoû": 8, "aou": 8, "déc": 12, // French
	"ene": 1, "abr": 4, "ago": 8, "dic": 12, // Spanish
	"gen": 1, "mag": 5, "giu": 6, "lug": 7, "set": 9, "ott": 10, // Italian
	"out": 10, "maa": 3, "mrt": 3, "mei": 5, // Portuguese, Dutch
}

// date is what is read of a date: its numbers, and how many of them were before the month.
type date struct {
	numbers []int
	long    []bool // of four digits
	month   time.Month
	before  int
	dots    bool
}

// readDay reads a date as days since the first one, and of several days the first. Of two
// numbers that could both be the month, the first is, unless dots follow them, as in 3.4.2024.
// A month alone is its fifteenth day, and a year alone the first of July. Two digits of a year
// are those of 1940 to 2039. A date without a year is not read.
func readDay(value string) (int64, bool) {
	d := date{dots: strings.Contains(value, ".")}
	digit := func(r rune) bool { return r >= '0' && r <= '9' }
	for rest := value; rest != ""; {
		end := strings.IndexFunc(rest, func(r rune) bool { return !digit(r) })
		if end == 0 { // no digit is first
			if end = strings.IndexFunc(rest, digit); end < 0 {
				end = len(rest)
			}
			for _, word := range strings.FieldsFunc(rest[:end], func(r rune) bool { return !unicode.IsLetter(r) }) {
				d.word(word)
			}
			rest = rest[end:]
			continue
		}
		if end < 0 {
			end = len(rest)
		}
		d.number(rest[:end])
		rest = rest[end:]
	}
	return d.day()
}

// word reads a word, which may be a month.
func (d *date) word(word string) {
	letters := []rune(strings.ToLower(word))
	for n := 4; n >= 3 && d.month == 0; n-- {
		if len(letters) >= n {
			d.month, d.before = months[string(letters[:n])], len(d.numbers)
		}
	}
}

// number reads digits: a number, or the three of 20240317.
func (d *date) number(digits string) {
	n, err := strconv.Atoi(digits)
	switch {
	case err != nil:
	case len(digits) == 8 && len(d.numbers) == 0:
		d.numbers, d.long = []int{n / 10000, n / 100 % 100, n % 100}, []bool{true, false, false}
	default:
		d.numbers, d.long = append(d.numbers, n), append(d.long, len(digits) == 4)
	}
}

// day returns the day of what was read.
func (d *date) day() (int64, bool) {
	year, month, day, ok := d.parts()
	switch {
	case year < 40:
		year += 2000
	case year < 100:
		year += 1900
	}
	if !ok || month < 1 || month > 12 || day < 1 || day > 31 || year > 9999 {
		return 0, false
	}
	return days(time.Date(year, month, day, 0, 0, 0, 0, time.UTC)), true
}

// parts returns the year, the month and the day.
func (d *date) parts() (year int, month time.Month, day int, ok bool) {
	n := d.numbers
	long := slices.Index(d.long, true)
	switch {
	case d.month != 0 && len(n) == 1:
		return n[0], d.month, 15, long == 0
	case d.month != 0 && len(n) >= 2:
		at := max(d.before, 1) // after the month, or after the day that is after it
		if long >= 0 {
			at = long
		}
		at = min(at, len(n)-1)
		if at == 0 {
			return n[0], d.month, n[1], true
		}
		return n[at], d.month, n[0], true
	case len(n) >= 3 && long == 0:
		return n[0], time.Month(n[1]), n[2], true
	case len(n) == 4 && d.dots && (long == 3 || long < 0): // 17.-19.03.2024
		return n[3], time.Month(n[2]), n[0], true
	case len(n) >= 3:
		first, second := n[0], n[1]
		if d.dots || first > 12 {
			first, second = second, first
		}
		return n[max(long, 2)], time.Month(first), second, true
	case len(n) == 2 && long == 1:
		return n[1], time.Month(n[0]), 15, true
	case len(n) == 2 && long == 0:
		return n[0], time.Month(n[1]), 15, true
	case len(n) == 1 && long == 0:
		return n[0], time.July, 1, true
	}
	return 0, 0, 0, false
}

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

// weekdays begin days of the week that begin as months do: mardi, martes, martedì, maandag.
var weekdays = []string{"mardi", "marte", "maand"}

// date is what is read of a date: its numbers, and how many of them were before the month.
type date struct {
	numbers []int
	long    []bool // of four digits
	month   time.Month
	before  int
	last    time.Month // the last one that has a name
	between int        // how many numbers were before it
	dots    bool
	clock   bool // with a time
}

// readDay reads a date as days since the first one, and of several days the first. Of two
// numbers that could both be the month, the first is, unless dots follow them, as in 3.4.2024.
// A month alone is its fifteenth day, and a year alone the first of July. Two digits of a year
// are those of 1940 to 2039. Of two days with one year, as in 28.12.-3.1.2024, the first may be of
// the year before. A date without a year is not read.
func readDay(value string) (int64, bool) {
	d := date{dots: strings.Contains(value, "."), clock: strings.Contains(value, ":")}
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
	word = strings.ToLower(word)
	if slices.ContainsFunc(weekdays, func(begin string) bool { return strings.HasPrefix(word, begin) }) {
		return
	}
	letters := []rune(word)
	for n := min(4, len(letters)); n >= 3; n-- {
		if month := months[string(letters[:n])]; month != 0 {
			if d.month == 0 {
				d.month, d.before = month, len(d.numbers)
			}
			d.last, d.between = month, len(d.numbers)
			return
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
	if year < 40 {
		year += 2000
	} else if year < 100 {
		year += 1900
	}
	if d.turns() {
		year--
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
	case d.two():
		month, day = monthAndDay(n[0], n[1], d.dots || n[0] > 12 || n[2] > 12)
		return n[4], month, day, true
	case len(n) >= 3 && long == 0:
		return n[0], time.Month(n[1]), n[2], true
	case len(n) == 4 && d.dots && (long == 3 || long < 0): // 17.-19.03.2024
		return n[3], time.Month(n[2]), n[0], true
	case len(n) >= 3:
		month, day = monthAndDay(n[0], n[1], d.dots || n[0] > 12)
		return n[max(long, 2)], month, day, true
	case len(n) == 2 && long == 1:
		return n[1], time.Month(n[0]), 15, true
	case len(n) == 2 && long == 0:
		return n[0], time.Month(n[1]), 15, true
	case len(n) == 1 && long == 0:
		return n[0], time.July, 1, true
	}
	return 0, 0, 0, false
}

// monthAndDay returns a month and a day, of which the day may be first.
func monthAndDay(first, second int, dayFirst bool) (month time.Month, day int) {
	if dayFirst {
		return time.Month(second), first
	}
	return time.Month(first), second
}

// two reports whether these are two days in numbers of which the second has the year.
func (d *date) two() bool {
	year := slices.Index(d.long, true)
	return d.month == 0 && !d.clock && len(d.numbers) == 5 && (year == 4 || year < 0)
}

// turns reports whether a year begins between two days of which the second has the year.
func (d *date) turns() bool {
	n := d.numbers
	if d.two() {
		dayFirst := d.dots || n[0] > 12 || n[2] > 12
		from, _ := monthAndDay(n[0], n[1], dayFirst)
		to, _ := monthAndDay(n[2], n[3], dayFirst)
		return from > to && from <= 12
	}
	return d.month > d.last && len(n) == 3 && d.between > d.before && d.between <= 2 && !d.long[0] && !d.long[1]
}

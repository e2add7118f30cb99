package typed

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// The days of a codebook of dates are counted from firstDay.
var (
	firstDay = time.Date(1920, 1, 1, 0, 0, 0, 0, time.UTC)
	lastDay  = time.Date(2039, 12, 31, 0, 0, 0, 0, time.UTC)
)

// days counts in seconds: a time.Duration ends after 292 years.
func days(t time.Time) int64 { return (t.Unix() - firstDay.Unix()) / (24 * 60 * 60) }

// scale returns a codebook in order of the number of a value. From returns the place of
// a number that was read, the nearest one; a number beyond the ends has that of the end.
func scale(name string, n int, number func(value string) (int64, bool), from func(number int64) int, write func(dst []byte, place int) []byte) *Codebook {
	of := func(value string) (int64, bool) { return number(read(value)) }
	return &Codebook{name: name, n: n, ordered: true, number: of, write: write, place: func(value string) (int, bool) {
		v, ok := of(value)
		if !ok {
			return 0, false
		}
		return from(v), true
	}}
}

// upTo returns the place of a number of a scale of n numbers from 0.
func upTo(n int) func(number int64) int {
	return func(number int64) int { return int(min(max(number, 0), int64(n-1))) }
}

// dates are the days from 1920 to 2039, as 2024-03-17.
func dates(name string) *Codebook {
	n := int(days(lastDay)) + 1
	return scale(name, n, readDay, upTo(n), func(dst []byte, place int) []byte {
		return firstDay.AddDate(0, 0, place).AppendFormat(dst, time.DateOnly)
	})
}

// times are the minutes of a day, as 14:05.
func times(name string) *Codebook {
	return scale(name, 24*60, readMinute, upTo(24*60), func(dst []byte, place int) []byte {
		return time.Date(0, 1, 1, 0, place, 0, 0, time.UTC).AppendFormat(dst, "15:04")
	})
}

// ages are the years from 0 to 120.
func ages(name string) *Codebook {
	return scale(name, 121, readInteger, upTo(121), func(dst []byte, place int) []byte { return strconv.AppendInt(dst, int64(place), 10) })
}

// round are the numbers of a scale that grows with them: each to 199, then tens to 1,990,
// hundreds to 19,900, and so on.
var round = func() (all []int64) {
	for v := range int64(200) {
		all = append(all, v)
	}
	for step := int64(10); step <= 10_000_000; step *= 10 {
		for v := int64(20); v < 200; v++ {
			all = append(all, v*step)
		}
	}
	return all
}()

// nearestOf returns the place of the number of an ascending list that is nearest to another,
// the smaller of two.
func nearestOf(all []int64, number int64) int {
	i, found := slices.BinarySearch(all, number)
	if !found && i > 0 && (i == len(all) || number-all[i-1] <= all[i]-number) {
		i--
	}
	return i
}

// numbers are the numbers of the growing scale, with commas at thousands.
func numbers(name string) *Codebook { return growing(name, "", "", readInteger) }

// amounts are those numbers between two signs.
func amounts(name, before, after string) *Codebook { return growing(name, before, after, readAmount) }

func growing(name, before, after string, read func(value string) (int64, bool)) *Codebook {
	return scale(name, len(round), read, func(number int64) int { return nearestOf(round, number) }, func(dst []byte, place int) []byte {
		return append(grouped(append(dst, before...), round[place]), after...)
	})
}

// grouped appends a number with commas at thousands.
func grouped(dst []byte, number int64) []byte {
	digits := strconv.FormatInt(number, 10)
	for i, d := range []byte(digits) {
		if i > 0 && (len(digits)-i)%3 == 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, d)
	}
	return dst
}

// readInteger reads the first number of a value, without what follows a decimal point.
func readInteger(value string) (int64, bool) {
	number, _, ok := integer(value)
	return number, ok
}

// multiples are the words after an amount that multiply it.
var multiples = map[string]int64{
	"k": 1e3, "m": 1e6, "mn": 1e6, "mio": 1e6, "million": 1e6, "millions": 1e6, "millionen": 1e6,
	"bn": 1e9, "mrd": 1e9, "billion": 1e9, "billions": 1e9, "milliarden": 1e9,
}

// readAmount reads an amount of money: $1.2m is 1,200,000.
func readAmount(value string) (int64, bool) {
	number, rest, ok := integer(value)
	words := strings.TrimLeft(rest, "0123456789.,' ")
	word := words
	if end := strings.IndexFunc(words, func(r rune) bool { return !unicode.IsLetter(r) }); end >= 0 {
		word = words[:end]
	}
	by := multiples[strings.ToLower(word)]
	if by == 0 || number > 1<<50/by {
		return number, ok
	}
	tenths := int64(0)
	if len(rest) > 1 && (rest[0] == '.' || rest[0] == ',') && rest[1] >= '0' && rest[1] <= '9' {
		tenths = int64(rest[1] - '0')
	}
	return number*by + tenths*by/10, ok
}

// integer reads the first number of a value, and returns what follows its whole part.
func integer(value string) (number int64, rest string, ok bool) {
	from := strings.IndexAny(value, "0123456789")
	if from < 0 {
		return 0, "", false
	}
	for i := from; i < len(value); i++ {
		d := value[i]
		switch {
		case d >= '0' && d <= '9':
			if number = 10*number + int64(d-'0'); number > 1<<50 {
				return number, "", true
			}
		case (d == ',' || d == '.' || d == ' ' || d == '\'') && thousands(value[i+1:]):
		default:
			return number, value[i:], true
		}
	}
	return number, "", true
}

// thousands reports whether a text begins with exactly three digits.
func thousands(s string) bool {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n == 3
}

// readMinute reads a time of day: 14:05, 2:05 pm, 2 pm, 14.05, 14h05.
func readMinute(value string) (int64, bool) {
	s := strings.ToLower(strings.ReplaceAll(value, " ", ""))
	digits := func() (n int64, ok bool) {
		i := 0
		for i < len(s) && i < 2 && s[i] >= '0' && s[i] <= '9' {
			n = 10*n + int64(s[i]-'0')
			i++
		}
		s = s[i:]
		return n, i > 0
	}
	hour, ok := digits()
	if !ok {
		return 0, false
	}
	minute := int64(0)
	if s != "" && strings.IndexByte(":.h", s[0]) >= 0 {
		s = s[1:]
		minute, _ = digits()
	}
	switch pm := strings.HasPrefix(s, "p"); {
	case pm && hour < 12:
		hour += 12
	case strings.HasPrefix(s, "a") && hour == 12:
		hour = 0
	}
	return 60*hour + minute, hour < 24 && minute < 60
}

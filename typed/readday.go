package typed

import (
	"strconv"
	"strings"
	"time"
	"unicode"
)

// months are the first three letters of months in the languages of the lists.
var months = map[string]time.Month{
	"jan": 1, "feb": 2, "mar": 3, "apr": 4, "may": 5, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "oct": 10, "nov": 11, "dec": 12,
	"mär": 3, "mai": 5, "okt": 10, "dez": 12, // German
	"fév": 2, "avr": 4, "aoû": 8, "déc": 12, // French
	"ene": 1, "abr": 4, "ago": 8, "dic": 12, // Spanish
	"gen": 1, "mag": 5, "giu": 6, "lug": 7, "set": 9, "ott": 10, // Italian
}

// readDay reads a date as days since the first one. Of two numbers that could both be the
// month, the first is, unless dots follow them, as in 3.4.2024. A month alone is its
// fifteenth day, and a year alone the first of July. Two digits of a year are those of 1940
// to 2039. A date without a year is not read.
func readDay(value string) (int64, bool) {
	words := strings.FieldsFunc(value, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	var numbers []int
	var long []bool // of four digits
	var month time.Month
	for _, w := range words {
		if digits := strings.TrimRight(w, "stndrhSTNDRH"); digits != "" && digits[0] >= '0' && digits[0] <= '9' {
			n, err := strconv.Atoi(digits)
			if err != nil {
				continue
			}
			if len(digits) == 8 && len(words) == 1 { // 20240317
				numbers, long = append(numbers, n/10000, n/100%100, n%100), append(long, true, false, false)
				continue
			}
			numbers, long = append(numbers, n), append(long, len(digits) == 4)
			continue
		}
		if runes := []rune(strings.ToLower(w)); len(runes) >= 3 && month == 0 {
			month = months[string(runes[:3])]
		}
	}
	return dayOf(numbers, long, month, strings.Contains(value, "."))
}

// dayOf returns the day of the numbers of a date.
func dayOf(numbers []int, long []bool, month time.Month, dots bool) (int64, bool) {
	year, day := 0, 15
	switch {
	case month != 0 && len(numbers) == 1:
		year = numbers[0]
		if !long[0] {
			return 0, false
		}
	case month != 0 && len(numbers) >= 2:
		day, year = numbers[0], numbers[1]
		if long[0] {
			day, year = year, day
		}
	case len(numbers) >= 3 && long[0]:
		year, month, day = numbers[0], time.Month(numbers[1]), numbers[2]
	case len(numbers) >= 3:
		first, second := numbers[0], numbers[1]
		if dots || first > 12 {
			first, second = second, first
		}
		month, day, year = time.Month(first), second, numbers[2]
	case len(numbers) == 2 && long[1]:
		month, year = time.Month(numbers[0]), numbers[1]
	case len(numbers) == 2 && long[0]:
		year, month = numbers[0], time.Month(numbers[1])
	case len(numbers) == 1 && long[0]:
		year, month, day = numbers[0], time.July, 1
	default:
		return 0, false
	}
	switch {
	case year < 40:
		year += 2000
	case year < 100:
		year += 1900
	}
	if month < 1 || month > 12 || day < 1 || day > 31 || year > 9999 {
		return 0, false
	}
	return days(time.Date(year, month, day, 0, 0, 0, 0, time.UTC)), true
}

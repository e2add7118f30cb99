package detect

import (
	"net/netip"
	"regexp"
	"strings"
)

// checks are the checks that a pattern may name.
var checks = map[string]func(match []byte) bool{
	"":         func([]byte) bool { return true },
	"luhn":     luhn,
	"iban":     iban,
	"ip":       func(m []byte) bool { _, err := netip.ParseAddr(string(m)); return err == nil },
	"phone":    phone,
	"national": func(m []byte) bool { return phone(m) && !dayAndYear.Match(m) },
	"ssn":      ssn,
	"nhs":      nhs,
	"dni":      dni,
	"nir":      nir,
	"fiscal":   fiscal,
	"pesel":    pesel,
	"cpf":      cpf,
	"random":   random,
	"issued":   issued,
	"secret":   secret,
}

// digitsOf returns the digits of a match as numbers.
func digitsOf(match []byte) (digits []int) {
	for _, b := range match {
		if b >= '0' && b <= '9' {
			digits = append(digits, int(b-'0'))
		}
	}
	return digits
}

func phone(match []byte) bool {
	n := len(digitsOf(match))
	return n >= 7 && n <= 15
}

// dayAndYear is what may be a month, a day or month, and a year.
var dayAndYear = regexp.MustCompile(`^0[1-9]\D+\d\d\D+(?:19|20)\d\d$`)

// luhn is the check of ISO/IEC 7812-1 for numbers of 13 to 19 digits.
func luhn(match []byte) bool {
	digits := digitsOf(match)
	sum := 0
	for i, d := range digits {
		if (len(digits)-i)%2 == 0 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return len(digits) >= 13 && len(digits) <= 19 && sum%10 == 0 && sum > 0
}

// iban is the check of ISO 13616: with the first four characters at the end, and letters as
// numbers from 10, the rest modulo 97 is 1.
func iban(match []byte) bool {
	plain := strings.ToUpper(strings.ReplaceAll(string(match), " ", ""))
	rest := 0
	for _, r := range plain[4:] + plain[:4] {
		if r >= 'A' {
			rest = (rest*100 + int(r-'A') + 10) % 97
		} else {
			rest = (rest*10 + int(r-'0')) % 97
		}
	}
	return rest == 1 && len(plain) >= 15 && len(plain) <= 34
}

// ssn is the shape of numbers that the Social Security Administration gives.
func ssn(match []byte) bool {
	s := string(match)
	area, group, serial := s[:3], s[4:6], s[7:]
	return area != "000" && area != "666" && area[0] != '9' && group != "00" && serial != "0000"
}

// weighted returns the sum of digits times weights.
func weighted(digits []int, weights ...int) (sum int) {
	for i, w := range weights {
		sum += w * digits[i]
	}
	return sum
}

// nhs is the check digit of NHS numbers.
func nhs(match []byte) bool {
	d := digitsOf(match)
	return (11-weighted(d, 10, 9, 8, 7, 6, 5, 4, 3, 2)%11)%11 == d[9]
}

// dni is the letter of the Spanish DNI.
func dni(match []byte) bool {
	number := 0
	for _, d := range digitsOf(match) {
		number = 10*number + d
	}
	return "TRWAGMYFPDXBNJZSQVHLCKE"[number%23] == match[len(match)-1]
}

// nir is the key of the French NIR.
func nir(match []byte) bool {
	number, d := 0, digitsOf(match)
	for _, digit := range d[:13] {
		number = 10*number + digit
	}
	return 97-number%97 == 10*d[13]+d[14]
}

// odd are the values of characters at odd places of an Italian codice fiscale, by value from
// 0 to 25: a digit has that of its number, a letter that of its place.
var odd = [26]int{1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23}

// fiscal is the control character of the Italian codice fiscale.
func fiscal(match []byte) bool {
	sum := 0
	for i, b := range match[:15] {
		value := int(b - 'A')
		if b <= '9' {
			value = int(b - '0')
		}
		if i%2 == 0 {
			value = odd[value]
		}
		sum += value
	}
	return byte('A'+sum%26) == match[15]
}

// pesel is the check digit of the Polish PESEL, which has a month from 1 to 12 with the
// century in its tens.
func pesel(match []byte) bool {
	d := digitsOf(match)
	month, day := (10*d[2]+d[3])%20, 10*d[4]+d[5]
	return (10-weighted(d, 1, 3, 7, 9, 1, 3, 7, 9, 1, 3)%10)%10 == d[10] && month >= 1 && month <= 12 && day >= 1 && day <= 31
}

// cpf are the check digits of the Brazilian CPF.
func cpf(match []byte) bool {
	d := digitsOf(match)
	check := func(sum int) int { return sum * 10 % 11 % 10 }
	return check(weighted(d, 10, 9, 8, 7, 6, 5, 4, 3, 2)) == d[9] && check(weighted(d, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2)) == d[10]
}

// random reports whether characters change between capitals, small letters and digits as often
// as drawn ones do nearly always, and words and paths do not.
func random(match []byte) bool {
	class := func(b byte) int {
		switch {
		case b >= '0' && b <= '9':
			return 1
		case b >= 'A' && b <= 'Z':
			return 2
		case b >= 'a' && b <= 'z':
			return 3
		}
		return 0
	}
	var has [4]int
	changes, before := 0, 0
	for _, b := range match {
		of := class(b)
		if of == 0 {
			continue
		}
		if has[of]++; before != of && before != 0 {
			changes++
		}
		before = of
	}
	return has[1] >= 1 && has[2] >= 4 && has[3] >= 4 && 5*changes >= 2*len(match)
}

package typed

import (
	"fmt"
	"strings"
)

// shape returns a codebook of n values that are written by a rule. No value has a place of
// its own: its set is that of the middle, so nothing of a value remains at any epsilon.
func shape(name string, n int, write func(dst []byte, place int) []byte) *Codebook {
	return &Codebook{name: name, n: n, place: func(string) (int, bool) { return 0, false }, write: write}
}

// The values of these shapes belong to nobody: they are reserved for examples and fiction,
// or begin with a prefix that nobody is given.

// phones are numbers of the North American plan whose last seven digits are 555-0100 to
// 555-0199, which are for fiction (ATIS-0300115). The areas are all of three digits that the
// plan allows: not N11, and not N9X.
func phones(name string) *Codebook {
	var areas []int
	for a := 200; a < 1000; a++ {
		if a%100 != 11 && a/10%10 != 9 {
			areas = append(areas, a)
		}
	}
	return shape(name, 100*len(areas), func(dst []byte, i int) []byte {
		return fmt.Appendf(dst, "(%d) 555-01%02d", areas[i/100], i%100)
	})
}

// emails are addresses at example.com (RFC 2606) of the letters of two names.
func emails(name string) *Codebook {
	given, family := embedded("en-given"), embedded("en-family")
	n := len(family.items)
	letters := func(dst []byte, item string) []byte {
		for _, b := range []byte(strings.ToLower(item)) {
			if b >= 'a' && b <= 'z' {
				dst = append(dst, b)
			}
		}
		return dst
	}
	return shape(name, n*len(given.items), func(dst []byte, i int) []byte {
		dst = append(letters(dst, given.items[i/n]), '.')
		return append(letters(dst, family.items[i%n]), "@example.com"...)
	})
}

// urls are pages of example.com (RFC 2606).
func urls(name string) *Codebook {
	return shape(name, 10_000, func(dst []byte, i int) []byte { return fmt.Appendf(dst, "https://example.com/%04d", i) })
}

// addresses are those of the three networks for documentation (RFC 5737).
func addresses(name string) *Codebook {
	nets := [...]string{"192.0.2", "198.51.100", "203.0.113"}
	return shape(name, 256*len(nets), func(dst []byte, i int) []byte { return fmt.Appendf(dst, "%s.%d", nets[i/256], i%256) })
}

// identifiers are ID- and six digits.
func identifiers(name string) *Codebook {
	return shape(name, 900_000, func(dst []byte, i int) []byte { return fmt.Appendf(dst, "ID-%d", 100_000+i) })
}

// postcodes are ZIP codes below 00501, the lowest that is in use.
func postcodes(name string) *Codebook {
	return shape(name, 500, func(dst []byte, i int) []byte { return fmt.Appendf(dst, "%05d", i) })
}

// cards are numbers of 16 digits with a correct check digit (ISO/IEC 7812) whose issuer is
// 000000, which no bank has.
func cards(name string) *Codebook {
	return shape(name, 1_000_000, func(dst []byte, i int) []byte {
		digits := fmt.Sprintf("000000000%06d", i)
		digits += string(rune('0' + checkDigit(digits)))
		return fmt.Appendf(dst, "%s %s %s %s", digits[:4], digits[4:8], digits[8:12], digits[12:])
	})
}

// checkDigit returns the digit with which a number passes Luhn's check.
func checkDigit(digits string) int {
	sum := 0
	for i := range len(digits) {
		d := int(digits[len(digits)-1-i] - '0')
		if i%2 == 0 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return (10 - sum%10) % 10
}

// accounts are IBANs with correct check digits (ISO 13616) of the country XX, which ISO 3166
// leaves to its users and no registry of IBANs has.
func accounts(name string) *Codebook {
	return shape(name, 1_000_000, func(dst []byte, i int) []byte {
		account := fmt.Sprintf("000000%06d", i)
		rest := 0
		for _, d := range account + "333300" { // XX is 33 and 33, and 00 is for the check digits
			rest = (10*rest + int(d-'0')) % 97
		}
		return fmt.Appendf(dst, "XX%02d %s %s %s", 98-rest, account[:4], account[4:8], account[8:])
	})
}

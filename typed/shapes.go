package typed

import (
	"fmt"
	"strconv"
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
		dst = strconv.AppendInt(append(dst, '('), int64(areas[i/100]), 10)
		return digits(append(dst, ") 555-01"...), i%100, 2)
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
	return shape(name, 10_000, func(dst []byte, i int) []byte { return digits(append(dst, "https://example.com/"...), i, 4) })
}

// addresses are those of the three networks for documentation (RFC 5737).
func addresses(name string) *Codebook {
	nets := [...]string{"192.0.2", "198.51.100", "203.0.113"}
	return shape(name, 256*len(nets), func(dst []byte, i int) []byte {
		return strconv.AppendInt(append(append(dst, nets[i/256]...), '.'), int64(i%256), 10)
	})
}

// identifiers are ID- and six digits.
func identifiers(name string) *Codebook {
	return shape(name, 900_000, func(dst []byte, i int) []byte { return digits(append(dst, "ID-"...), 100_000+i, 6) })
}

// secrets are words that no issuer of keys begins a key with, and six digits.
func secrets(name string) *Codebook {
	return shape(name, 900_000, func(dst []byte, i int) []byte { return digits(append(dst, "EXAMPLE-SECRET-"...), 100_000+i, 6) })
}

// devices are the addresses of Ethernet for documentation (RFC 7042).
func devices(name string) *Codebook {
	return shape(name, 256, func(dst []byte, i int) []byte { return fmt.Appendf(dst, "00:00:5E:00:53:%02X", i) })
}

// postcodes are ZIP codes below 00501, the lowest that is in use.
func postcodes(name string) *Codebook {
	return shape(name, 500, func(dst []byte, i int) []byte { return digits(dst, i, 5) })
}

// cards are numbers of 16 digits with a correct check digit (ISO/IEC 7812) whose issuer is
// 000000, which no bank has.
func cards(name string) *Codebook {
	return shape(name, 1_000_000, func(dst []byte, i int) []byte {
		dst = digits(append(dst, "0000 0000 0"...), i/1000, 3)
		dst = digits(append(dst, ' '), i%1000, 3)
		return digits(dst, checkDigit(int64(i)), 1)
	})
}

// checkDigit returns the digit with which a number passes Luhn's check.
func checkDigit(number int64) int {
	sum := 0
	for double := true; number > 0; number, double = number/10, !double {
		d := int(number % 10)
		if double {
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
		rest := (int64(i)*1_000_000 + 333_300) % 97 // XX is 33 and 33, and 00 is for the check digits
		dst = append(digits(append(dst, "XX"...), int(98-rest), 2), " 0000 00"...)
		return digits(append(digits(dst, i/10_000, 2), ' '), i%10_000, 4)
	})
}

// digits appends a number of n digits, with zeros before it.
func digits(dst []byte, number, n int) []byte {
	from := len(dst)
	for range n {
		dst = append(dst, '0')
	}
	for i := len(dst) - 1; i >= from; i, number = i-1, number/10 {
		dst[i] += byte(number % 10)
	}
	return dst
}

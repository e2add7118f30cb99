package jsonfield

import (
	"bytes"
	"strconv"
)

// mostZeros bounds the zeros that canonical writes.
const mostZeros = 40

// canonical returns the one spelling of a JSON number: 1 for 1.0, 10e-1 and 1e0, so that a user
// whose number was written by programs as a whole number and as a fraction is one user. It
// computes nothing: any number of digits is exact. Numbers with exponents beyond a million stay
// as they are.
func canonical(number []byte) []byte {
	if !bytes.ContainsAny(number, ".eE") && !bytes.HasPrefix(number, []byte("-0")) {
		return number
	}
	mantissa, exponent := number, 0
	if i := bytes.IndexAny(number, "eE"); i >= 0 {
		e, err := strconv.Atoi(string(number[i+1:]))
		if err != nil || e > 1e6 || e < -1e6 {
			return number
		}
		mantissa, exponent = number[:i], e
	}
	digits, negative := bytes.CutPrefix(mantissa, []byte("-"))
	whole, fraction, _ := bytes.Cut(digits, []byte("."))
	digits = append(append([]byte(nil), whole...), fraction...)
	exponent -= len(fraction)
	digits = bytes.TrimLeft(digits, "0")
	if kept := bytes.TrimRight(digits, "0"); len(kept) < len(digits) {
		exponent += len(digits) - len(kept)
		digits = kept
	}
	var out []byte
	if negative && len(digits) > 0 {
		out = append(out, '-')
	}
	switch point := len(digits) + exponent; {
	case len(digits) == 0:
		return []byte("0")
	case exponent >= 0 && exponent <= mostZeros:
		return append(append(out, digits...), bytes.Repeat([]byte("0"), exponent)...)
	case exponent < 0 && point > 0:
		return append(append(append(out, digits[:point]...), '.'), digits[point:]...)
	case exponent < 0 && -point <= mostZeros:
		return append(append(append(out, "0."...), bytes.Repeat([]byte("0"), -point)...), digits...)
	default:
		return strconv.AppendInt(append(append(out, digits...), 'e'), int64(exponent), 10)
	}
}

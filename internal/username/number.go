package username

import (
	"bytes"
	"regexp"
	"strconv"
)

// number is the form of JSON numbers. Digits after zeros, such as 007, are a name.
var number = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

// mostZeros bounds the zeros that canonical writes, and mostExponent the exponents of numbers
// that are told apart.
const (
	mostZeros    = 40
	mostExponent = 1_000_000
	beyond       = "number beyond"
)

// canonical returns the one spelling of a number in the form of JSON: 1 for 1.0, 10e-1 and 1e0.
// It computes nothing: any number of digits is exact. Numbers with larger exponents have one
// name together.
func canonical(spelt []byte) []byte {
	mantissa, exponent, huge := spelt, 0, false
	if i := bytes.IndexAny(spelt, "eE"); i >= 0 {
		e, err := strconv.Atoi(string(spelt[i+1:]))
		mantissa, exponent, huge = spelt[:i], e, err != nil
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
	case huge || exponent > mostExponent || exponent < -mostExponent:
		return []byte(beyond)
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

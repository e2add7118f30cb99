package detect

import (
	"bytes"
	"regexp"
)

// code is what may be in place of a secret: a call, a variable or a placeholder.
var code = regexp.MustCompile(`^(?:[A-Za-z_][A-Za-z_.]*[(\[]|\$[A-Z_]+$|\$[{(]|\{\{|<[^\d]*$|%[sdvq]$|(?i:none|null|true|false|undefined)$)`)

// secret reports whether what follows the name of a secret may be one. After a colon or a space,
// as in a sentence or the description of an interface, a word without quotes has a digit or a sign.
func secret(match []byte) bool {
	signs := ":="
	if bytes.HasPrefix(match, []byte("--")) {
		signs = " ="
	}
	sign := bytes.IndexAny(match, signs)
	value := bytes.TrimLeft(match[sign+1:], " \t=>")
	switch {
	case len(value) > 0 && (value[0] == '"' || value[0] == '\''):
		return true
	case code.Match(value):
		return false
	}
	return match[sign] == '=' || bytes.ContainsAny(value, "0123456789@#$%^&+~")
}

// issued reports whether what begins as keys do is one, not words with hyphens between them. Only sk- begins
// such names.
func issued(match []byte) bool {
	if !bytes.HasPrefix(match, []byte("sk-")) || mixed(match) {
		return true
	}
	words := false
	for _, part := range bytes.Split(match, []byte("-")) {
		digit := bytes.ContainsAny(part, "0123456789")
		if len(part) >= 16 && digit {
			return true
		}
		words = words || len(part) >= 4 && !digit && bytes.Equal(part, bytes.ToLower(part))
	}
	return !words
}

// mixed reports whether a match has small letters and capitals.
func mixed(match []byte) bool {
	const begin = len("sk-")
	return !bytes.Equal(match[begin:], bytes.ToLower(match[begin:])) && !bytes.Equal(match[begin:], bytes.ToUpper(match[begin:]))
}

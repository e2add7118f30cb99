package writing

import (
	"strings"
	"unicode"
)

// mostSaid is the length of the longest message of an endpoint that is shown.
const mostSaid = 200

// printable returns one short line of what an endpoint said, which a terminal can show.
func printable(message string) string {
	message = clean(message)
	if runes := []rune(message); len(runes) > mostSaid {
		message = string(runes[:mostSaid]) + "..."
	}
	return message
}

// clean makes one line of a text, without signs that make a terminal do or reorder something.
func clean(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
	}), " ")
}

// secretKey is the length from which a key is taken for a secret: servers without keys are
// given words such as "none".
const secretKey = 12

// echoesKey reports whether a text holds a key. An endpoint knows it, but whoever gets
// the corpus must not.
func echoesKey(key, text string) bool {
	return len(key) >= secretKey && strings.Contains(text, key)
}

// holdsKey reports whether a message has a run of six characters of the key.
func holdsKey(key, message string) bool {
	const run = 6
	if len(key) < run {
		return key != "" && strings.Contains(message, key)
	}
	for i := range len(key) - run + 1 {
		if strings.Contains(message, key[i:i+run]) {
			return true
		}
	}
	return false
}

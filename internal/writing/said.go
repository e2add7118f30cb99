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

// echoesKey reports whether a text holds the key. An endpoint knows it, but whoever gets
// the corpus must not.
func (c *Client) echoesKey(text string) bool {
	return len(c.Key) >= secretKey && strings.Contains(text, c.Key)
}

// holdsKey reports whether a message has a run of six characters of the key.
func (c *Client) holdsKey(message string) bool {
	const run = 6
	if len(c.Key) < run {
		return c.Key != "" && strings.Contains(message, c.Key)
	}
	for i := range len(c.Key) - run + 1 {
		if strings.Contains(message, c.Key[i:i+run]) {
			return true
		}
	}
	return false
}

package writing

import (
	"encoding/json"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// mostChars is the length of the longest text that is kept.
const mostChars = 4000

// textsOf returns the texts of an answer: the strings of the first JSON array that has some.
// Of an array that breaks off it returns what is whole.
func textsOf(said string) []string {
	if _, after, ok := strings.Cut(said, "</think>"); ok {
		said = after
	}
	for range 50 {
		at := strings.IndexByte(said, '[')
		if at < 0 {
			return nil
		}
		if texts := array(said[at:]); len(texts) > 0 {
			return texts
		}
		said = said[at+1:]
	}
	return nil
}

// array reads a JSON array of strings, or of objects with one string, up to its first fault.
func array(data string) (texts []string) {
	d := json.NewDecoder(strings.NewReader(data))
	if _, err := d.Token(); err != nil {
		return nil
	}
	for d.More() {
		var raw json.RawMessage
		if d.Decode(&raw) != nil {
			break
		}
		var text string
		var object map[string]string
		switch {
		case json.Unmarshal(raw, &text) == nil:
		case json.Unmarshal(raw, &object) == nil && (len(object) == 1 || object["text"] != ""):
			if text = object["text"]; text == "" {
				for _, text = range object {
				}
			}
		default:
			continue
		}
		texts = append(texts, clean(text))
	}
	return texts
}

// refusal matches how models decline, and how they name themselves, at the beginning of
// a text. People say sorry too: an apology alone is no refusal.
var refusal = regexp.MustCompile(`(?i)^\W*(?:` +
	`(?:(?:i'?m|i am) (?:really |very |so )?sorry|sorry|i apologi[sz]e)?[,.;]? ?(?:but )?(?:i (?:can'?t|cannot|can not|won'?t|am unable to|am not able to|am not comfortable)|i'm (?:unable to|not able to|not comfortable)) ` +
	`(?:help (?:you )?with (?:that|this)|assist|comply|fulfil|provide (?:that|this|you with)|creat|writ|generat|continue with|do that)|` +
	`as an? (?:(?:ai|large|language) )+(?:model|assistant)|as an ai\b|` +
	`(?:(?:es )?tut mir leid)?[,.]? ?(?:aber )?ich kann (?:dir |ihnen )?(?:dabei|diese anfrage|solche)|als (?:ki|sprachmodell)\b|` +
	`(?:désolée?)?[,.]? ?(?:mais )?je ne peux pas (?:vous aider|t'aider|répondre|générer)|(?:lo siento)?[,.]? ?(?:pero )?no puedo (?:ayudar|generar|cumplir))`)

// IsRefusal reports whether a text is a model's refusal, or names itself a model.
func IsRefusal(text string) bool { return refusal.MatchString(strings.ReplaceAll(text, "’", "'")) }

// usable reports whether a text can be one of a corpus: it is not empty or too long, and has
// a letter.
func usable(text string) bool {
	return utf8.ValidString(text) && utf8.RuneCountInString(text) <= mostChars && strings.ContainsFunc(text, unicode.IsLetter)
}

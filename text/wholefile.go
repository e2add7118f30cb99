package text

// file holds one text: the whole input. An empty input holds the empty text, because that
// a text is empty is private too.
type file struct{ lines }

// ends finds no end: only that of the input is one.
func (file) ends([]byte) int { return 0 }

func (file) next(data []byte) int { return len(data) }

func (file) by(data []byte, _, _ int) (int, string, bool, error) { return len(data), "", true, nil }

// find returns the text without the line end of the input, which every output has.
func (file) find(data []byte, _ int) ([]span, error) {
	text := data
	if n := len(text); n > 0 && text[n-1] == '\n' {
		text = text[:n-1]
	}
	return []span{{start: 0, end: len(data), text: text, closes: true}}, nil
}

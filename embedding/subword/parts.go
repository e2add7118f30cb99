package subword

// piece is a part of a text: a token that was added to the vocabulary, or text to be cut.
type piece struct {
	text   string
	token  int  // -1 for text
	begins bool // the whole text
}

// normaliser changes a text before it is cut.
type normaliser func(text string) string

// preTokenizer cuts pieces of a text into words.
type preTokenizer func(pieces []piece) []piece

// model cuts a word into tokens. It calls yield with their identifiers.
type model interface {
	tokens(word string, yield func(id int))
}

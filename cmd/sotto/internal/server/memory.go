package server

import (
	"fmt"
	"net/http"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/gate"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/wire"
	"github.com/sotto-dp/sotto/privacy"
)

// Upper bounds, in bytes, of the memory that parts of a request take beside its body.
const (
	// textMemory is per text: its result, and an entry in each list of texts.
	textMemory = 256
	// tokenMemory is per drawn token: its replacement as an ID, in the private text, in
	// the answer while that grows, and in the sealed answer.
	tokenMemory = 96
	// pieceMemory is added per token if the answer has pieces.
	pieceMemory = 160
	// spanMemory is per span of a request: JSON of detectors is read into maps.
	spanMemory = 2 << 10
	// shapeMemory is per byte of a text that is searched for what has a shape: a copy, where
	// a match may begin, and what is found.
	shapeMemory = 160
	// latentMemory is added per text that a model rewrites.
	latentMemory = 16 << 10
	// countMemory is per word of a table of which a price counts tokens.
	countMemory = 8
	// guessMemory is per word of a table whose best guesses are computed.
	guessMemory = 192
	// outputMemory is per output of an explanation while their list grows; rowMemory is
	// per word of the table while a row is computed.
	outputMemory = 80
	rowMemory    = 32
)

// admitTexts refuses more texts than one request may have, and reserves memory per text.
func (s *Server) admitTexts(e *gate.Exchange, texts int) error {
	if texts > s.limits.Texts {
		return privacy.Bad("serve", "texts", texts, fmt.Sprintf("at most %d", s.limits.Texts))
	}
	each := int64(textMemory)
	if s.cfg.Model != nil {
		each += latentMemory
	}
	return e.Reserve(int64(texts) * each)
}

// admitTokens refuses more tokens than one request may have, and reserves memory per
// token.
func (s *Server) admitTokens(e *gate.Exchange, tokens int, each int64) error {
	if tokens > s.limits.Tokens {
		return wire.NewProblem(http.StatusRequestEntityTooLarge, "too-many-tokens",
			fmt.Sprintf("the texts have %d tokens, a request may have %d: send them in several requests", tokens, s.limits.Tokens)).Of(s.limits.Tokens, tokens)
	}
	return e.Reserve(int64(tokens) * each)
}

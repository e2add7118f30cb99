package server

import (
	"fmt"
	"net/http"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/privacy"
)

// Upper bounds, in bytes, of the memory that parts of a request take. The sum over all
// requests in progress stays below Limits.Memory: a request reserves its share before it
// allocates, or gets 429.
const (
	// requestMemory covers a request whose body has at most firstBody bytes.
	requestMemory = 64 << 10
	firstBody     = 4 << 10
	// bodyMemory is per byte of a body: the body, the decoder's copy, the strings, their
	// bytes, and 4 bytes per token, since one byte can be a token. All but the body can
	// be held twice while a slice grows.
	bodyMemory = 12
	// textMemory is per text: its result, and an entry in each list of texts.
	textMemory = 256
	// tokenMemory is per drawn token: its replacement as an ID, in the private text, in
	// the answer while that grows, and in the sealed answer.
	tokenMemory = 96
	// pieceMemory is added per token if the answer has pieces.
	pieceMemory = 160
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

// admit reserves the first memory of a request, waits for its body if it has one, and only
// then takes a place for it: a client that sends headers alone holds no place. If there is
// no room it fails at once. release gives back everything that the request holds.
func (s *Server) admit(e *exchange, r *http.Request, body bool) (release func(), err error) {
	keys := s.keys.Load()
	e.stay = s.room.enter(e.key.name, keys == nil || keys.Len() == 1)
	if err = e.reserve(requestMemory); err == nil && body {
		err = s.receive(e, r)
	}
	if err == nil {
		err = e.stay.take(1, 0)
	}
	if err != nil {
		e.stay.leave()
		return nil, err
	}
	done := working(r.Context())
	return func() {
		done()
		e.stay.leave()
	}, nil
}

// reserve reserves n more bytes for the request, until it ends.
func (e *exchange) reserve(n int64) error {
	if n <= 0 {
		return nil
	}
	return e.stay.take(0, n)
}

// admitTexts refuses more texts than one request may have, and reserves memory per text.
func (s *Server) admitTexts(e *exchange, texts int) error {
	if texts > s.limits.Texts {
		return privacy.Bad("serve", "texts", texts, fmt.Sprintf("at most %d", s.limits.Texts))
	}
	each := int64(textMemory)
	if s.cfg.Model != nil {
		each += latentMemory
	}
	return e.reserve(int64(texts) * each)
}

// admitWhole refuses more texts than one request may compare with a corpus. It reserves
// memory by the length of the corpus's longest text, not by that of the request's texts.
func (s *Server) admitWhole(e *exchange, c *codebook, rewriter *sotto.Rewriter, texts int, pieces bool) error {
	if err := s.compare(c, texts); err != nil {
		return err
	}
	return e.reserve(c.memory(texts, sizeOf(rewriter), pieces))
}

// admitTokens refuses more tokens than one request may have, and reserves memory per
// token.
func (s *Server) admitTokens(e *exchange, tokens int, each int64) error {
	if tokens > s.limits.Tokens {
		p := problem(http.StatusRequestEntityTooLarge, "too-many-tokens",
			fmt.Sprintf("the texts have %d tokens, a request may have %d: send them in several requests", tokens, s.limits.Tokens))
		p.Limit, p.Count = s.limits.Tokens, tokens
		return p
	}
	return e.reserve(int64(tokens) * each)
}

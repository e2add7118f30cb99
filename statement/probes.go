package statement

import (
	"errors"

	"github.com/sotto-dp/sotto/corpus"
)

// probed states what the encoder of the caller's answered for public texts, if there is one.
func (s *Statement) probed(digest string) {
	if s.Probes = digest; digest != "" {
		s.NotProtected = append(s.NotProtected, corpus.EncoderFails)
	}
}

// probesAgain returns the digest that a statement must have: that of the encoder that the verifier has,
// or without one any.
func probesAgain(stated, own string, brought bool) (string, error) {
	if err := corpus.CheckProbes(stated, brought); err != nil {
		return "", errors.New("the report's encoder_probes: " + err.Error())
	}
	if own == "" {
		return stated, nil
	}
	return own, corpus.SameProbes(stated, own)
}

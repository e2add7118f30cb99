package writing

import (
	"context"
	"errors"
	"os"
	"time"
)

// ErrTokens ends a run whose next requests may exceed MaxTokens.
var ErrTokens = errors.New("no tokens are left for another request")

// ErrBarren ends a run whose answers have nothing new.
var ErrBarren = errors.New("the answers have no new texts: give more attributes, or ask another model")

const (
	barren       = 12  // calls in a row without a new text that end a run
	tokensOfText = 120 // asked for, for each text of a batch
)

// Run writes texts, and keeps each answer in a file before the next is asked for, so that a
// run that ends early loses nothing. It returns what it has with an error too.
func (w *Writer) Run(ctx context.Context, kept *os.File, resume bool) ([]string, Tally, error) {
	s, err := w.open(kept, resume)
	if err != nil {
		return nil, Tally{}, err
	}
	if s.head.Attributes == nil {
		var tokens int
		if s.head.Attributes, tokens, err = w.propose(ctx); err != nil {
			return nil, Tally{}, err
		}
		s.tally.Tokens += tokens
		s.head.Tokens = tokens
		if err := s.begin(); err != nil {
			return nil, s.tally, err
		}
	}
	return s.texts, s.tally, s.write(ctx)
}

// write asks until there are enough texts.
func (s *state) write(ctx context.Context) error {
	began, had, spent, empty := time.Now(), len(s.texts), s.tally.Tokens, 0
	for len(s.texts) < s.w.Texts {
		if s.w.MaxTokens > 0 && s.tally.Tokens+s.w.workers()*s.perCall() > s.w.MaxTokens {
			return ErrTokens
		}
		answers, err := s.round(ctx)
		for _, a := range answers { // in the order of the calls, whichever ended first
			if s.take(a) {
				empty = 0
			} else {
				empty++
			}
			if err := s.keep(); err != nil {
				return err
			}
			if len(s.texts) >= s.w.Texts {
				break
			}
		}
		if err != nil {
			return err
		}
		if empty >= barren {
			return ErrBarren
		}
		if s.w.Report != nil {
			p := Progress{Tally: s.tally, Texts: len(s.texts), Wanted: s.w.Texts}
			if fresh := len(s.texts) - had; fresh > 0 {
				left := max(0, s.w.Texts-len(s.texts))
				p.Left = time.Duration(float64(time.Since(began)) / float64(fresh) * float64(left))
				p.LeftTokens = (s.tally.Tokens - spent) * left / fresh
			}
			s.w.Report(p)
		}
	}
	return nil
}

func (w *Writer) workers() int { return max(1, w.Workers) }

// perCall returns the tokens that a call may use: those so far on average, or those that are
// requested.
func (s *state) perCall() int {
	if s.tally.Calls > 0 {
		return (s.tally.Tokens - s.head.Tokens) / s.tally.Calls
	}
	return tokensOfText * s.w.Batch
}

// round sends requests at once and returns the answers before the first that failed.
func (s *state) round(ctx context.Context) ([]answer, error) {
	n := s.w.workers()
	answers, faults, done := make([]answer, n), make([]error, n), make(chan bool)
	for i := range n {
		go func() {
			call := s.tally.Calls + i
			answers[i], faults[i] = s.w.Client.ask(ctx, s.w.prompt(s.head.Attributes, call), s.w.Seed+uint64(call), tokensOfText*s.w.Batch)
			done <- true
		}()
	}
	for range n {
		<-done
	}
	for i, err := range faults {
		if err != nil {
			return answers[:i], err
		}
	}
	return answers, nil
}

// take keeps the texts of an answer that can be used and are new.
func (s *state) take(a answer) (any bool) {
	before := s.tally
	s.fresh = nil
	texts := textsOf(a.text)
	switch {
	case len(texts) == 0 && IsRefusal(a.text):
		s.tally.Refused++
	case len(texts) == 0:
		s.tally.Unread++
	}
	for i, text := range texts {
		switch {
		case len(s.texts) >= s.w.Texts:
		case i >= s.w.Batch || !usable(text) || echoesKey(s.w.Client.Key, text): // one answer does not fill a corpus
			s.tally.Unread++
		case IsRefusal(text):
			s.tally.Refused++
		case !s.w.Distinct(text):
			s.tally.Similar++
		default:
			s.texts, s.fresh = append(s.texts, text), append(s.fresh, text)
		}
	}
	s.tally.Calls++
	s.tally.Tokens += a.tokens
	s.last = Tally{1, a.tokens, s.tally.Refused - before.Refused, s.tally.Similar - before.Similar, s.tally.Unread - before.Unread}
	return len(s.fresh) > 0
}

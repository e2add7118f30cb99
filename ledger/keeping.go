package ledger

import (
	"context"
	"time"

	"github.com/sotto-dp/sotto/privacy"
)

// Keeping limits how long the answers of [Ledger.Answer] are stored for retries, and how
// many bytes they may take. Answers of [Ledger.AnswerEach] are stored forever and not
// counted, because later requests depend on them.
type Keeping struct {
	// For is the least time an answer is stored; a later write removes it. A retry
	// then fails with ErrForgotten. 0 is forever.
	For time.Duration
	// Bytes bounds what is stored for one account: once it is reached, a new key
	// is refused with an *AnswersFullError before anything is charged, until
	// earlier answers have expired. Requests that were already charged are still
	// answered, and stored. 0 is no bound.
	Bytes int64
}

const (
	// answerOverhead is counted per answer besides its bytes: about the size of
	// its two entries, with their indexes.
	answerOverhead = 512
	// forgetMost bounds how many answers one transaction removes; forgetEvery is
	// how often an instance checks for expired ones.
	forgetMost  = 1024
	forgetEvery = time.Second
)

// Check refuses negative values, and a bound on bytes without a time limit.
func (k Keeping) Check() error {
	switch {
	case k.For < 0:
		return privacy.Bad("ledger", "time to keep answers", k.For, "0 or more")
	case k.Bytes < 0:
		return privacy.Bad("ledger", "bytes of answers", k.Bytes, "0 or more")
	case k.Bytes > 0 && k.For == 0:
		return privacy.Bad("ledger", "time to keep answers", k.For, "above 0 if their bytes are bounded: otherwise room is never freed")
	}
	return nil
}

// room returns an error for a new key of an account whose answers have reached the bound.
func (k Keeping) room(a *Account) error {
	if k.Bytes > 0 && a.Kept >= k.Bytes {
		return &AnswersFullError{Account: a.Name, Kept: a.Kept, Most: k.Bytes}
	}
	return nil
}

// forget removes expired answers, in the transaction of a batch. Their entries
// stay in the chain, so that their keys are refused ever after.
func (l *Ledger) forget(ctx context.Context, tx Tx) error {
	now := l.now()
	wait := l.nextForget.Sub(now) // above forgetEvery after a clock that ran ahead
	if l.answers.For == 0 || wait > 0 && wait <= forgetEvery {
		return nil
	}
	n, err := tx.Forget(ctx, now, forgetMost)
	if err == nil && n < forgetMost { // otherwise there are more: continue with the next batch
		l.nextForget = now.Add(forgetEvery)
	}
	return err
}

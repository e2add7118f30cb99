package ledger

import (
	"context"
	"errors"
	"sync"
)

// continuity remembers the last head that the store acknowledged. A chain only
// grows: each later state of the same store holds that entry. A state without it
// is another ledger or an old copy, where charges are missing.
type continuity struct {
	mu   sync.Mutex
	head Head
	lost error // a *ReplacedError: final
}

// last returns the head that every state read from now on must hold.
func (c *continuity) last() (Head, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.head, c.lost
}

// advance takes in a later head.
func (c *continuity) advance(head Head) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if head.Seq > c.head.Seq {
		c.head = head
	}
}

// judge records an error that reports a replaced store. Such an error is final.
func (c *continuity) judge(err error) error {
	var replaced *ReplacedError
	if !errors.As(err, &replaced) {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.lost == nil {
		c.lost = replaced
	}
	return c.lost
}

// follow returns the head of a state, which must hold the entry last.
func follow(ctx context.Context, v View, last Head) (Head, error) {
	head, err := v.Head(ctx)
	switch {
	case err != nil:
		return head, err
	case head.ID != last.ID:
		return head, &ReplacedError{What: "another ledger took its place"}
	case head.Seq < last.Seq:
		return head, &ReplacedError{What: "its chain went back, as an old copy's does,"}
	case head.Seq == last.Seq:
		if head.Hash != last.Hash {
			return head, &ReplacedError{What: "its last entry became another"}
		}
		return head, nil
	case last.Seq == 0:
		return head, nil
	}
	// Another instance has written since.
	entries, err := v.Entries(ctx, last.Seq-1, 1)
	if err == nil && (len(entries) != 1 || entries[0].Seq != last.Seq || entries[0].Hash != last.Hash) {
		err = &ReplacedError{What: "its chain lost an entry"}
	}
	return head, err
}

// view calls f on one state of the store that was opened.
func (l *Ledger) view(ctx context.Context, f func(View, Head) error) error {
	last, err := l.seen.last() // before the state is taken: that holds it
	if err != nil {
		return err
	}
	var head Head
	err = l.store.View(ctx, func(v View) (err error) {
		if head, err = follow(ctx, v, last); err != nil {
			return err
		}
		return f(v, head)
	})
	if err != nil {
		return l.seen.judge(err)
	}
	l.seen.advance(head)
	return nil
}

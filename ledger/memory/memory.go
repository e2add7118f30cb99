// Package memory stores a ledger in the memory of one process, for tests and trials. The
// ledger is lost when the process ends, so it protects no budget.
package memory

import (
	"context"
	"crypto/rand"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/sotto-dp/sotto/ledger"
)

// Store is a ledger.Store. Ledgers that are opened over one Store share it.
type Store struct {
	mu       sync.RWMutex
	head     ledger.Head
	entries  []ledger.Entry // the entry Seq is at Seq-1
	accounts map[string]ledger.Account
	keys     map[ledger.Hash]int64 // charges by key
	answers  map[int64]int64       // entries of answers by charge
	sealed   map[int64]kept        // what is kept, by charge
}

type kept struct {
	sealed  []byte
	expires time.Time
	counted int64
}

var _ ledger.Store = (*Store)(nil)

// New returns an empty store.
func New() *Store {
	var id ledger.Hash
	_, _ = rand.Read(id[:]) // never fails
	return &Store{head: ledger.NewHead(id), accounts: map[string]ledger.Account{}, keys: map[ledger.Hash]int64{},
		answers: map[int64]int64{}, sealed: map[int64]kept{}}
}

// View reads one state.
func (s *Store) View(_ context.Context, f func(ledger.View) error) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return f(&tx{store: s})
}

// Update writes. On an error nothing is changed.
func (s *Store) Update(_ context.Context, f func(ledger.Tx) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := &tx{store: s}
	err := f(t)
	if err != nil {
		for _, undo := range slices.Backward(t.undo) {
			undo()
		}
	}
	return err
}

// Check has nothing to look for.
func (s *Store) Check(context.Context) error { return nil }

// Close does nothing: the ledger may be opened again.
func (s *Store) Close() error { return nil }

// tx is a transaction or a view, under the store's lock.
type tx struct {
	store *Store
	undo  []func()
}

// Head returns the end of the chain.
func (t *tx) Head(context.Context) (ledger.Head, error) { return t.store.head, nil }

// Accounts reads accounts.
func (t *tx) Accounts(_ context.Context, names []string) (found []ledger.Account, err error) {
	if names == nil {
		for _, a := range t.store.accounts {
			found = append(found, copied(a))
		}
		return found, nil
	}
	for _, name := range names {
		if a, ok := t.store.accounts[name]; ok {
			found = append(found, copied(a))
		}
	}
	return found, nil
}

func copied(a ledger.Account) ledger.Account {
	a.Limits = slices.Clone(a.Limits)
	return a
}

// Keyed reads charges by the digests of their keys.
func (t *tx) Keyed(_ context.Context, keys []ledger.Hash) (found []ledger.Entry, err error) {
	for _, key := range keys {
		if seq, ok := t.store.keys[key]; ok {
			found = append(found, t.store.entries[seq-1])
		}
	}
	return found, nil
}

// Answers reads answers by their charges.
func (t *tx) Answers(_ context.Context, charges []int64) (found []ledger.Answer, err error) {
	for _, charge := range charges {
		if seq, ok := t.store.answers[charge]; ok {
			found = append(found, ledger.Answer{Entry: t.store.entries[seq-1], Sealed: t.store.sealed[charge].sealed})
		}
	}
	return found, nil
}

// Entries reads a stretch of the chain.
func (t *tx) Entries(_ context.Context, after int64, n int) ([]ledger.Entry, error) {
	from := min(max(after, 0), int64(len(t.store.entries)))
	to := min(from+int64(n), int64(len(t.store.entries)))
	return slices.Clone(t.store.entries[from:to]), nil
}

var errTwice = errors.New("ledger in memory: a key or an answer is there already")

// put sets a value of a map until the transaction fails.
func put[K comparable, V any](t *tx, m map[K]V, key K, value V) {
	earlier, had := m[key]
	m[key] = value
	t.undo = append(t.undo, func() {
		if delete(m, key); had {
			m[key] = earlier
		}
	})
}

// Append adds rows.
func (t *tx) Append(_ context.Context, c ledger.Changes) error {
	s := t.store
	head, n := s.head, len(s.entries)
	t.undo = append(t.undo, func() { s.head, s.entries = head, s.entries[:n] })
	s.head, s.entries = c.Head, append(s.entries, c.Entries...)
	for _, e := range c.Entries {
		if e.Key != (ledger.Hash{}) {
			if s.keys[e.Key] != 0 {
				return errTwice
			}
			put(t, s.keys, e.Key, e.Seq)
		}
		if e.Charge != 0 {
			if s.answers[e.Charge] != 0 {
				return errTwice
			}
			put(t, s.answers, e.Charge, e.Seq)
		}
	}
	for _, a := range c.Accounts {
		a = copied(a)
		a.Kept = s.accounts[a.Name].Kept // follows from the answers
		put(t, s.accounts, a.Name, a)
	}
	for _, a := range c.Answers {
		put(t, s.sealed, a.Entry.Charge, kept{slices.Clone(a.Sealed), a.Expires, a.Counted})
		if !a.Expires.IsZero() {
			t.count(a.Entry.Account, a.Counted)
		}
	}
	return nil
}

// count adds to what is kept for an account.
func (t *tx) count(account string, bytes int64) {
	a := t.store.accounts[account]
	a.Kept += bytes
	put(t, t.store.accounts, account, a)
}

// Forget removes answers that have expired. It looks at all that are kept.
func (t *tx) Forget(_ context.Context, at time.Time, n int) (int, error) {
	var due []int64
	for charge, k := range t.store.sealed {
		if k.sealed != nil && !k.expires.IsZero() && !k.expires.After(at) {
			due = append(due, charge)
		}
	}
	slices.SortFunc(due, func(a, b int64) int { return t.store.sealed[a].expires.Compare(t.store.sealed[b].expires) })
	due = due[:min(n, len(due))]
	for _, charge := range due {
		t.count(t.store.entries[charge-1].Account, -t.store.sealed[charge].counted)
		put(t, t.store.sealed, charge, kept{})
	}
	return len(due), nil
}

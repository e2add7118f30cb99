// Package stored assembles accounts and entries from the rows that SQL stores read.
package stored

import "github.com/sotto-dp/sotto/ledger"

// SetHashes sets an entry's hashes from the columns key, digest and hash; nil is none.
func SetHashes(e *ledger.Entry, key, digest, hash []byte) error {
	for _, h := range []struct {
		to   *ledger.Hash
		from []byte
	}{{&e.Key, key}, {&e.Digest, digest}, {&e.Hash, hash}} {
		if h.from == nil {
			continue
		}
		if len(h.from) != len(h.to) {
			return &ledger.BrokenError{Seq: e.Seq, What: "a hash has the wrong length"}
		}
		*h.to = ledger.Hash(h.from)
	}
	return nil
}

// AppendLimit adds a limit to the last account of a list if that is a. Otherwise it appends
// a first. Rows are in the order of the accounts.
func AppendLimit(accounts []ledger.Account, a ledger.Account, l ledger.Limit) []ledger.Account {
	if n := len(accounts); n == 0 || accounts[n-1].Name != a.Name {
		accounts = append(accounts, a)
	}
	last := &accounts[len(accounts)-1]
	last.Limits = append(last.Limits, l)
	return accounts
}

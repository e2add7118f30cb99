package ledger

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/privacy/accountant"
)

// Hash is a SHA-256 value; the zero Hash means none.
type Hash [sha256.Size]byte

// String returns the value in hexadecimal.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// ParseHash reads what String writes.
func ParseHash(s string) (Hash, error) {
	var h Hash
	b, err := hex.DecodeString(s)
	if err != nil || len(b) != len(h) {
		return h, fmt.Errorf("ledger: a hash has %d hexadecimal digits", 2*len(h))
	}
	return Hash(b), nil
}

// Kind is what an entry records.
type Kind uint8

// The kinds of entry.
const (
	// Granted: a limit of an account was raised, or lowered by a negative amount.
	Granted Kind = 1 + iota
	// Charged: a loss was spent, before anything was drawn.
	Charged
	// Answered: the answer to a charge under an idempotency key was kept.
	Answered
)

// String returns the kind's name.
func (k Kind) String() string {
	switch k {
	case Granted:
		return "grant"
	case Charged:
		return "charge"
	case Answered:
		return "answer"
	}
	return fmt.Sprintf("kind %d", uint8(k))
}

// Basis is the unit of an account's epsilon. The zero Basis is for pure and
// approximate promises, where epsilon is in nats. A metric epsilon is in nats
// per unit of a distance of one table and means nothing elsewhere.
type Basis struct {
	Table    string // SHA-256 of the table in hexadecimal; empty for pure and approximate
	Distance string // name of the metric; empty for pure and approximate
}

// BasisOf returns the basis of a claim over the table with the given SHA-256.
func BasisOf(claim privacy.Claim, table string) Basis {
	switch claim.Notion {
	case privacy.Metric, privacy.MetricApproximate:
		return Basis{Table: table, Distance: claim.Distance}
	}
	return Basis{}
}

// String returns the basis in words.
func (b Basis) String() string {
	if b == (Basis{}) {
		return "loss in nats"
	}
	return fmt.Sprintf("metric loss per unit of %s distance of table %s", b.Distance, b.Table)
}

// Entry is one line of the ledger. It holds nothing of a text: keys and
// requests are stored only as keyed digests.
type Entry struct {
	Seq     int64     // 1, 2, 3, ... without a gap
	Time    time.Time // never before the entry's predecessor
	Kind    Kind
	Account string
	Basis   Basis            // of a grant
	Amount  Amount           // of a grant or a charge
	Party   accountant.Party // of a charge: what Amount is the loss of; no unit if an earlier version recorded it
	Period  time.Duration    // of a grant; 0 is forever
	Key     Hash             // of a charge or a grant: digest of the idempotency key; zero for none
	Charge  int64            // of an answer: the charge's Seq
	Digest  Hash             // of a charge or a grant: the request's keyed digest; of an answer: SHA-256 of what is kept
	Hash    Hash             // of the predecessor's hash and all of the above
}

// The domains of entries without and with a unit.
const (
	entryDomain = "sotto ledger entry 1\x00"
	unitDomain  = "sotto ledger entry 2\x00"
)

// seal returns the hash that links the entry to its predecessor: SHA-256 over a
// domain name and, in this order, the party, the previous hash and the other fields,
// integers big-endian in eight bytes, texts preceded by their length. Different
// entries have different encodings. Those without a unit are encoded as by versions
// that recorded none.
func (e *Entry) seal(previous Hash) Hash {
	b := make([]byte, 0, 320)
	if e.Party == (accountant.Party{}) {
		b = append(b, entryDomain...)
	} else {
		b = append(b, unitDomain...)
		b = append(b, byte(e.Party.Neighbouring))
		b = binary.BigEndian.AppendUint64(b, uint64(len(e.Party.Unit)))
		b = append(b, e.Party.Unit...)
	}
	b = append(b, previous[:]...)
	b = binary.BigEndian.AppendUint64(b, uint64(e.Seq))
	b = binary.BigEndian.AppendUint64(b, uint64(e.Time.UnixNano()))
	b = append(b, byte(e.Kind))
	for _, s := range []string{e.Account, e.Basis.Table, e.Basis.Distance} {
		b = binary.BigEndian.AppendUint64(b, uint64(len(s)))
		b = append(b, s...)
	}
	for _, n := range []int64{e.Amount.Epsilon, e.Amount.Delta, int64(e.Period), e.Charge} {
		b = binary.BigEndian.AppendUint64(b, uint64(n))
	}
	b = append(b, e.Key[:]...)
	b = append(b, e.Digest[:]...)
	return sha256.Sum256(b)
}

// Head is the end of the chain.
type Head struct {
	ID   Hash // random, the ledger's own: the chain begins with it
	Seq  int64
	Time time.Time
	Hash Hash
}

// NewHead returns the head of an empty ledger whose random name is id.
func NewHead(id Hash) Head {
	return Head{ID: id, Time: time.Unix(0, 0).UTC(), Hash: sha256.Sum256(append([]byte("sotto ledger 1\x00"), id[:]...))}
}

// link makes e the successor of h.
func (h *Head) link(e Entry) Entry {
	e.Seq, e.Time = h.Seq+1, e.Time.UTC()
	if e.Time.Before(h.Time) { // a clock that went back must not reopen a period
		e.Time = h.Time
	}
	e.Hash = e.seal(h.Hash)
	h.Seq, h.Time, h.Hash = e.Seq, e.Time, e.Hash
	return e
}

package sottobeam

import (
	"context"
	"crypto/hmac"
	crand "crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"errors"
	"math/rand/v2"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/synthesis"
)

// maker is a plan and a ledger, open in this process.
type maker struct {
	cfg    Synthesis
	plan   *synthesis.Plan
	encode corpus.TextEncoder // of the records; nil: that of the corpus
	ledger *ledger.Ledger     // nil: nothing is charged
}

var makers once[*maker] // by configuration

func openMaker(cfg Synthesis) (*maker, error) {
	name, err := json.Marshal(cfg)
	if err != nil {
		return nil, err
	}
	return makers.get(string(name), func() (*maker, error) { return newMaker(context.Background(), cfg) })
}

func newMaker(ctx context.Context, cfg Synthesis) (*maker, error) {
	plan, encoder, err := cfg.plan(ctx)
	if err != nil {
		return nil, err
	}
	m := &maker{cfg: cfg, plan: plan, encode: encoder}
	if cfg.Ledger == "" {
		return m, nil
	}
	one, err := ledger.Price(plan.Claim(), "", 1)
	if err == nil {
		m.ledger, err = openLedger(ctx, cfg.Ledger, cfg.Account, one)
	}
	return m, err
}

// release adds noise to the counts of all bundles and writes the result.
func (m *maker) release(ctx context.Context, c counted, emit func(Row), stated func(string)) error {
	counts, err := m.counts(c)
	if err != nil {
		return err
	}
	if c.Data, err = counts.MarshalBinary(); err != nil { // of no records too
		return err
	}
	secret, err := m.secret(ctx, c)
	if err != nil {
		return err
	}
	release, err := m.plan.Release(counts, m.stream(secret, c, "noise"))
	if err != nil {
		return err
	}
	row := func(r synthesis.Row) error {
		emit(Row{append([]string(nil), r.Labels...), string(r.Text), r.Weight})
		return nil
	}
	if m.cfg.Weights {
		err = release.Weighted(ctx, row)
	} else {
		err = release.Draw(ctx, m.cfg.Size, m.stream(secret, c, "draws"), row)
	}
	if err != nil {
		return err
	}
	s := release.Statement()
	s.Version = sotto.Version
	data, err := json.MarshalIndent(s, "", "  ")
	if err == nil {
		stated(string(data))
	}
	return err
}

// errOtherCounts is returned where a run was charged for other records than it finds now.
var errOtherCounts = errors.New("sottobeam: this run was charged for a release of other records, or with other settings: use another run, which is charged again")

// secret returns the secret that determines the noise. Without a ledger it is that of the
// run. With one it is random and is stored with the charge before anything is drawn, beside
// a code of the counts: the charge pays for one release.
func (m *maker) secret(ctx context.Context, c counted) ([]byte, error) {
	claim := m.plan.Claim()
	charge, err := ledger.Price(claim, "", 1)
	if err != nil {
		return nil, err
	}
	if m.ledger == nil {
		spent.Inc(ctx, charge.Cost.Epsilon)
		return []byte(m.cfg.Run), nil
	}
	name := sha256.Sum256([]byte("sotto synthesize " + m.cfg.Run))
	charge.Account, charge.Key, charge.Request = m.cfg.Account, hex.EncodeToString(name[:]), sha256.Sum256([]byte(claim.String()))
	receipt, err := m.ledger.Charge(ctx, charge)
	if err != nil {
		return nil, err
	}
	if !receipt.Replayed {
		spent.Inc(ctx, charge.Cost.Epsilon)
	}
	kept := receipt.Answer
	if !receipt.Answered {
		secret := make([]byte, sha256.Size)
		_, _ = crand.Read(secret) // never fails
		if kept, err = m.ledger.Answer(ctx, m.cfg.Account, charge.Key, append(secret, m.code(secret, c, "counts")...)); err != nil {
			return nil, err
		}
	}
	if len(kept) != 2*sha256.Size || subtle.ConstantTimeCompare(kept[sha256.Size:], m.code(kept[:sha256.Size], c, "counts")) != 1 {
		return nil, errOtherCounts
	}
	return kept[:sha256.Size], nil
}

// code is a keyed digest of the counts and of all that the release depends on. Other
// counts or settings have an independent one: the same noise on two of them would show
// their difference.
func (m *maker) code(secret []byte, c counted, what string) []byte {
	cfg := m.cfg
	cfg.Run, cfg.Ledger, cfg.Account = "", "", ""
	settings, _ := json.Marshal(cfg) // never fails: Checked wrote it
	h := hmac.New(sha256.New, secret)
	for _, part := range [][]byte{[]byte("sotto synthesize " + what), settings, c.Data} {
		sum := sha256.Sum256(part)
		h.Write(sum[:])
	}
	return h.Sum(nil)
}

// stream returns secure random bits that follow from the secret; nil for those of
// Synthesis.InsecureSeed.
func (m *maker) stream(secret []byte, c counted, what string) rand.Source {
	if m.cfg.InsecureSeed != nil {
		return nil
	}
	return rand.NewChaCha8([32]byte(m.code(secret, c, what)))
}

package server

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"log/slog"
	"time"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/gate"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/till"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/wire"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/privacy"
)

// scope derives the ledger key of each word in one scope. The word's charge and
// replacement are found by this key only. Other mechanisms, parameters and tables give
// other keys, so that a charge for one never pays for another.
type scope struct{ mac hash.Hash }

func newScope(name string, r *sotto.Rewriter) (*scope, error) {
	what, err := json.Marshal([]any{r.Entry().Name, audit.ParametersOf(r.Settings()), r.Claim(), r.TableDigest()})
	if err != nil {
		return nil, err
	}
	mac := hmac.New(sha256.New, []byte(name))
	mac.Write([]byte("sotto scope 1\x00"))
	mac.Write(what)
	return &scope{hmac.New(sha256.New, mac.Sum(nil))}, nil
}

func (s *scope) key(word embedding.ID) string {
	s.mac.Reset()
	s.mac.Write(binary.BigEndian.AppendUint64(nil, uint64(word)))
	return hex.EncodeToString(s.mac.Sum(nil))
}

// payScoped charges for the words that are new to the request's scope, draws for the
// words without a replacement, and puts the scope's replacements into the texts. If
// requests race, the replacement that the ledger stored first is used.
func (s *Server) payScoped(ctx context.Context, d *draft, req *wire.RewriteRequest, p *till.Payment, e *gate.Exchange) (body []byte, replayed bool, err error) {
	one, err := d.price(req, 1)
	if err != nil {
		return nil, false, err
	}
	words := d.pending.Distinct()
	if len(words) > ledger.MaxEach {
		return nil, false, privacy.Wrong("serve", "texts", "they have too many distinct words for one request in a scope", fmt.Sprintf("send texts of at most %d distinct words together", ledger.MaxEach))
	}
	scope, err := newScope(string(req.Scope), d.rewriter)
	if err != nil {
		return nil, false, err
	}
	keys := make([]string, len(words))
	for i, w := range words {
		keys[i] = scope.key(w)
	}
	began := time.Now()
	each, err := p.ChargeEach(ctx, one, keys, req)
	s.noteCharge(e, began, one.Account, err)
	if err != nil {
		return nil, false, e.LedgerFailed(err)
	}
	e.Log(slog.Int64("charge", each.Last.Seq), slog.Bool("replayed", each.Answered))
	if each.Answered {
		body, err = d.replay(req, each)
	} else {
		body, replayed, err = s.drawScoped(ctx, d, req, p, keys, each)
	}
	if err != nil {
		return nil, false, e.LedgerFailed(err)
	}
	return body, replayed || each.Answered, nil
}

// drawScoped draws what was charged for and makes the answer. If a request under the same
// key finished first, it returns that answer.
func (s *Server) drawScoped(ctx context.Context, d *draft, req *wire.RewriteRequest, p *till.Payment, keys []string, each ledger.Each) (body []byte, replayed bool, err error) {
	replacements, err := replacements(ctx, d.pending, p, string(req.Account), keys, each)
	if err != nil {
		return nil, false, err
	}
	own := scopedAnswer{Draws: each.New, Charge: each.Last.Seq, Hash: each.Last.Hash.String(), Time: each.Last.Time, Cost: units(each.Spent), Remaining: units(each.Remaining)}
	if body, err = d.compose(req, &own, replacements); err != nil || !p.Keyed() {
		return body, false, err
	}
	own.Body = sha256.Sum256(body)
	record, err := json.Marshal(own)
	if err != nil {
		return nil, false, err
	}
	first, err := p.Answer(ctx, string(req.Account), record)
	if err != nil || bytes.Equal(first, record) {
		return body, false, err
	}
	body, err = d.again(req, first, replacements)
	return body, true, err
}

// replay returns the earlier answer to the request's key.
func (d *draft) replay(req *wire.RewriteRequest, each ledger.Each) ([]byte, error) {
	replacements := make([]embedding.ID, 0, len(each.Answers))
	for _, kept := range each.Answers {
		if kept == nil { // the table has changed
			break
		}
		id, err := replacementOf(kept)
		if err != nil {
			return nil, err
		}
		replacements = append(replacements, id)
	}
	return d.again(req, each.Answer, replacements)
}

// again rebuilds an answer from its record. If the table or the program has changed so
// that the answer would differ, it counts as expired: one key never gives two answers.
func (d *draft) again(req *wire.RewriteRequest, record []byte, replacements []embedding.ID) ([]byte, error) {
	kept, err := readScopedAnswer(record)
	if err != nil || kept.whole != nil {
		return record, err
	}
	if len(replacements) != len(d.pending.Distinct()) {
		return nil, ledger.ErrForgotten
	}
	body, err := d.compose(req, kept, replacements)
	if err == nil && sha256.Sum256(body) != kept.Body {
		err = ledger.ErrForgotten
	}
	return body, err
}

func (d *draft) compose(req *wire.RewriteRequest, a *scopedAnswer, replacements []embedding.ID) ([]byte, error) {
	private, err := d.pending.Compose(replacements)
	if err != nil {
		return nil, err
	}
	return d.respond(req, private, a.Draws, a.receipt(string(req.Account)))
}

// scopedAnswer is the stored part of an answer in a scope: everything that does not
// follow from the request and the scope's replacements, which stay. It takes a few
// hundred bytes, whatever the size of the texts.
type scopedAnswer struct {
	Draws           int
	Charge          int64
	Hash            string
	Time            time.Time
	Cost, Remaining units
	Body            [sha256.Size]byte // digest of the answer

	whole []byte // earlier versions stored the answer as it was sent
}

// units is an amount in the ledger's whole units; the JSON of ledger.Amount has decimals.
type units struct{ Epsilon, Delta int64 }

func (a *scopedAnswer) receipt(account string) *wire.Receipt {
	return &wire.Receipt{Account: account, Charge: a.Charge, Hash: a.Hash, Time: a.Time, Cost: ledger.Amount(a.Cost), Remaining: ledger.Amount(a.Remaining)}
}

func readScopedAnswer(record []byte) (*scopedAnswer, error) {
	var a struct {
		scopedAnswer
		Results json.RawMessage
	}
	err := json.Unmarshal(record, &a)
	switch {
	case err == nil && a.Results != nil:
		return &scopedAnswer{whole: record}, nil
	case err != nil || a.Hash == "":
		return nil, &ledger.BrokenError{What: "a stored answer cannot be decoded"}
	}
	return &a.scopedAnswer, nil
}

// replacements draws for the words that have no replacement, and stores the draws before
// any of them is released.
func replacements(ctx context.Context, pending *sotto.Pending, p *till.Payment, account string, keys []string, each ledger.Each) ([]embedding.ID, error) {
	out := make([]embedding.ID, len(keys))
	var missing []int
	var missingKeys []string
	for i, kept := range each.Answers {
		if kept == nil {
			missing, missingKeys = append(missing, i), append(missingKeys, keys[i])
			continue
		}
		var err error
		if out[i], err = replacementOf(kept); err != nil {
			return nil, err
		}
	}
	if len(missing) == 0 {
		return out, nil
	}
	drawn, err := pending.DrawDistinct(context.WithoutCancel(ctx), missing)
	if err != nil {
		return nil, err
	}
	answers := make([][]byte, len(drawn))
	for i, id := range drawn {
		answers[i] = binary.BigEndian.AppendUint64(nil, uint64(id)) // all of the same length
	}
	kept, err := p.AnswerEach(ctx, account, missingKeys, answers)
	if err != nil {
		return nil, err
	}
	for i, at := range missing {
		if out[at], err = replacementOf(kept[i]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func replacementOf(kept []byte) (embedding.ID, error) {
	if len(kept) != 8 {
		return 0, &ledger.BrokenError{What: "a stored replacement is not a word"}
	}
	return embedding.ID(binary.BigEndian.Uint64(kept)), nil
}

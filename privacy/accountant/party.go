package accountant

import (
	"math"

	"github.com/sotto-dp/sotto/privacy"
)

// Party is the party that a sum of losses protects: one unit, under one neighbouring
// relation. The zero value is that of a sum without losses.
type Party struct {
	Unit         privacy.Unit
	Neighbouring privacy.Relation
}

// PartyOf returns what one claim protects.
func PartyOf(c privacy.Claim) Party { return Party{c.Unit, c.Neighbouring} }

// String returns the party in words: "a record that is added or removed".
func (p Party) String() string { return "a " + string(p.Unit) + " that is " + p.Neighbouring.Change() }

// whole returns the unit in which a sum counts the losses of p. The losses of a text's
// words, each counted once per draw, add up to one of the text.
func (p Party) whole() Party {
	switch p {
	case Party{}, Party{Unit: privacy.Token}, Party{Unit: privacy.Word}, Party{Unit: privacy.Vector}:
		p.Unit = privacy.Text
	}
	return p
}

// With returns the party that the sum protects after one more loss, and false if the two
// losses cannot be added. A sum keeps the unit of its first loss. A loss of words counts
// for their text, and any other unit is refused. In particular, a text's loss bounds a
// record's loss only if the record is that text. A caller who knows this passes the loss as
// the record's, under Replace.
//
// Once one loss of the sum is under Replace, the whole sum is. If the returned relation
// differs from that of the sum so far, or from that of the loss, [ToReplace] converts that
// one.
func (p Party) With(loss Party) (Party, bool) {
	loss = loss.whole()
	if p == (Party{}) {
		return loss, loss.known()
	}
	if p = p.whole(); p.Unit != loss.Unit || !loss.known() {
		return p, false
	}
	if loss.Neighbouring == privacy.Replace {
		p.Neighbouring = privacy.Replace
	}
	return p, true
}

// known reports whether losses of the party may be added up.
func (p Party) known() bool {
	switch p.Unit {
	case privacy.Text:
		return p.Neighbouring == privacy.Replace
	case privacy.Record, privacy.User:
		return p.Neighbouring == privacy.Replace || p.Neighbouring == privacy.AddRemove
	}
	return false
}

// ToReplace returns the figures under Replace of a loss under AddRemove: replacing a
// unit is one removal and one addition, so epsilon doubles and delta is multiplied by
// [DeltaFactor] (Dwork and Roth, The Algorithmic Foundations of Differential Privacy,
// Theorem 2.2 and its proof, for a group of two). Delta is rounded up.
func ToReplace(epsilon, delta float64) (float64, float64) {
	if delta > 0 {
		delta = min(1, math.Nextafter(DeltaFactor(epsilon)*delta, 1))
	}
	return 2 * epsilon, delta
}

// DeltaFactor returns 1 + e^epsilon, rounded up: the delta of two steps between
// neighbours is at most this many times the delta of one.
func DeltaFactor(epsilon float64) float64 {
	return math.Nextafter((1+math.Exp(epsilon))*(1+0x1p-50), math.Inf(1))
}

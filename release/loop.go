package release

import (
	"context"
	"fmt"

	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/statement"
)

// Loop releases texts by one unit. It is safe for concurrent use.
type Loop struct {
	unit  Unit
	needs Needs
	facts statement.Facts
}

// By returns the loop of a unit.
func By(u Unit) *Loop { return &Loop{u, u.Needs(), u.Facts()} }

// Unit returns the unit of the loop.
func (l *Loop) Unit() Unit { return l.unit }

// Claim returns the guarantee per drawn unit.
func (l *Loop) Claim() privacy.Claim { return l.facts.Claim }

// Facts returns how the unit was opened.
func (l *Loop) Facts() statement.Facts { return l.facts }

// Read reads a batch of texts and draws nothing. It refuses parts of one document if the
// claim would not hold across parts, and texts without what the unit needs. If texts are
// counted per user, only streams can read them.
func (l *Loop) Read(t Texts, at Position) (*Pending, error) {
	if l.needs.PerUser > 0 {
		return nil, errNeedsUsers
	}
	if l.needs.Encode != nil && t.Vectors == nil {
		var err error
		if t.Vectors, err = l.encode(context.Background(), t.Bytes); err != nil {
			return nil, err
		}
	}
	return l.read(t, at)
}

// encode returns the vectors of texts by the encoder of the unit.
func (l *Loop) encode(ctx context.Context, texts [][]byte) ([][]float64, error) {
	vectors, err := l.needs.Encode.Vectors(ctx, texts)
	if err == nil && len(vectors) != len(texts) {
		err = privacy.Bad("vectors", "vectors of the encoder", len(vectors), "one per text")
	}
	if vectors == nil {
		vectors = [][]float64{} // of no texts
	}
	return vectors, err
}

func (l *Loop) read(t Texts, at Position) (*Pending, error) {
	brought := l.needs.Dimensions > 0
	switch {
	case t.Spans != nil && !l.needs.Spans:
		return nil, errNoSpans
	case t.Vectors != nil && !brought:
		return nil, errNoVectors
	case at.Of != nil && l.needs.NoParts != nil:
		return nil, l.needs.NoParts
	case t.Spans == nil && l.needs.Spans:
		return nil, ErrNeedsSpans
	case t.Spans != nil && len(t.Spans) != len(t.Bytes):
		return nil, privacy.Wrong("sotto", "spans", fmt.Sprintf("there are %d lists for %d texts", len(t.Spans), len(t.Bytes)), "give one list per text")
	case t.Vectors == nil && brought:
		return nil, ErrNeedsVectors
	}
	for _, v := range t.Vectors {
		if len(v) != l.needs.Dimensions {
			return nil, badDimensions(len(v), l.needs.Dimensions)
		}
	}
	b, err := l.unit.Read(t, at)
	if err != nil {
		return nil, err
	}
	return l.pending(b, max(len(t.Bytes), len(t.Vectors))), nil
}

// pending returns a batch that was read. It is charged for by the unit's claim unless a
// stream that is Alone says otherwise.
func (l *Loop) pending(b Batch, texts int) *Pending {
	return &Pending{batch: b, texts: texts, claim: l.facts.Claim, table: l.facts.Table, apart: !l.needs.Copied}
}

// takes refuses a stream with vectors, spans or users that the unit does not use, and a
// stream without those that it needs.
func (l *Loop) takes(s Stream) error {
	n := l.needs
	switch {
	case n.Spans && !s.marks():
		return ErrNeedsSpans
	case !n.Spans && s.marks():
		return errNoSpans
	case n.PerUser > 0 && (s.Users == nil || s.Users.most != n.PerUser):
		return errNeedsUsers
	case n.PerUser == 0 && s.Users != nil:
		return privacy.Unwanted("sotto", "the users of the texts", "here: the claim is per text, not per user")
	case s.Vectors != nil && n.Encode != nil:
		return privacy.Unwanted("stream", "vectors", "beside an encoder, which makes them")
	case n.Dimensions > 0 && s.Vectors == nil && n.Encode == nil:
		return ErrNeedsVectors
	case n.Dimensions == 0 && s.Vectors != nil:
		return errNoVectors
	case s.Vectors != nil:
		if _, dim := s.Vectors.Shape(); dim != n.Dimensions {
			return badDimensions(dim, n.Dimensions)
		}
	}
	return nil
}

var (
	// ErrNeedsSpans is returned for texts without the spans that marked words need.
	ErrNeedsSpans = privacy.Missing("sotto", "the spans of the texts", "only what they mark is rewritten; read them with ReadSpans, or use a stream with Spans")
	errNoSpans    = privacy.Unwanted("sotto", "spans", "here: the configuration is not for marked texts")
	// ErrNeedsVectors is returned for texts without the vectors that a corpus needs.
	ErrNeedsVectors = privacy.Missing("the corpus", "the vectors of the texts", "it was built from given vectors and has no encoder")
	errNoVectors    = privacy.Unwanted("sotto", "vectors of the texts", "here: only a corpus built from given vectors needs them")
	errNeedsUsers   = privacy.Missing("sotto", "the users of the texts", "the claim is per user; use a stream with Users")
)

func badDimensions(dim, must int) error {
	return privacy.Bad("vectors", "components of a row", dim, fmt.Sprintf("%d, as in the corpus", must))
}

// Users returns the counter for a run. field is a column (csv, tsv) or a path (jsonl).
// Records in which it is missing, null or empty belong to one user, OtherUser. Users
// returns nil if Needs.PerUser is 0.
func (l *Loop) Users(field string) *Users {
	if l.needs.PerUser == 0 {
		return nil
	}
	return &Users{field: field, most: l.needs.PerUser, seen: map[[16]byte]int{}}
}

package statement

import (
	"fmt"

	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/privacy/shuffle"
)

// Texts is a release of whole texts that are replaced by those of a corpus. The claim of its
// facts is per text.
type Texts struct {
	Corpus  *corpus.Corpus
	Levels  mechanism.Levels
	Brought bool    // the caller provides vectors
	Probes  string  // of the caller's encoder: see corpus.Probes; empty for given vectors
	PerUser int     // largest number of released rows per user; 0: the claim is per text
	Total   float64 // epsilon per user
	// Shuffled and Padded are how the texts are written. The zero values mean texts at the
	// positions of the originals.
	Shuffled, Padded bool
	// Figures are the guarantee of the shuffled texts, see [Facts.Shuffle]; nil without one.
	Figures *ShuffledFigures
}

// ShuffledFigures are the central guarantee of a shuffled file against readers who see only
// the file. It is per text or, with users, per user for all rows of a user.
type ShuffledFigures struct {
	Records int            `json:"records"`
	Epsilon float64        `json:"epsilon"`
	Delta   float64        `json:"delta"`
	Bound   shuffle.Method `json:"bound"`
}

// released returns the claim for everything that a run releases of one text, or of one
// user.
func (t Texts) released(c privacy.Claim) privacy.Claim {
	if t.PerUser > 0 {
		c.Unit, c.Epsilon = privacy.User, t.Total
	}
	return c
}

// Shuffle returns the guarantee of n shuffled texts, of a claim per text. A delta of 0 means
// the smaller of 1e-6 and n^-1.5.
func (t Texts) Shuffle(each privacy.Claim, n int, delta float64) (*ShuffledFigures, error) {
	local := t.released(each)
	figures := &ShuffledFigures{Records: n, Epsilon: local.Epsilon, Bound: shuffle.Local}
	if n == 0 {
		return figures, nil
	}
	if delta == 0 {
		delta = min(1e-6, shuffle.DefaultDelta(n))
	}
	release := shuffle.Release{Records: n, Epsilon: each.Epsilon}
	if t.Levels.Size < t.Levels.Outputs {
		release.Texts, release.Neighbours = t.Levels.Outputs, t.Levels.Size
	}
	best, err := release.Group(max(1, t.PerUser), delta)
	if err != nil {
		return nil, err
	}
	if best.Epsilon < local.Epsilon {
		figures.Epsilon, figures.Delta, figures.Bound = best.Epsilon, best.Delta, best.Method
	}
	return figures, nil
}

func (t Texts) state(s *Statement, f Facts, _ Counts) {
	inside := t.Levels.Inside * float64(t.Levels.Size)
	s.Corpus, s.Neighbours, s.Inside = corpusFiguresOf(t.Corpus), &t.Levels.Size, &inside
	s.Embeddings = tableOfEncoder(t.Corpus)
	s.Tokens, s.LongestTokens = nil, nil
	s.Certificate = f.Certificate
	s.total(f.Loss(), 1)
	s.Claim = t.released(f.Claim)
	if t.PerUser > 0 {
		s.Users = &UserFigures{PerUser: t.PerUser, Padded: t.Padded}
	}
	s.Shuffled = t.Figures
	s.NotProtected = append(unverified(s.NotProtected, f.Certificate), t.open()...)
	unread := unreadRecords
	if t.Shuffled || t.Padded {
		unread = unreadPooled
	}
	s.NotProtected = append(s.NotProtected,
		fmt.Sprintf("the corpus %q: its %d texts come out as they are, none is a paraphrase of a private text; the claim takes it as public and chosen without the private texts, and %s", t.Corpus.Name(), t.Corpus.Len(), declared(t.Corpus)),
		unread, endedEarly,
		"the time the run took, memory, and who else holds the same text",
	)
	if t.Brought {
		s.NotProtected = append(s.NotProtected, broughtVectors)
	}
	s.probed(t.Probes)
}

// open lists what the order and the layout of the output do not protect.
func (t Texts) open() []string {
	var not []string
	switch {
	case t.Shuffled && t.Padded:
		not = append(not, fmt.Sprintf("the number of users: there are %d texts per user", t.PerUser))
	case t.Padded:
		not = append(not, fmt.Sprintf("who the users are: the output has %d texts per user with the name, sorted by name", t.PerUser))
	case t.Shuffled && t.PerUser > 0:
		not = append(not, fmt.Sprintf("the total number of texts, which includes at most %d per user", t.PerUser))
	case t.Shuffled:
		not = append(not, "the number of texts")
	default:
		not = append(not, "the number of texts, empty ones too, their order, and the line or field of each", besideWholeTexts)
		if t.PerUser > 0 {
			not = append(not, fmt.Sprintf("who the users are and how many rows each has, up to %d: the field that names them is copied, and later rows of a user are left out, which shows their position", t.PerUser))
		}
	}
	if t.Shuffled {
		not = append(not, "the shuffled figures hold only against a reader of the finished file: against anyone who sees rows arrive, another release of the same texts, or anything stored beside them, only the claim above holds")
	}
	if t.Padded {
		not = append(not, "the number of rows that were read: an account is charged for those and then for the texts that were added, so its entries show both")
	}
	if t.PerUser > 0 {
		return append(not, "other runs over texts of the same users, and one person under several names: losses add up over them")
	}
	return append(not, "the same text rewritten again, several texts of one person, or fields of one record: losses add up over them")
}

func (t Texts) again(read *Statement, f Facts, counts Counts) (_ Facts, _ Counts, err error) {
	f.Certificate = read.Certificate
	if t.Probes, err = probesAgain(read.Probes, t.Probes, t.Brought); err != nil {
		return f, counts, err
	}
	t.Shuffled, t.Padded = read.Shuffled != nil, read.Users != nil && read.Users.Padded
	switch figures := read.Shuffled; {
	case figures == nil:
		t.Figures = nil
	case figures.Bound == shuffle.Local: // holds whatever the delta that was asked for
		t.Figures = &ShuffledFigures{Records: read.Documents, Epsilon: t.released(f.Claim).Epsilon, Bound: shuffle.Local}
	default:
		t.Figures, err = t.Shuffle(f.Claim, read.Documents, figures.Delta)
	}
	f.Of = t
	return f, counts, err
}

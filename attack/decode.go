package attack

import (
	"context"
	"errors"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/parallel"
	"github.com/sotto-dp/sotto/restore"
)

// decoded is what a reader names at each position of the releases.
type decoded struct {
	unknown   embedding.ID
	likeliest [][]embedding.ID
	// known is the likeliest word that is not the unknown entry; the unknown entry where the
	// decoder kept no other.
	known [][]embedding.ID
}

func newDecoded(releases int, unknown embedding.ID) *decoded {
	return &decoded{unknown, make([][]embedding.ID, releases), make([][]embedding.ID, releases)}
}

// set takes the marginals of a release.
func (d *decoded) set(i int, marginals [][]restore.Guess) {
	d.likeliest[i] = restore.Risk(marginals)
	d.known[i] = make([]embedding.ID, len(marginals))
	for t, guesses := range marginals {
		d.known[i][t] = d.unknown
		for _, g := range guesses {
			if g.Word != d.unknown {
				d.known[i][t] = g.Word
				break
			}
		}
	}
}

// decode returns what a reader names in releases.
func decode(ctx context.Context, c *restore.Channel, outputs [][]embedding.ID, o Options) (*decoded, error) {
	most := 2 // one may be the unknown entry
	if o.Adapted != nil {
		most = mostGuesses
	}
	guesses, err := read(ctx, c, outputs, most, o)
	if err != nil {
		return nil, err
	}
	if o.Adapted != nil {
		if len(o.Adapted.Texts) == 0 {
			return nil, errors.New("attack: an adapted reader needs public texts")
		}
		if expected(guesses) >= adaptedFrom {
			return o.Adapted.adapt(ctx, c, outputs, guesses, o)
		}
	}
	found := newDecoded(len(outputs), o.Model.Vocabulary().Unknown())
	for i, marginals := range guesses {
		found.set(i, marginals)
	}
	return found, nil
}

// read returns the likeliest words of each position of the releases under the model.
func read(ctx context.Context, c *restore.Channel, outputs [][]embedding.ID, most int, o Options) ([][][]restore.Guess, error) {
	found := make([][][]restore.Guess, len(outputs))
	done := o.Progress.Stage("decoding").Counter(len(outputs))
	const block = 8
	err := parallel.BlockedBy(ctx, len(outputs), block, func() func(context.Context, int, int) error {
		var d *restore.Decoder
		return func(ctx context.Context, from, to int) (err error) {
			if d == nil {
				if d, err = restore.NewDecoder(o.Model, c, restore.Options{Beam: o.Beam}); err != nil {
					return err
				}
			}
			for i := from; i < to; i++ {
				if err := ctx.Err(); err != nil {
					return err
				}
				if found[i], err = marginals(d, outputs[i], most); err != nil {
					return err
				}
			}
			done.Add(to - from)
			return nil
		}
	})
	return found, err
}

// mostGuesses bounds the words of a position that a reader adapts to.
const mostGuesses = 64

// marginals returns the likeliest words of each position of a release.
func marginals(d *restore.Decoder, release []embedding.ID, most int) ([][]restore.Guess, error) {
	found := make([][]restore.Guess, 0, len(release))
	for w := range restore.Windows(len(release)) {
		l, err := d.ReadWindow(release, w, nil)
		if err != nil {
			return nil, err
		}
		from, to := w.Used()
		found = append(found, l.Likeliest(most)[from:to]...)
	}
	return found, nil
}

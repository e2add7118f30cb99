package release

import (
	"context"
	"io"
	"maps"
	"slices"

	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/privacy/identity"
	"github.com/sotto-dp/sotto/statement"
)

// PoolOptions configures how the texts of a [Pool] are written.
type PoolOptions struct {
	// Shuffled writes the texts alone, in random order.
	Shuffled bool
	// Delta is for the bound against readers of the shuffled texts only; 0 means the
	// smaller of 1e-6 and n^-1.5 for n texts.
	Delta float64
	// Padded adds texts drawn for the empty text until every user has Needs.PerUser
	// texts. Without Shuffled the texts are sorted by user. It needs Users.
	Padded bool
	// Users are the users of the run; nil if Needs.PerUser is 0.
	Users *Users
}

// Pool stores the draws for the texts of one or more streams, 4 bytes per text, and then
// writes the texts without the layout of the input. It is for one goroutine.
type Pool struct {
	options  PoolOptions
	loop     *Loop
	pooling  *Pooling
	counts   statement.Counts
	drawn    []uint32            // if shuffled
	owned    map[string][]uint32 // if padded and not shuffled
	figures  *statement.ShuffledFigures
	finished bool
}

// Pool returns an empty pool for texts that are replaced by texts of a corpus.
func (l *Loop) Pool(o PoolOptions) (*Pool, error) {
	p := &Pool{options: o, loop: l, pooling: l.needs.Pool, owned: map[string][]uint32{}}
	p.counts.Drawn = new(identity.Tally).Drawn()
	switch most := l.needs.PerUser; {
	case p.pooling == nil:
		return nil, privacy.Bad("pool", "unit", l.facts.Claim.Unit, "text, over a corpus")
	case !o.Shuffled && !o.Padded:
		return nil, privacy.Bad("pool", "order", nil, "shuffled or padded: use Copy to keep the order of the input")
	case o.Padded && o.Users == nil:
		return nil, privacy.Missing("pool", "users", "padding is per user")
	case o.Users == nil && most > 0, o.Users != nil && o.Users.most != most:
		return nil, errNeedsUsers
	}
	if o.Delta != 0 {
		return p, privacy.CheckDelta("shuffle", o.Delta)
	}
	return p, nil
}

// Read draws for the texts of a stream, as [Loop.Copy] does, and stores the draws.
func (p *Pool) Read(ctx context.Context, in io.Reader, s Stream) error {
	s.Users = p.options.Users
	run := p.loop.run(s)
	run.hold = p.hold
	err := run.copy(ctx, nil, in)
	p.counts.Add(run.total())
	return err
}

// hold stores the draws of a batch.
func (p *Pool) hold(b portion) {
	if p.options.Shuffled {
		p.drawn = append(p.drawn, b.drawn...)
		return
	}
	for _, user := range b.present {
		if p.owned[user] == nil {
			p.owned[user] = make([]uint32, 0, p.loop.needs.PerUser)
		}
	}
	for i, y := range b.drawn {
		p.owned[b.users[i]] = append(p.owned[b.users[i]], y)
	}
}

// Finish pads and shuffles after all streams have been read. Charge, if not nil, is
// called before padding texts are drawn, as in [Stream].
func (p *Pool) Finish(ctx context.Context, charge func(ctx context.Context, batch uint64, p *Pending) error) error {
	if p.options.Padded {
		if err := p.pad(ctx, charge); err != nil {
			return err
		}
	}
	if p.options.Shuffled {
		noise.Shuffle(p.pooling.Order(), p.drawn)
		var err error
		if p.figures, err = p.pooling.Facts.Shuffle(p.loop.facts.Claim, len(p.drawn), p.options.Delta); err != nil {
			return err
		}
	}
	p.finished = true
	return nil
}

// firstPadding is the number of the first batch of padding texts. No stream has this many.
const firstPadding = uint64(1) << 31

// padAtOnce is the number of texts in a batch of padding.
const padAtOnce = 4096

// padding calls with each batch of texts that pad draws. It counts on the counts of the texts
// that were read.
func (p *Pool) padding(each func(batch uint64, b *Pending) error) error {
	if !p.options.Padded {
		return nil
	}
	missing := p.options.Users.Padded() - p.counts.Documents
	for batch := firstPadding; missing > 0; batch++ {
		n := min(missing, padAtOnce)
		b, err := p.pooling.Empty(n, Position{Batch: batch})
		if err != nil {
			return err
		}
		if err := each(batch, p.loop.pending(b, n)); err != nil {
			return err
		}
		missing -= n
	}
	return nil
}

// pad draws texts for the empty text, in the same way for every user.
func (p *Pool) pad(ctx context.Context, charge func(context.Context, uint64, *Pending) error) error {
	names := slices.Sorted(maps.Keys(p.owned))
	var drawn []uint32
	err := p.padding(func(batch uint64, pending *Pending) error {
		if charge != nil {
			if err := charge(ctx, batch, pending); err != nil {
				return err
			}
		}
		if _, err := pending.Draw(ctx); err != nil {
			return err
		}
		drawn = append(drawn, pending.copies.Indices...)
		p.counts.Add(pending.Counts())
		return nil
	})
	if err != nil {
		return err
	}
	if p.options.Shuffled {
		p.drawn = append(p.drawn, drawn...)
		return nil
	}
	for _, name := range names {
		n := p.loop.needs.PerUser - len(p.owned[name])
		p.owned[name] = append(p.owned[name], drawn[:n]...)
		drawn = drawn[n:]
	}
	return nil
}

// Write calls write with each text in order. user is empty for shuffled texts.
func (p *Pool) Write(write func(user string, text []byte) error) error {
	if !p.finished {
		return privacy.Wrong("pool", "", "its order is not drawn yet", "call Finish before Write")
	}
	var text []byte
	all := func(user string, drawn []uint32) error {
		for _, y := range drawn {
			text = p.pooling.Text(text[:0], y)
			if err := write(user, text); err != nil {
				return err
			}
		}
		return nil
	}
	if p.options.Shuffled {
		return all("", p.drawn)
	}
	for _, name := range slices.Sorted(maps.Keys(p.owned)) {
		if err := all(name, p.owned[name]); err != nil {
			return err
		}
	}
	return nil
}

// Statement returns the statement for everything drawn. With Padded it counts what is
// written, never what was read.
func (p *Pool) Statement() statement.Statement {
	f, texts := p.loop.facts, p.pooling.Facts
	texts.Shuffled, texts.Padded, texts.Figures = p.options.Shuffled, p.options.Padded, p.figures
	f.Of = texts
	return f.State(p.counts)
}

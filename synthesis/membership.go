package synthesis

import (
	"context"

	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/progress"
)

// guessStream is the stream of the draws of Guess. Releases have the first.
const guessStream = 1

// Guess makes releases of public texts with and without a canary, as [Plan.Attack] does,
// and guesses for each release whether the canary took part. It chooses the likelier case,
// which is optimal if both cases are equally likely. It returns the number of correct
// guesses; the number of guesses is twice the number of releases of either kind. Draws are
// secure, or those of Options.InsecureSeed.
func (p *Plan) Guess(ctx context.Context, releases int, report progress.Func) (right, guesses int, err error) {
	if releases < 1 {
		return 0, 0, privacy.Bad(Name, "releases", releases, "at least 1")
	}
	without, with := p.worlds()
	rng := p.source(nil, guessStream)
	for i := range releases {
		if err := ctx.Err(); err != nil {
			return 0, 0, err
		}
		report.At(i, releases)
		for world, counts := range []*Counts{without, with} {
			r, err := p.Release(counts.clone(), rng)
			if err != nil {
				return 0, 0, err
			}
			guess := int(noise.Below(rng, 2)) // where both are as likely
			switch ratio := r.likelihood(with) - r.likelihood(without); {
			case ratio > 0:
				guess = 1
			case ratio < 0:
				guess = 0
			}
			if guess == world {
				right++
			}
		}
	}
	return right, 2 * releases, nil
}

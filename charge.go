package sotto

import (
	"context"
	"crypto/sha256"
	"fmt"

	"github.com/sotto-dp/sotto/ledger"
)

// Charge returns what charges an account of a ledger for each batch before it is drawn:
// [Stream].Charge. A charge for draws that can be made again, those of a stream with a Key, has
// their name, so it spends once.
func (r *Rewriter) Charge(l *ledger.Ledger, account string) func(ctx context.Context, batch uint64, p *Pending) error {
	return func(ctx context.Context, _ uint64, p *Pending) error {
		c, err := ledger.Price(p.Claim(), r.TableDigest(), p.Draws())
		if err != nil {
			return err
		}
		c.Account, c.Key = account, p.Name()
		if c.Key != "" {
			// The same charge means as many draws of the same claim.
			c.Request = sha256.Sum256(fmt.Appendf(nil, "%v %d", p.Claim(), p.Draws()))
		}
		_, err = l.Charge(ctx, c)
		return err
	}
}

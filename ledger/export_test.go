package ledger

import "context"

// earlierGrant makes an account of any name, as version 0.2.0 did.
type earlierGrant struct{ grantOp }

func (o *earlierGrant) apply(p *page) error {
	if name := o.grant.Account; p.accounts[name] == nil {
		p.accounts[name] = &Account{Name: name, Basis: o.grant.Basis}
	}
	return o.grantOp.apply(p)
}

// GrantAsEarlier grants a budget as a version did that took every name.
func GrantAsEarlier(ctx context.Context, l *Ledger, g Grant) error {
	return l.submit(ctx, &earlierGrant{grantOp{grant: g}})
}

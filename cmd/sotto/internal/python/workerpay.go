package python

import (
	"context"
	"encoding/json"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/worker"
)

// count reads texts and notes what drawing for them will cost.
func (s *session) count(ctx context.Context, r worker.Request, payload []byte) (none worker.Reply, err error) {
	if s.payer == nil {
		return none, cli.WrongUsage("", "this session has no account")
	}
	texts, d, err := s.begin(r, payload)
	if err != nil {
		return none, err
	}
	_, counts, err := s.read(ctx, texts, d)
	if err == nil {
		s.bill.Count(d.Call, int64(counts.Draws))
	}
	return none, err
}

// pay charges the account for the texts of a call that were counted.
func (s *session) pay(ctx context.Context, r worker.Request) (none worker.Reply, err error) {
	var d drawing
	switch {
	case s.payer == nil:
		return none, cli.WrongUsage("", "this session has no account")
	case json.Unmarshal(r.Options, &d) != nil:
		return none, cli.WrongUsage("", "worker: the options of %s are malformed", r.Op)
	}
	return none, s.bill.Pay(d.Call, func(draws int64) error { return s.payer.ChargeFor(ctx, draws) })
}

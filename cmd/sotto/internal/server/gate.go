package server

import (
	"log/slog"
	"net/http"
	"sync/atomic"

	"github.com/sotto-dp/sotto/privacy"
)

// gate lets requests in.
type gate struct {
	limits  Limits
	log     *slog.Logger
	metrics *metrics
	keys    atomic.Pointer[Keys] // nil: no authentication
	room    *room                // for requests in progress
}

// newGate returns the gate of a server. Without keys it lets in only what can come from this machine.
func newGate(limits Limits, keys *Keys, log *slog.Logger, m *metrics) *gate {
	g := &gate{limits: limits, log: log, metrics: m, room: newRoom(limits.Requests, limits.Memory)}
	g.keys.Store(keys)
	return g
}

// keyed reports whether requests need a key.
func (g *gate) keyed() bool { return g.keys.Load() != nil }

// setKeys replaces the accepted keys and logs the names of those that change. A key that is
// revoked or no longer in the list stops working with the next request; with an empty list
// the server refuses everybody. Authentication cannot be switched on or off.
func (g *gate) setKeys(keys *Keys) error {
	before := g.keys.Load()
	if keys == nil || before == nil {
		return privacy.Bad("serve", "keys", nil, "given at start and at every reload, or never")
	}
	g.keys.Store(keys)
	for _, name := range before.without(keys) {
		g.log.Info("key no longer accepted", "key", name)
	}
	for _, name := range keys.without(before) {
		g.log.Info("key accepted", "key", name)
	}
	return nil
}

// admit reserves the first memory of a request, waits for its body if it has one, and only
// then takes a place for it: a client that sends headers alone holds no place. If there is
// no room it fails at once. release gives back everything that the request holds.
func (g *gate) admit(e *exchange, r *http.Request, body bool) (release func(), err error) {
	keys := g.keys.Load()
	e.stay = g.room.enter(e.key.name, keys == nil || keys.Len() == 1)
	if err = e.reserve(requestMemory); err == nil && body {
		err = g.receive(e, r)
	}
	if err == nil {
		err = e.stay.take(1, 0)
	}
	if err != nil {
		e.stay.leave()
		return nil, err
	}
	done := working(r.Context())
	return func() {
		done()
		e.stay.leave()
	}, nil
}

// reserved returns how much memory requests hold.
func (g *gate) reserved() int64 {
	g.room.mu.Lock()
	defer g.room.mu.Unlock()
	return g.limits.Memory - g.room.free.memory
}

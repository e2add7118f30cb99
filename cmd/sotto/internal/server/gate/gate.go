// Package gate lets requests in, and says how much all of them may hold and compute: connections, keys and what
// they permit, a place and memory for each request, turns for long work, the log and the metrics. It knows the routes
// that it is given, and neither mechanisms nor texts.
package gate

import (
	"log/slog"
	"net/http"
	"sync/atomic"

	"github.com/sotto-dp/sotto/privacy"
)

// Gate lets requests in.
type Gate struct {
	Limits  Limits
	log     *slog.Logger
	metrics *Metrics
	keys    atomic.Pointer[Keys] // nil: no authentication
	room    *room                // for requests in progress
}

// New returns the gate of a server. Without keys it lets in only what can come from this machine.
func New(limits Limits, keys *Keys, log *slog.Logger, m *Metrics) *Gate {
	g := &Gate{Limits: limits, log: log, metrics: m, room: newRoom(limits.Requests, limits.Memory)}
	g.keys.Store(keys)
	return g
}

// Keyed reports whether requests need a key.
func (g *Gate) Keyed() bool { return g.keys.Load() != nil }

// SetKeys replaces the accepted keys and logs the names of those that change. A key that is
// revoked or no longer in the list stops working with the next request; with an empty list
// the server refuses everybody. Authentication cannot be switched on or off.
func (g *Gate) SetKeys(keys *Keys) error {
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
func (g *Gate) admit(e *Exchange, r *http.Request, body bool) (release func(), err error) {
	keys := g.keys.Load()
	e.stay = g.room.enter(e.Key.name, keys == nil || keys.Len() == 1)
	if err = e.Reserve(requestMemory); err == nil && body {
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

// Reserved returns how much memory requests hold.
func (g *Gate) Reserved() int64 {
	g.room.mu.Lock()
	defer g.room.mu.Unlock()
	return g.Limits.Memory - g.room.free.memory
}

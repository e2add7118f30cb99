// Package gate lets requests in, and says how much all of them may hold and compute: connections, keys and what
// they permit, a place and memory for each request, turns for long work, the log and the metrics. It knows the routes
// that it is given, and neither mechanisms nor texts.
package gate

import (
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/wire"
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
		return privacy.Wrong("serve", "keys", "authentication is not switched on or off while the server runs", "give keys at start and at every reload, or never")
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

// authenticate returns the key that a request presents. Without keys it accepts only
// requests that can come from this machine. A revoked key gets the answer of an unknown
// one, and the log has its name.
func (g *Gate) authenticate(r *http.Request, e *Exchange) (*Key, error) {
	keys := g.keys.Load()
	if keys == nil {
		if err := direct(r); err != nil {
			return nil, err
		}
		return everyone, nil
	}
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if strings.EqualFold(scheme, "bearer") {
		k := keys.find(strings.TrimSpace(token))
		switch {
		case k != nil && k.accepted():
			return k, nil
		case k != nil:
			e.Log(slog.String("revoked_key", k.name))
		}
	}
	return nil, wire.NewProblem(http.StatusUnauthorized, "unauthorized", "an API key is needed, as a bearer token")
}

// forwarding lists headers that proxies add, in canonical form.
var forwarding = []string{"Forwarded", "Via", "Cdn-Loop", "X-Real-Ip", "X-Client-Ip", "X-Cluster-Client-Ip", "X-Proxyuser-Ip", "True-Client-Ip",
	"X-Cloud-Trace-Context", "X-Varnish"}

// forwardingOf lists what the names of other such headers begin with: one prefix for each
// network or program, which has many headers.
var forwardingOf = []string{"X-Forwarded-", "X-Original-", "Cf-", "Cloudfront-", "X-Amz-Cf-", "X-Amzn-", "X-Azure-", "X-Arr-", "X-Appengine-", "X-Envoy-",
	"Akamai-", "X-Akamai-", "Fastly-", "Fly-", "X-Nf-", "X-Vercel-"}

// direct refuses requests that a server without keys must not answer. Its client has
// administrator rights because it is a user of this machine. A request for another host
// name comes from a page that resolves its own name to loopback. A forwarded request
// comes from anybody who can reach the proxy. nginx speaks HTTP/1.0 to its upstream by
// default and adds no header that shows it.
func direct(r *http.Request) error {
	host := r.Host
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	host = strings.Trim(host, "[]")
	if ip := net.ParseIP(host); !strings.EqualFold(host, "localhost") && (ip == nil || !ip.IsLoopback()) {
		return wire.NewProblem(http.StatusMisdirectedRequest, "wrong-host", "without API keys the server answers to loopback host names only")
	}
	forwarded := !r.ProtoAtLeast(1, 1)
	for _, name := range forwarding {
		_, there := r.Header[name]
		forwarded = forwarded || there
	}
	for name := range r.Header {
		forwarded = forwarded || slices.ContainsFunc(forwardingOf, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
	}
	if forwarded {
		return wire.NewProblem(http.StatusForbidden, "forwarded", "the request came through a proxy; without API keys every client of the proxy would be an administrator: start the server with keys")
	}
	return nil
}

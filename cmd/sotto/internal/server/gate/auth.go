package gate

import (
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strings"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/wire"
)

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

package gate

import (
	"context"
	"net"
	"net/http"
	"sync"
)

// connections is a listener that holds a bounded number of open connections. To accept
// one more it closes an idle one: of the peer with the most idle connections, the least
// recently used. So idle connections, and clients that send headers slowly or read
// answers slowly, block nobody. The new connection waits only if every open one has a
// request in progress, and [Limits.Requests] allows fewer of those.
type connections struct {
	net.Listener
	most int

	mu      sync.Mutex
	changed *sync.Cond // signalled when a connection closes or becomes idle
	open    map[*connection]struct{}
	clock   uint64 // counts changes
	closed  bool
}

type connection struct {
	net.Conn
	of      *connections
	peer    string
	working int    // requests in progress
	since   uint64 // the clock when it was last opened or used
}

func Bound(l net.Listener, most int) *connections {
	c := &connections{Listener: l, most: most, open: map[*connection]struct{}{}}
	c.changed = sync.NewCond(&c.mu)
	return c
}

// Accept returns a connection once there is room for it.
func (l *connections) Accept() (net.Conn, error) {
	raw, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	c := &connection{Conn: raw, of: l, peer: peerOf(raw.RemoteAddr())}
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.open) >= l.most && !l.closed {
		if victim := l.unused(); victim != nil {
			delete(l.open, victim)
			_ = victim.Conn.Close()
			continue
		}
		l.changed.Wait()
	}
	if l.closed {
		_ = raw.Close()
		return nil, net.ErrClosed
	}
	l.touch(c)
	l.open[c] = struct{}{}
	return c, nil
}

// unused returns the connection to close for a new one, nil if none is idle. The caller
// holds the lock.
func (l *connections) unused() (victim *connection) {
	of := map[string]int{}
	for c := range l.open {
		if c.working == 0 {
			of[c.peer]++
		}
	}
	for c := range l.open {
		if c.working > 0 {
			continue
		}
		if victim == nil || of[c.peer] > of[victim.peer] || of[c.peer] == of[victim.peer] && c.since < victim.since {
			victim = c
		}
	}
	return victim
}

func (l *connections) touch(c *connection) {
	l.clock++
	c.since = l.clock
}

// Close stops accepting; open connections stay open.
func (l *connections) Close() error {
	l.mu.Lock()
	l.closed = true
	l.mu.Unlock()
	l.changed.Broadcast()
	return l.Listener.Close()
}

// Close closes the connection, which makes room for another.
func (c *connection) Close() error {
	c.of.mu.Lock()
	delete(c.of.open, c)
	c.of.mu.Unlock()
	c.of.changed.Broadcast()
	return c.Conn.Close()
}

// Used is http.Server's ConnState callback. It makes a connection with activity the most
// recently used.
func (l *connections) Used(c net.Conn, _ http.ConnState) {
	if c := connectionOf(c); c != nil {
		l.mu.Lock()
		l.touch(c)
		l.mu.Unlock()
	}
}

type connectionKey struct{}

// Context is http.Server's ConnContext callback.
func (l *connections) Context(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connectionKey{}, connectionOf(c))
}

// working protects the connection of a request from being closed until done is called. A
// request without a connection, as in tests of the handler, needs no protection.
func working(ctx context.Context) (done func()) {
	c, _ := ctx.Value(connectionKey{}).(*connection)
	if c == nil {
		return func() {}
	}
	c.count(1)
	return func() { c.count(-1) }
}

func (c *connection) count(change int) {
	c.of.mu.Lock()
	c.working += change
	c.of.touch(c)
	c.of.mu.Unlock()
	c.of.changed.Broadcast()
}

// connectionOf returns the connection that Accept returned, below TLS too.
func connectionOf(c net.Conn) *connection {
	if t, ok := c.(interface{ NetConn() net.Conn }); ok {
		c = t.NetConn()
	}
	own, _ := c.(*connection)
	return own
}

// peerOf returns the address without the port.
func peerOf(a net.Addr) string {
	host, _, err := net.SplitHostPort(a.String())
	if err != nil {
		return a.String()
	}
	return host
}

package gate

import (
	"net"
	"testing"
)

// queue is a listener that accepts connections from several peers.
type queue struct{ waiting chan net.Conn }

func (q *queue) Accept() (net.Conn, error) {
	c, ok := <-q.waiting
	if !ok {
		return nil, net.ErrClosed
	}
	return c, nil
}
func (q *queue) Close() error   { close(q.waiting); return nil }
func (q *queue) Addr() net.Addr { return &net.TCPAddr{} }

type from struct {
	net.Conn
	peer   string
	closed bool
}

func (c *from) RemoteAddr() net.Addr { return &net.TCPAddr{IP: net.ParseIP(c.peer), Port: 1} }
func (c *from) Close() error         { c.closed = true; return nil }

func TestConnectionsCloseTheOldestOfThePeerWithTheMost(t *testing.T) {
	q := &queue{waiting: make(chan net.Conn, 1)}
	l := Bound(q, 4)
	accept := func(peer string) (*from, *connection) {
		t.Helper()
		c := &from{peer: peer}
		q.waiting <- c
		got, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		return c, got.(*connection)
	}
	quiet, _ := accept("192.0.2.1") // the oldest, but the only one of its peer
	first, held := accept("192.0.2.2")
	second, _ := accept("192.0.2.2")
	third, used := accept("192.0.2.2")
	held.count(1)
	fourth, _ := accept("192.0.2.3")
	if !second.closed || quiet.closed || first.closed || third.closed {
		t.Errorf("closed: %v %v %v %v, want the third alone", quiet.closed, first.closed, second.closed, third.closed)
	}
	l.Used(used, 0)
	if _, _ = accept("192.0.2.3"); !quiet.closed || first.closed {
		t.Error("of peers with one unused connection each the oldest stays")
	}
	held.count(-1)
	if _, _ = accept("192.0.2.4"); first.closed || third.closed || !fourth.closed {
		t.Error("what was used last was closed")
	}
	if len(l.open) != 4 {
		t.Errorf("%d are open", len(l.open))
	}
}

func TestConnectionsInUseLetANewOneWait(t *testing.T) {
	q := &queue{waiting: make(chan net.Conn, 2)}
	l := Bound(q, 1)
	q.waiting <- &from{peer: "192.0.2.1"}
	only, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	only.(*connection).count(1)
	q.waiting <- &from{peer: "192.0.2.2"}
	accepted := make(chan error)
	go func() {
		_, err := l.Accept()
		accepted <- err
	}()
	only.(*connection).count(-1)
	if err := <-accepted; err != nil {
		t.Error(err)
	}
	if !only.(*connection).Conn.(*from).closed {
		t.Error("two are open")
	}
	// A connection that waits when the listener closes is refused.
	for c := range l.open {
		c.count(1)
	}
	late := &from{peer: "192.0.2.3"}
	q.waiting <- late
	go func() {
		_, err := l.Accept()
		accepted <- err
	}()
	_ = l.Close()
	if err := <-accepted; err == nil || !late.closed {
		t.Errorf("after the end a connection is accepted (%v)", err)
	}
}

package server

import (
	"time"

	"github.com/sotto-dp/sotto/privacy"
)

// Limits bound what one client, or all together, can make the server hold or
// do. A zero field takes its default, in brackets.
type Limits struct {
	Body        int64 // bytes of one request's body (1 MiB)
	BodiesTotal int64 // bytes of all bodies at work (64 MiB)
	Headers     int   // bytes of one request's headers (16 KiB)
	Text        int   // bytes of one text (256 KiB); a longer one is an error of its item
	Texts       int   // texts of one request (10,000)
	Requests    int   // requests at work; more are answered 429 (256)
	Connections int   // open connections; beyond it the longest unused ones are closed (1,024)
	Mechanisms  int   // opened mechanisms kept (64)
	Openings    int   // mechanisms opened at once (1)

	OpenWait   time.Duration // how long a request waits for its mechanism (10 s)
	HeaderTime time.Duration // to send the headers (5 s)
	BodyTime   time.Duration // to send headers and body (30 s)
	WriteTime  time.Duration // to work and to take the answer (60 s)
	IdleTime   time.Duration // between requests of a connection (60 s)
	StopTime   time.Duration // to finish what is under way at the end (60 s)
}

func (l Limits) resolve() (Limits, error) {
	whole := func(v *int, name string, fallback int) error {
		if *v < 0 {
			return privacy.Bad("serve", name, *v, "1 or more")
		}
		if *v == 0 {
			*v = fallback
		}
		return nil
	}
	length := func(v *time.Duration, name string, fallback time.Duration) error {
		if *v < 0 {
			return privacy.Bad("serve", name, *v, "positive")
		}
		if *v == 0 {
			*v = fallback
		}
		return nil
	}
	if l.Body == 0 {
		l.Body = 1 << 20
	}
	if l.BodiesTotal == 0 {
		l.BodiesTotal = max(64<<20, 4*l.Body)
	}
	for _, err := range []error{
		whole(&l.Headers, "header bytes", 16<<10), whole(&l.Text, "text bytes", 256<<10), whole(&l.Texts, "texts", 10000),
		whole(&l.Requests, "requests", 256), whole(&l.Connections, "connections", 1024),
		whole(&l.Mechanisms, "mechanisms", 64), whole(&l.Openings, "openings", 1),
		length(&l.OpenWait, "opening time", 10*time.Second), length(&l.HeaderTime, "header time", 5*time.Second),
		length(&l.BodyTime, "body time", 30*time.Second), length(&l.WriteTime, "write time", time.Minute),
		length(&l.IdleTime, "idle time", time.Minute), length(&l.StopTime, "stop time", time.Minute),
	} {
		if err != nil {
			return l, err
		}
	}
	if l.Body < 0 || l.Body > l.BodiesTotal {
		return l, privacy.Bad("serve", "body bytes", l.Body, "positive, and no more than all bodies together may have")
	}
	return l, nil
}

// admit takes a place for a request and its body, or answers at once that there
// is none; release gives both back.
func (s *Server) admit(size int64) (release func(), err error) {
	if size < 0 || size > s.limits.Body { // not announced; or too large, which reading finds
		size = s.limits.Body
	}
	select {
	case s.requests <- struct{}{}:
	default:
		return nil, busy("too-many-requests", "the server is at its limit of requests")
	}
	if !s.bytes.TryAcquire(size) {
		<-s.requests
		return nil, busy("too-many-requests", "the server is at its limit of request bytes")
	}
	return func() {
		s.bytes.Release(size)
		<-s.requests
	}, nil
}

// explainPlace waits for one of few places.
func (s *Server) explainPlace(done <-chan struct{}) (release func(), ok bool) {
	select {
	case s.explaining <- struct{}{}:
		return func() { <-s.explaining }, true
	case <-done:
		return nil, false
	}
}

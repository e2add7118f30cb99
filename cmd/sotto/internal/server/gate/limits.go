package gate

import (
	"fmt"
	"time"

	"github.com/sotto-dp/sotto/privacy"
)

// Limits bound what one client, or all clients together, can make the server hold or
// compute. A zero field takes its default, in brackets.
type Limits struct {
	Body        int64 // bytes of one request's body (1 MiB)
	Memory      int64 // bytes that all requests in progress may hold together; more get 429 (256 MiB)
	Headers     int   // bytes of one request's headers (16 KiB)
	Text        int   // bytes of one text (256 KiB); a longer one is an error of its item, unless its length is protected
	Texts       int   // texts of one request (10,000)
	Tokens      int   // tokens of one request (250,000); more get 413
	Products    int64 // component products to compare one request's texts with a corpus (5e11, ten seconds of one core); more get 413
	Requests    int   // requests being worked on; more get 429 (256)
	Connections int   // open connections; beyond it the least recently used idle ones are closed (1,024)
	Mechanisms  int   // mechanisms kept open, about 30 MB each (16)
	Openings    int   // mechanisms opened at once (1)

	OpenWait   time.Duration // how long a request waits for its mechanism (10 s)
	HeaderTime time.Duration // to send the headers (5 s)
	BodyTime   time.Duration // to send headers and body (30 s)
	WriteTime  time.Duration // from the headers to the end of the answer (60 s, and 30 s more than BodyTime)
	IdleTime   time.Duration // between requests of a connection (60 s)
	StopTime   time.Duration // to finish requests in progress at shutdown (60 s)
}

// WorkTime returns the time from the headers of a request until it must be answered: a
// sixth of WriteTime is left to send the answer.
func (l Limits) WorkTime() time.Duration { return l.WriteTime - l.WriteTime/6 }

func (l Limits) Resolve() (Limits, error) {
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
	if l.Products == 0 {
		l.Products = 5e11
	}
	if l.Memory == 0 {
		l.Memory = max(256<<20, 4*(requestMemory+bodyMemory*l.Body))
	}
	for _, err := range []error{
		whole(&l.Headers, "header bytes", 16<<10), whole(&l.Text, "text bytes", 256<<10), whole(&l.Texts, "texts", 10000), whole(&l.Tokens, "tokens", 250000),
		whole(&l.Requests, "requests", 256), whole(&l.Connections, "connections", 1024),
		whole(&l.Mechanisms, "mechanisms", 16), whole(&l.Openings, "openings", 1),
		length(&l.OpenWait, "opening time", 10*time.Second), length(&l.HeaderTime, "header time", 5*time.Second),
		length(&l.BodyTime, "body time", 30*time.Second), length(&l.WriteTime, "write time", max(time.Minute, l.BodyTime+30*time.Second)),
		length(&l.IdleTime, "idle time", time.Minute), length(&l.StopTime, "stop time", time.Minute),
	} {
		if err != nil {
			return l, err
		}
	}
	if l.Products < 0 {
		return l, privacy.Bad("serve", "products", l.Products, "1 or more")
	}
	if l.Body < 0 || l.Body > 1<<40 {
		return l, privacy.Bad("serve", "body bytes", l.Body, "positive")
	}
	if least := requestMemory + bodyMemory*l.Body; l.Memory < least {
		return l, privacy.Bad("serve", "memory", l.Memory, fmt.Sprintf("at least %d bytes, enough for one body of the largest size", least))
	}
	return l, nil
}

package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// epsilon of every token; a float64 holds it as a little less, which is charged
// rounded up.
const epsilon = 0.7

// asked is one request of a client with its key.
type asked struct {
	account, body string
	key           string // empty: it cannot be retried
	came          string // the received answer, complete or cut
	whole         bool   // came is the answer
	refused       bool   // budget exhausted: nothing is charged
}

// crowd is the clients and everything they know.
type crowd struct {
	mu       sync.Mutex
	keyed    []*asked // all requests ever sent under a key
	unkeyed  []*asked
	again    []*asked // to be sent again
	asked    int64    // names new requests
	answered int64    // whole answers
	cut      int64    // requests that a kill interrupted
	replayed int64    // answers that the service says it gave before
	same     int64    // answers compared with what came before
}

// next returns a request to ask again, or a new one.
func (c *crowd) next(renew bool) *asked {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n := len(c.again); n > 0 {
		a := c.again[n-1]
		c.again = c.again[:n-1]
		return a
	}
	if !renew {
		return nil
	}
	c.asked++
	a := &asked{account: accounts[c.asked%int64(len(accounts))].name}
	text := strings.Repeat("my doctor said that the food was good ", int(c.asked%4)+1)
	body, err := json.Marshal(map[string]any{"texts": []string{text, "yes"}, "epsilon": epsilon, "account": a.account})
	if err != nil {
		panic(err) // strings and a number
	}
	a.body = string(body)
	if c.asked%8 == 0 {
		c.unkeyed = append(c.unkeyed, a)
		return a
	}
	a.key = rand.Text()
	c.keyed = append(c.keyed, a)
	return a
}

// ask lets clients send requests to a service until it is killed, a while after
// its first answer. A while of 0 ends when nothing is left to retry. Requests
// that this service answered, or did not, are retried on the next.
func (c *crowd) ask(ctx context.Context, s *service, clients int, while time.Duration) error {
	defer s.kill()
	defer s.client.CloseIdleConnections()
	var first sync.Once
	var wait sync.WaitGroup
	errs := make(chan error, clients)
	var failed atomic.Bool
	var round []*asked
	for range clients {
		wait.Go(func() {
			for !s.killed.Load() && !failed.Load() {
				a := c.next(while > 0)
				if a == nil {
					return
				}
				known := a.whole // it was sent again; that suffices until the end
				if err := c.one(ctx, s, a); err != nil {
					failed.Store(true)
					errs <- err
					return
				}
				if a.key != "" && !a.refused && !known {
					c.mu.Lock()
					round = append(round, a)
					c.mu.Unlock()
				}
				if while > 0 {
					first.Do(func() { time.AfterFunc(while, s.kill) })
				}
			}
		})
	}
	wait.Wait()
	c.again = append(c.again, round...)
	close(errs)
	return <-errs
}

// one sends one request and compares the answer with earlier ones.
func (c *crowd) one(ctx context.Context, s *service, a *asked) error {
	status, replayed, got, err := s.post(ctx, a.body, a.key)
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case err != nil && !s.killed.Load():
		return fmt.Errorf("the service ended by itself: %w", err)
	case err != nil:
		c.cut++
		if status == 200 && !strings.HasPrefix(a.came, string(got)) && !strings.HasPrefix(string(got), a.came) {
			return fmt.Errorf("a cut answer is %q, before it was %q", got, a.came)
		}
		if status == 200 && len(got) > len(a.came) {
			a.came = string(got)
		}
		return nil
	case status == 403 && strings.Contains(string(got), `"budget-exhausted"`):
		if a.came != "" {
			return fmt.Errorf("a request that was answered is refused: %s", got)
		}
		a.refused = true
		return nil
	case status != 200:
		return fmt.Errorf("%d: %s", status, got)
	}
	if a.whole && (a.came != string(got) || !replayed) || !strings.HasPrefix(string(got), a.came) {
		return fmt.Errorf("a retry got %q, replayed: %t; before it was %q", got, replayed, a.came)
	}
	if a.came != "" {
		c.same++
	}
	if replayed {
		c.replayed++
	}
	if !a.whole {
		c.answered++
	}
	a.came, a.whole, a.refused = string(got), true, false
	return nil
}

// The accounts: one with budget for everything, one that the first requests of 16
// clients exhaust, one whose budget is renewed every second. No cost divides the last
// two budgets, so that the last charge that fits leaves some units.
var accounts = []struct {
	name, epsilon string
	period        time.Duration
}{{"wide", "9000000000", 0}, {"narrow", "50.000000001", 0}, {"each-second", "200.000000001", time.Second}}

package gate

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/wire"
)

func TestOpeningsAreShared(t *testing.T) {
	o := NewOpenings[*sotto.Rewriter](1, 4, time.Hour)
	var opened atomic.Int32
	var wait sync.WaitGroup
	for range 20 {
		wait.Go(func() {
			_, err := o.Get(t.Context(), "a", func(context.Context) (*sotto.Rewriter, error) {
				opened.Add(1)
				time.Sleep(20 * time.Millisecond)
				return &sotto.Rewriter{}, nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if n := opened.Load(); n != 1 {
		t.Errorf("opened %d times", n)
	}
}

func TestOpeningsAreBoundedInNumberAndTime(t *testing.T) {
	o := NewOpenings[*sotto.Rewriter](2, 4, 30*time.Millisecond)
	entered, release := make(chan struct{}, 3*mostPending), make(chan struct{})
	var mu sync.Mutex
	now, most := 0, 0
	count := func(change int) {
		mu.Lock()
		defer mu.Unlock()
		now += change
		most = max(most, now)
	}
	hold := func(context.Context) (*sotto.Rewriter, error) {
		count(1)
		entered <- struct{}{}
		<-release
		count(-1)
		return &sotto.Rewriter{}, nil
	}
	var wait sync.WaitGroup
	for i := range 3 * mostPending {
		wait.Go(func() {
			_, err := o.Get(t.Context(), fmt.Sprint(i), hold)
			w := httptest.NewRecorder()
			if p := wire.ProblemOf(err); p.Type == "opening" {
				p.Write(w, "")
			}
			if w.Header().Get("Retry-After") == "" {
				t.Errorf("got %v", err)
			}
		})
	}
	wait.Wait()
	if n := o.Len(); n > mostPending {
		t.Errorf("%d wait", n)
	}
	for range 2 {
		select {
		case <-entered:
		case <-time.After(time.Minute): // a guard: the test measures no time
			t.Fatal("fewer than two open at once")
		}
	}
	close(release)
	for end := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		o.mu.Lock()
		pending, kept := o.pending, len(o.kept)
		o.mu.Unlock()
		if pending == 0 {
			if kept > 4 || most != 2 {
				t.Errorf("%d kept, %d opened at once", kept, most)
			}
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%d still open", pending)
		}
	}
}

func TestOpeningsKeepTheLastUsedAndNoFailures(t *testing.T) {
	o := NewOpenings[*sotto.Rewriter](1, 2, time.Hour)
	opened := map[string]int{}
	get := func(key string) {
		if _, err := o.Get(t.Context(), key, func(context.Context) (*sotto.Rewriter, error) { opened[key]++; return &sotto.Rewriter{}, nil }); err != nil {
			t.Error(err)
		}
	}
	for _, key := range []string{"a", "b", "a", "c", "a", "b"} {
		get(key)
	}
	if opened["a"] != 1 || opened["b"] != 2 || opened["c"] != 1 {
		t.Errorf("opened %v", opened)
	}
	wrong := errors.New("wrong")
	for range 2 {
		_, err := o.Get(t.Context(), "x", func(context.Context) (*sotto.Rewriter, error) { opened["x"]++; return nil, wrong })
		if !errors.Is(err, wrong) {
			t.Error(err)
		}
	}
	if _, err := o.Get(t.Context(), "y", func(context.Context) (*sotto.Rewriter, error) { panic("y") }); err == nil {
		t.Error("a panic opened")
	}
	if opened["x"] != 2 {
		t.Errorf("a failure was kept: %v", opened)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	hold := make(chan struct{})
	defer close(hold)
	if _, err := o.Get(gone, "z", func(context.Context) (*sotto.Rewriter, error) { <-hold; return &sotto.Rewriter{}, nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("who left got %v", err)
	}
}

// An opening outlives the client that asked for it first, and ends with the server.
func TestOpeningsOutliveTheirClients(t *testing.T) {
	o := NewOpenings[*sotto.Rewriter](1, 2, time.Hour)
	gone, leave := context.WithCancel(t.Context())
	opening, ended := make(chan context.Context), make(chan struct{})
	go func() {
		_, _ = o.Get(gone, "a", func(ctx context.Context) (*sotto.Rewriter, error) {
			opening <- ctx
			<-ctx.Done()
			close(ended)
			return nil, ctx.Err()
		})
	}()
	ctx := <-opening
	leave()
	if ctx.Err() != nil {
		t.Error("the opening ended with its client")
	}
	o.End()
	<-ended
}

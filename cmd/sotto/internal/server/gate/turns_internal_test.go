package gate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// A key that queues many requests delays another's by the work in progress.
func TestTurnsAreTakenByKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns, order := NewTurns(1), []string{}
		leave, err := turns.Take(withKey(t.Context(), "hostile"))
		if err != nil {
			t.Fatal(err)
		}
		wait := func(key string) {
			go func() {
				leave, err := turns.Take(withKey(t.Context(), key))
				if err != nil {
					t.Error(err)
					return
				}
				order = append(order, key)
				time.Sleep(time.Second)
				leave()
			}()
			synctest.Wait()
		}
		for range 5 {
			wait("hostile")
		}
		wait("a")
		wait("b")
		wait("a")
		gone, cancel := context.WithTimeout(withKey(t.Context(), "c"), time.Millisecond)
		defer cancel()
		if _, err := turns.Take(gone); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a request whose time is up: %v", err)
		}
		leave()
		time.Sleep(time.Minute)
		synctest.Wait() // until all goroutines have ended: what they wrote may be read
		if want := []string{"a", "b", "hostile", "a", "hostile", "hostile", "hostile", "hostile"}; !slices.Equal(order, want) {
			t.Errorf("served in the order %v, want %v", order, want)
		}
		if len(turns.waiting) > 0 || len(turns.held) > 0 || turns.free != 1 {
			t.Errorf("not given back: %+v", turns)
		}
	})
}

// A key that opens one mechanism after another neither fills the queue of openings nor
// drops the mechanism of another key.
func TestOpeningsOfOneKeyLeaveRoomForOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := NewOpenings[int](1, 4, 10*time.Second)
		hostile, other := withKey(t.Context(), "hostile"), withKey(t.Context(), "other")
		slow := func(context.Context) (int, error) {
			time.Sleep(time.Second)
			return 1, nil
		}
		opened := func(ctx context.Context, what string) (fresh bool) {
			t.Helper()
			_, err := o.Get(ctx, what, func(ctx context.Context) (int, error) {
				fresh = true
				return slow(ctx)
			})
			if err != nil {
				t.Errorf("opening %s: %v", what, err)
			}
			return fresh
		}
		flood := func(from int) {
			for i := range 2 * mostPending {
				go func() { _, _ = o.Get(hostile, fmt.Sprint("hostile ", from, i), slow) }()
			}
			synctest.Wait()
		}
		flood(0)
		if began := time.Now(); !opened(other, "other") || time.Since(began) > 2*time.Second {
			t.Errorf("another key waits %v for its mechanism", time.Since(began))
		}
		time.Sleep(time.Minute)
		flood(1)
		time.Sleep(time.Minute)
		if opened(other, "other") {
			t.Error("the openings of one key dropped the mechanism of another")
		}
		if o.Len() > 4 {
			t.Errorf("%d are kept", o.Len())
		}
	})
}

package server

import (
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/gate"
)

// Every place for long work knows whose request waits for it.
func TestLongWorkWaitsUnderItsKey(t *testing.T) {
	secret, line, err := gate.NewKey("app", gate.Rewrite, []string{"alice"})
	if err != nil {
		t.Fatal(err)
	}
	keys, err := gate.ReadKeys(strings.NewReader(line))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path, body string
		places     int
		turns      func(*Server) *gate.Turns
	}{
		{"/v1/explain", `{"words":["river"],"epsilon":8}`, runtime.GOMAXPROCS(0), func(s *Server) *gate.Turns { return s.explaining }},
		{"/v1/explain", `{"words":["river"],"epsilon":7}`, 1, func(s *Server) *gate.Turns { return s.openings.Places }},
	} {
		s, err := New(Config{Keys: keys})
		if err != nil {
			t.Fatal(err)
		}
		asked, place := make(chan int, 1), c.turns(s)
		leave := func() {}
		for range c.places {
			var err error
			if leave, err = place.Take(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		go func() {
			q := httptest.NewRequest("POST", c.path, strings.NewReader(c.body))
			q.Header.Set("Content-Type", "application/json")
			q.Header.Set("Authorization", "Bearer "+secret)
			w := httptest.NewRecorder()
			s.Handler().ServeHTTP(w, q)
			asked <- w.Code
		}()
		name, waits := "", false
		for end := time.Now().Add(time.Minute); !waits && time.Now().Before(end); time.Sleep(time.Millisecond) {
			if waiting := place.Keys(); len(waiting) > 0 {
				name, waits = waiting[0], true
			}
		}
		leave()
		if code := <-asked; name != "app" || code != 200 {
			t.Errorf("%s: %q waits, and gets %d", c.path, name, code)
		}
	}
}

package samefields_test

import (
	"encoding/json"
	"testing"

	"github.com/sotto-dp/sotto/internal/altered"
	"github.com/sotto-dp/sotto/internal/samefields"
)

const document = `{"claim":{"epsilon":1.5,"delta":0,"unit":"token","distance":null},"labels":[{"names":["a","b"],"count":-3,"low":0},{"names":[],"count":1e300,"low":7}],
"digest":"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef","holds":true,"none":{},"empty":[],"big":4611686018427387905}`

// Every value that is another, is missing, or is there beside the others is found.
func TestEveryDifferenceIsFound(t *testing.T) {
	compare := func(free ...string) func(data []byte) error {
		return func(data []byte) error {
			return samefields.Compare(json.RawMessage(data), json.RawMessage(document), free...)
		}
	}
	altered.Check(t, []byte(document), 0, nil, compare())
	altered.Check(t, []byte(document), 0, nil, func(data []byte) error {
		return samefields.Exactly(json.RawMessage(document), json.RawMessage(data)) // the other way round
	})
	altered.Check(t, []byte(document), 0, []string{"labels.*.count", "claim.delta"}, compare("labels.*.count", "claim.delta"))
	for _, d := range altered.Each([]byte(document)) {
		if err := compare("claim", "labels", "digest", "holds", "none", "empty", "big")(d.Data); err != nil {
			t.Errorf("%s is free, and compared: %v", d.Path, err)
		}
	}
}

// Only the last places of numbers that are not whole may differ, and not in Exactly.
func TestLastPlacesMayDiffer(t *testing.T) {
	for _, c := range []struct {
		a, b       float64
		near, same bool
	}{{0.1, 0.1 * (1 + 1e-12), true, false}, {0.1, 0.1 * (1 + 1e-10), false, false}, {0, 1e-300, false, false}, {3, 3, true, true}, {0, -1e-9, false, false}} {
		if near := samefields.Compare(c.a, c.b) == nil; near != c.near {
			t.Errorf("%v and %v: near is %v", c.a, c.b, near)
		}
		if same := samefields.Exactly(c.a, c.b) == nil; same != c.same {
			t.Errorf("%v and %v: same is %v", c.a, c.b, same)
		}
	}
}

func TestDifferencesAreNamed(t *testing.T) {
	for _, c := range [][3]string{
		{`{"claim":{"epsilon":1},"a":1}`, `{"claim":{"epsilon":2},"a":2}`, "its claim.epsilon is not the one recomputed"},
		{`{"a":[1,2]}`, `{"a":[1,3]}`, "its a.1 is not the one recomputed"},
		{`{}`, `{"a":1}`, "it lacks a"},
		{`{"a":1}`, `{}`, "its a is not the one recomputed"},
	} {
		if err := samefields.Compare(json.RawMessage(c[0]), json.RawMessage(c[1])); err == nil || err.Error() != c[2] {
			t.Errorf("%s for %s: %v", c[0], c[1], err)
		}
	}
}

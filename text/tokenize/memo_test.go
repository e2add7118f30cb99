package tokenize

import (
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"pgregory.net/rapid"
)

func TestKeysHoldTokens(t *testing.T) {
	check := func(t interface{ Fatalf(string, ...any) }, token []byte) {
		k, ok := keyOf(token)
		if held := len(token) <= shortToken && token[len(token)-1] != 0; ok != held {
			t.Fatalf("a key holds %q: %t", token, ok)
		}
		if got := k.append(nil); ok && !slices.Equal(got, token) {
			t.Fatalf("the key of %q holds %q", token, got)
		}
	}
	for _, token := range []string{"a", "a\x00", "\x00a", "\x00", "twelve bytes", "twelve bytes\x00", "thirteen byte", "eleven byte\x00"} {
		check(t, []byte(token))
	}
	rapid.Check(t, func(t *rapid.T) {
		check(t, rapid.SliceOfN(rapid.Byte(), 1, shortToken+1).Draw(t, "token"))
	})
}

// Goroutines that share a memo find what any of them put, or nothing yet, on all its
// levels. Once it is full it stays as it is.
func TestMemoReturnsWhatWasPut(t *testing.T) {
	m := newMemo()
	entries := func(i int) (ids []embedding.ID) {
		for j := range i % 3 {
			ids = append(ids, embedding.ID(i+j))
		}
		return ids
	}
	holds := func(i int, v value) bool {
		if want := entries(i); len(want) == 1 {
			return v == value(want[0])+1
		} else {
			return v > several && slices.Equal(m.list(v), want)
		}
	}
	keyOfNumber := func(i int) key {
		k, _ := keyOf(strconv.AppendInt([]byte("memo-"), int64(100_000+i), 10)) // both parts of a key differ
		return k
	}
	const tokens = 170_000
	var wait sync.WaitGroup
	for worker := range 4 {
		wait.Go(func() {
			for i := range tokens {
				i = (i + worker*100) % tokens
				k := keyOfNumber(i)
				if v := m.get(k); v == 0 {
					m.put(k, entries(i))
				} else if !holds(i, v) {
					t.Errorf("%d has %x", i, v)
					return
				}
			}
		})
	}
	wait.Wait()
	found, last := 0, m.last
	for i := range tokens {
		if v := m.get(keyOfNumber(i)); v != 0 {
			found++
			if !holds(i, v) {
				t.Fatalf("%d has %x", i, v)
			}
		}
	}
	room := 0
	for l := m.first; l != nil; l = l.next.Load() {
		room += len(l.slots) / 2
	}
	if m.depth != levels || found != room || last.next.Load() != nil {
		t.Errorf("%d tokens are found on %d levels with room for %d", found, m.depth, room)
	}
}

func TestMemoDoesNotHoldEntriesBeyondItsValues(t *testing.T) {
	m := newMemo()
	k, _ := keyOf([]byte("the"))
	m.put(k, []embedding.ID{1<<31 - 1})
	if v := m.get(k); v != 0 {
		t.Errorf("an entry of 31 bits is %x", v)
	}
	m.put(k, []embedding.ID{1<<31 - 2})
	if v := m.get(k); v != 1<<31-1 {
		t.Errorf("an entry is %x", v)
	}
}

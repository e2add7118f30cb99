package noise

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Streams under a key repeat, and those of other keys, fields or numbers are others.
func TestKeyedStreamsRepeatAndNeverMeet(t *testing.T) {
	secret := func() Key { return NewKey(slices.Repeat([]byte{7}, 32)) }
	first := func(k Key, stream uint64) (out [4]uint64) {
		src := k.Source(stream)
		for i := range out {
			out[i] = src.Uint64()
		}
		return out
	}
	one, again := secret().Derive([]byte("a")), secret().Derive([]byte("a"))
	if first(one, 3) != first(again, 3) {
		t.Error("a stream does not repeat")
	}
	keys := []Key{
		secret(), NewKey(slices.Repeat([]byte{8}, 32)), secret().Derive(), secret().Derive(nil), secret().Derive(nil, nil),
		secret().Derive([]byte("ab")), secret().Derive([]byte("a"), []byte("b")), secret().Derive([]byte("b"), []byte("a")),
		secret().Derive([]byte("a")).Derive([]byte("b")), secret().Derive([]byte("a\x00b")), secret().Derive([]byte("name")), secret().Derive([]byte("source")),
	}
	streams, names := map[[4]uint64]string{}, map[string]int{}
	for i, k := range keys {
		for stream := range uint64(4) {
			of := fmt.Sprintf("key %d, stream %d", i, stream)
			numbers := first(k, stream)
			if other, ok := streams[numbers]; ok {
				t.Errorf("%s is %s", of, other)
			}
			streams[numbers] = of
		}
		if other, ok := names[k.Name()]; ok {
			t.Errorf("keys %d and %d have one name", i, other)
		}
		names[k.Name()] = i
	}
}

// What is printed of two keys is the same.
func TestKeyIsNotPrinted(t *testing.T) {
	printed := func(verb string, k Key) string {
		return fmt.Sprintf(strings.Repeat("%"+verb+"\n", 4), k, &k, struct{ K Key }{k}, []Key{k})
	}
	for _, verb := range strings.Split("v +v #v s q d b o x X c U e f g t", " ") {
		one, other := printed(verb, NewKey(slices.Repeat([]byte{7}, 32))), printed(verb, NewKey(slices.Repeat([]byte{8}, 32)))
		if one != other || !strings.HasPrefix(one, "noise.Key\nnoise.Key\n") {
			t.Errorf("%%%s prints %s and %s", verb, one, other)
		}
	}
}

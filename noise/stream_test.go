package noise

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/sotto-dp/sotto/internal/simd/simdtest"
)

// With a kernel and without, a seeded source returns the numbers of math/rand/v2: 1,000 of
// them need nine keys.
func TestStreamsAreThoseOfChaCha8(t *testing.T) {
	simdtest.Each(t, func(t *testing.T) {
		for seed := range uint64(10) {
			var key [32]byte
			copy(key[:], "sotto insecure")
			binary.LittleEndian.PutUint64(key[16:], seed)
			binary.LittleEndian.PutUint64(key[24:], 3)
			want, src := rand.NewChaCha8(key), Seeded(seed, 3)
			for i := range 1000 {
				if got, want := src.Uint64(), want.Uint64(); got != want {
					t.Fatalf("seed %d: number %d is %x, want %x", seed, i, got, want)
				}
			}
		}
	})
}

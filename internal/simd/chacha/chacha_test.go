package chacha

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/sotto-dp/sotto/internal/simd/simdtest"
)

// Blocks are those of math/rand/v2, key after key: the last four words of a key's blocks
// are the next key.
func TestKernelsEqualTheirSpecification(t *testing.T) {
	simdtest.Each(t, func(t *testing.T) {
		for seed := range byte(20) {
			var bytes [32]byte
			for i := range bytes {
				bytes[i] = seed*byte(37*i+1) + byte(i)
			}
			want, key := rand.NewChaCha8(bytes), [4]uint64{}
			for i := range key {
				key[i] = binary.LittleEndian.Uint64(bytes[8*i:])
			}
			for range 3 {
				var got, plain [Words]uint64
				Fill(&got, &key)
				fillGo(&plain, &key)
				if got != plain {
					t.Fatalf("seed %d: the blocks differ from those of fillGo", seed)
				}
				for i, v := range got[:Words-4] {
					if want := want.Uint64(); v != want {
						t.Fatalf("seed %d: word %d is %x, math/rand/v2 has %x", seed, i, v, want)
					}
				}
				key = [4]uint64(got[Words-4:])
			}
		}
	})
}

func BenchmarkFill(b *testing.B) {
	var dst [Words]uint64
	b.SetBytes(8 * Words)
	for _, l := range simdtest.Levels() {
		b.Run(l.String(), func(b *testing.B) {
			simdtest.At(b, l)
			b.SetBytes(8 * Words)
			for b.Loop() {
				Fill(&dst, (*[4]uint64)(dst[Words-4:]))
			}
		})
	}
}

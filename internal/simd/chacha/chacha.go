// Package chacha computes the blocks of ChaCha8 from which chacha8rand
// (https://c2sp.org/chacha8rand) takes its numbers, all of a key at once. Package
// math/rand/v2 computes four at a time.
package chacha

// Words is the number of 64-bit words that a key gives.
const Words = 128

// Fill writes the 16 blocks of a key, with counters from 0: for each four blocks, the
// first 32 bits of each, then the next 32 bits of each, and so on.
func Fill(dst *[Words]uint64, key *[4]uint64) {
	if !fill(dst, key) {
		fillGo(dst, key)
	}
}

// fillGo is Fill.
func fillGo(dst *[Words]uint64, key *[4]uint64) {
	for block := range 16 {
		b := [16]uint32{0x61707865, 0x3320646e, 0x79622d32, 0x6b206574, 12: uint32(block)}
		for i := range 8 {
			b[4+i] = half(key, i)
		}
		for range 4 {
			for q := range 4 {
				quarter(&b[q], &b[4+q], &b[8+q], &b[12+q])
			}
			for q := range 4 {
				quarter(&b[q], &b[4+(q+1)%4], &b[8+(q+2)%4], &b[12+(q+3)%4])
			}
		}
		// Only the key is added again: the other rows of the state are known.
		for i := range 8 {
			b[4+i] += half(key, i)
		}
		for i, v := range b {
			word, upper := &dst[block/4*32+2*i+block%4/2], block%2 == 1
			if upper {
				*word |= uint64(v) << 32
			} else {
				*word = uint64(v)
			}
		}
	}
}

// half returns 32 bits of a key.
func half(key *[4]uint64, i int) uint32 { return uint32(key[i/2] >> (i % 2 * 32)) }

func quarter(a, b, c, d *uint32) {
	mix := func(a, b, d *uint32, left int) {
		*a += *b
		*d ^= *a
		*d = *d<<left | *d>>(32-left)
	}
	mix(a, b, d, 16)
	mix(c, d, b, 12)
	mix(a, b, d, 8)
	mix(c, d, b, 7)
}

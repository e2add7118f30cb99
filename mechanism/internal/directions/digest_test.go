package directions

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sotto-dp/sotto/noise"
)

// The digest of directions is that of docs/reference/reports.md, computed here as the page says.
func TestDigestOfDirectionsIsThatOfThePage(t *testing.T) {
	const seed, m, d = 7, 64, 5
	var key [32]byte
	copy(key[:], "sotto insecure\x00\x00")
	binary.LittleEndian.PutUint64(key[16:], seed)
	binary.LittleEndian.PutUint64(key[24:], 1<<63)
	src := rand.NewChaCha8(key)
	var all [m][d]int8
	radius := max(127, math.Floor(32*math.Sqrt(d)))
	for i := range m / 2 {
		var v [d]float64
		square := 0.0
		for k := range v {
			v[k] = noise.Normal(src)
			square += float64(v[k] * v[k])
		}
		for k, x := range v {
			all[i][k] = int8(min(127, max(-127, math.RoundToEven(x*radius/math.Sqrt(square)))))
			all[i+m/2][k] = -all[i][k]
		}
	}
	data := binary.LittleEndian.AppendUint64(nil, m)
	data = binary.LittleEndian.AppendUint64(data, d)
	for _, direction := range all {
		for _, x := range direction {
			data = append(data, byte(x))
		}
	}
	sum := sha256.Sum256(data)
	if got := NewCodebook(d, m, seed).Digest(); got != hex.EncodeToString(sum[:]) {
		t.Errorf("the digest is %s, by the page %x", got, sum)
	}
}

// So is the digest of a map: its dimensions, the mean, the rows and the weights of words.
func TestDigestOfAMapIsThatOfThePage(t *testing.T) {
	w := &Whitening{in: 3, out: 2, mean: []float64{1, 2, 3}, rows: []float64{4, 5, 6, 7, 8, 9}, weights: []float64{0.5, 0.25}}
	w.seal()
	var data []byte
	for _, x := range []float64{3, 2, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0.5, 0.25} {
		data = binary.LittleEndian.AppendUint64(data, math.Float64bits(x))
	}
	if sum := sha256.Sum256(data); w.Digest() != hex.EncodeToString(sum[:]) {
		t.Errorf("the digest is %s, by the page %x", w.Digest(), sum)
	}
}

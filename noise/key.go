package noise

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"math/rand/v2"
)

// Key determines streams of secure random numbers that can be drawn again. Whoever has
// the key can undo the privacy of what was drawn, so it is as secret as the input. The
// same stream must never meet two inputs: derive a key from everything that the drawn
// output depends on.
type Key struct{ key [sha256.Size]byte }

// NewKey returns the key of a secret of at least 16 bytes, which must be random.
func NewKey(secret []byte) Key {
	if len(secret) < 16 {
		panic("noise: a key of fewer than 16 bytes")
	}
	return Key{sum(secret, "sotto noise key")}
}

// Derive returns the key of some fields under k: another one for any other list of fields.
func (k Key) Derive(fields ...[]byte) Key { return Key{sum(k.key[:], "derive", fields...)} }

// Name returns a name of the key, 64 hexadecimal digits. Without k it reveals nothing of
// k or of its fields.
func (k Key) Name() string {
	name := sum(k.key[:], "name")
	return hex.EncodeToString(name[:])
}

// Source returns a new source of stream number stream: ChaCha8, seeded by HMAC-SHA-256
// under k.
func (k Key) Source(stream uint64) rand.Source {
	return newStream(sum(k.key[:], "source", binary.LittleEndian.AppendUint64(nil, stream)))
}

// Format prints nothing of the key, whatever the verb, so that no log has it.
func (k Key) Format(to fmt.State, _ rune) { _, _ = io.WriteString(to, "noise.Key") }

// sum returns the HMAC-SHA-256 of what, then each field, each after its length.
func sum(key []byte, what string, fields ...[]byte) (out [sha256.Size]byte) {
	h := hmac.New(sha256.New, key)
	var length [8]byte
	for i := -1; i < len(fields); i++ {
		field := []byte(what)
		if i >= 0 {
			field = fields[i]
		}
		binary.LittleEndian.PutUint64(length[:], uint64(len(field)))
		h.Write(length[:])
		h.Write(field)
	}
	h.Sum(out[:0])
	return out
}

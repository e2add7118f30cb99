package ledger

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"fmt"

	"github.com/sotto-dp/sotto/privacy"
)

// MaxKey is the length of the longest idempotency key, in bytes.
const MaxKey = 255

// CheckKey accepts 1 to MaxKey visible ASCII characters. A refused key is not
// repeated.
func CheckKey(key string) error {
	for i := range len(key) {
		if key[i] <= ' ' || key[i] > '~' {
			return privacy.Bad("ledger", "idempotency key", nil, "1 to 255 visible ASCII characters")
		}
	}
	if key == "" || len(key) > MaxKey {
		return privacy.Bad("ledger", "idempotency key", fmt.Sprintf("%d bytes", len(key)), "1 to 255 visible ASCII characters")
	}
	return nil
}

// secret holds the values derived from an idempotency key, one-way and
// independent of each other, so the stored digest reveals nothing about the two
// keys.
type secret struct {
	id      Hash   // stored, to find the key again
	request []byte // keys the digest of the request
	answer  []byte // encrypts the answer
}

// grantsOf precedes an account's name where a key is of its grants. A charge may have the same
// key: no name has a zero byte.
const grantsOf = "grant\x00"

// derive splits an idempotency key by HKDF-SHA256 (RFC 5869), salted with the
// ledger's random name. The same key of another account or in another ledger
// gives other values.
func derive(ledger Hash, account, key string) (secret, error) {
	b, err := hkdf.Key(sha256.New, []byte(key), ledger[:], "sotto ledger key 1\x00"+account, 3*sha256.Size)
	if err != nil {
		return secret{}, fmt.Errorf("ledger: %w", err)
	}
	return secret{id: Hash(b[:32]), request: b[32:64], answer: b[64:]}, nil
}

// tag returns the keyed digest of a request: without the idempotency key nobody can
// check a guess of the request against it.
func (s secret) tag(request Hash) Hash {
	mac := hmac.New(sha256.New, s.request)
	mac.Write(request[:])
	return Hash(mac.Sum(nil))
}

// encrypt seals an answer by AES-256-GCM under a random nonce, bound to the key's digest.
func (s secret) encrypt(answer []byte) ([]byte, error) {
	aead, err := s.aead()
	if err != nil {
		return nil, err
	}
	return aead.Seal(nil, nil, answer, s.id[:]), nil
}

func (s secret) decrypt(sealed []byte) ([]byte, error) {
	aead, err := s.aead()
	if err != nil {
		return nil, err
	}
	answer, err := aead.Open([]byte{}, nil, sealed, s.id[:])
	if err != nil {
		return nil, &BrokenError{What: "a kept answer was changed"}
	}
	return answer, nil
}

func (s secret) aead() (cipher.AEAD, error) {
	block, err := aes.NewCipher(s.answer)
	if err != nil {
		return nil, fmt.Errorf("ledger: %w", err)
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		return nil, fmt.Errorf("ledger: %w", err)
	}
	return aead, nil
}

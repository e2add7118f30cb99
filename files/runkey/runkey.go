// Package runkey derives the secrets of runs that write many files.
//
// A run keeps a record beside its outputs, to resume and to recognise an input that
// has changed. The record may be published with the outputs, and a plain digest of
// an input in it would confirm a guess of the text. The digests are therefore keyed
// (HMAC-SHA256) with a secret that stays on this machine. A run draws under a key of its
// own, which is removed when the run ends.
package runkey

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
)

const size = 32 // bytes

// Secret is the secret of one run. Only the user who began the run can derive it,
// on the machine where the run began. The zero Secret is not usable.
type Secret struct{ key []byte }

// Path returns the path of the user's key: $SOTTO_HOME/run.key, or
// sotto/run.key in the user's configuration directory.
func Path() (string, error) {
	if home := os.Getenv("SOTTO_HOME"); home != "" {
		return filepath.Join(home, "run.key"), nil
	}
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", errors.New("there is no place for the key of runs: set SOTTO_HOME to a folder")
	}
	return filepath.Join(dir, "sotto", "run.key"), nil
}

// From returns the secret of a run whose name is itself secret. It needs no key.
func From(name string) Secret { return Secret{sum([]byte(name), "secret name")} }

// Check returns 16 hexadecimal digits that identify the secret without revealing it.
func (s Secret) Check() string { return hex.EncodeToString(sum(s.key, "check")[:8]) }

// Name returns a name derived from this secret, as 64 hexadecimal digits.
func (s Secret) Name(of string) string { return hex.EncodeToString(sum(s.key, "name\x00"+of)) }

// Digest returns the keyed digest of everything read from r, as 64 hexadecimal
// digits. Its errors are those of r.
func (s Secret) Digest(r io.Reader) (string, error) {
	h := sha256.New()
	if _, err := io.Copy(h, r); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum(s.key, "digest\x00"+string(h.Sum(nil)))), nil
}

func sum(key []byte, of string) []byte {
	m := hmac.New(sha256.New, key)
	m.Write([]byte(of))
	return m.Sum(nil)
}

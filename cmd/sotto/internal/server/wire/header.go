package wire

import (
	"fmt"
	"net/http"

	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/privacy"
)

// Header is a header of this interface, as OpenAPI describes it. Routes declare theirs.
// Headers that only tell browsers and caches how to treat an answer are not among them.
type Header struct {
	Name, Doc string
	Schema    map[string]any
}

var (
	KeyHeader = Header{"Idempotency-Key", "A retry under the same key gets the same answer and is charged once. Must be unguessable, such as a random UUID, and needs an account.",
		map[string]any{"type": "string", "minLength": minSecret, "maxLength": ledger.MaxKey}}
	ReplayedHeader  = Header{"Idempotent-Replayed", "Present if an earlier request under the same idempotency key was charged and this is its answer.", map[string]any{"type": "string", "enum": []string{"true"}}}
	RequestHeader   = Header{"X-Request-Id", "Identifier of the request, as in the log.", map[string]any{"type": "string", "format": "uuid"}}
	RetryHeader     = Header{"Retry-After", "Seconds to wait before a retry. Absent if waiting does not help.", map[string]any{"type": "integer", "format": "int64", "minimum": 1}}
	ChallengeHeader = Header{"WWW-Authenticate", "How to authenticate.", map[string]any{"type": "string"}}
	EntityHeader    = Header{"ETag", "Version of the file.", map[string]any{"type": "string"}}
	KnownHeader     = Header{"If-None-Match", "Versions of the file that the client has.", map[string]any{"type": "string"}}
)

// Set sets the header of an answer.
func (h Header) Set(w http.ResponseWriter, value string) { w.Header().Set(h.Name, value) }

// minSecret is the least length of an idempotency key and of a scope's name, in
// characters: 128 random bits in base64. Anyone who has the ledger's file and guesses such
// a name can test guesses of the texts.
const minSecret = 22

// CheckSecret is the one rule for idempotency keys and names of scopes. Its error does
// not repeat the value.
func CheckSecret(name, secret string) error {
	if len(secret) < minSecret || ledger.CheckKey(secret) != nil {
		return privacy.Bad("serve", name, nil, fmt.Sprintf("%d to %d visible ASCII characters that cannot be guessed, such as a random UUID", minSecret, ledger.MaxKey))
	}
	return nil
}

// IdempotencyKey returns the request's key, or "" if the header is absent. An empty
// header is an error, because its client believes that a retry is charged once.
func IdempotencyKey(h http.Header) (string, error) {
	values, given := h[KeyHeader.Name]
	if !given {
		return "", nil
	}
	if len(values) != 1 {
		return "", privacy.Wrong("serve", "idempotency key", fmt.Sprintf("there are %d", len(values)), "give one")
	}
	return values[0], CheckSecret("idempotency key", values[0])
}

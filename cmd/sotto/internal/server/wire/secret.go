package wire

import (
	"fmt"
	"net/http"

	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/privacy"
)

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

package server

import (
	"crypto/sha256"
	"crypto/subtle"
	"log/slog"
	"net/http"
	"slices"
	"strings"
)

// find returns the key that was presented. It compares every key in constant time. If
// several names have one key and one of them is revoked, the key is revoked.
func (k *Keys) find(presented string) (found *key) {
	hash := sha256.Sum256([]byte(presented))
	for i := range k.list {
		if subtle.ConstantTimeCompare(hash[:], k.list[i].hash[:]) == 1 && (found == nil || found.accepted()) {
			found = &k.list[i]
		}
	}
	if !keyShape.MatchString(presented) { // a short key could be guessed
		return nil
	}
	return found
}

// everyone is the key of all requests where no keys are configured: a user of this
// machine.
var everyone = &key{name: "-", role: Admin, accounts: []string{anyAccount}}

// authenticate returns the key that a request presents. Without keys it accepts only
// requests that can come from this machine. A revoked key gets the answer of an unknown
// one, and the log has its name.
func (s *Server) authenticate(r *http.Request, e *exchange) (*key, error) {
	keys := s.keys.Load()
	if keys == nil {
		if err := direct(r); err != nil {
			return nil, err
		}
		return everyone, nil
	}
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if strings.EqualFold(scheme, "bearer") {
		k := keys.find(strings.TrimSpace(token))
		switch {
		case k != nil && k.accepted():
			return k, nil
		case k != nil:
			e.note = append(e.note, slog.String("revoked_key", k.name))
		}
	}
	return nil, problem(http.StatusUnauthorized, "unauthorized", "an API key is needed, as a bearer token")
}

// permits reports whether a key may use an account; "" is no account.
func (k *key) permits(account string) bool {
	if k.role == Admin {
		return true
	}
	return account != "" && (slices.Contains(k.accounts, account) || slices.Contains(k.accounts, anyAccount))
}

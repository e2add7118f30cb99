package gate

import (
	"bufio"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/sotto-dp/sotto/ledger"
)

// Role says what a key may do.
type Role string

const (
	// Rewrite may rewrite on the key's accounts, read them, and explain.
	Rewrite Role = "rewrite"
	// Admin may use every account, rewrite without one, and read the metrics.
	Admin Role = "admin"
)

// Keys are API keys, accepted or revoked. Only their SHA-256 is stored. A key has 256
// random bits, so it cannot be searched for, and a slow hash would add nothing.
type Keys struct{ list []Key }

type Key struct {
	name     string
	role     Role
	Accounts []string // "*" is every account
	hash     [sha256.Size]byte
	made     time.Time // zero if the file does not say
	revoked  time.Time // zero if the key is accepted
}

func (k *Key) accepted() bool { return k.revoked.IsZero() }

// Permits reports whether a key may use an account; "" is no account.
func (k *Key) Permits(account string) bool {
	if k.role == Admin {
		return true
	}
	return account != "" && (slices.Contains(k.Accounts, account) || slices.Contains(k.Accounts, AnyAccount))
}

// everyone is the key of all requests where no keys are configured: a user of this
// machine.
var everyone = &Key{name: "-", role: Admin, Accounts: []string{AnyAccount}}

// AnyAccount in a key's list permits every account.
const AnyAccount = "*"

// Fields of a line after the first four: the name and the time that follows.
const (
	madeField    = "made="
	revokedField = "revoked="
)

var (
	keyShape = regexp.MustCompile(`^sotto_[A-Za-z0-9_-]{43}$`)
	keyName  = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$`)
)

var errKeyName = errors.New("the name of a key must have 1 to 32 letters, digits, dots, dashes or underscores")

// NewKey generates a key. It returns the secret, which is not stored, and the line for
// the key file.
func NewKey(name string, role Role, accounts []string) (secret, line string, err error) {
	if !keyName.MatchString(name) {
		return "", "", errKeyName
	}
	random := make([]byte, 32)
	_, _ = rand.Read(random) // never fails
	secret = "sotto_" + base64.RawURLEncoding.EncodeToString(random)
	if len(accounts) == 0 {
		accounts = []string{AnyAccount}
	}
	hash := sha256.Sum256([]byte(secret))
	line = fmt.Sprintf("%s %s %s %s %s", name, role, strings.Join(accounts, ","), hex.EncodeToString(hash[:]), madeField+now())
	_, err = parseKey(line)
	return secret, line, err
}

// now returns the time for a line of a key file.
func now() string { return time.Now().UTC().Format(time.RFC3339) }

// ReadKeys reads a key file. A line is a name, a role (rewrite or admin), accounts
// separated by commas (* is every account), the key's SHA-256 in hexadecimal, and
// optionally made=TIME and revoked=TIME (RFC 3339). Empty lines and lines that begin with
// # are skipped. Keys read from a file without a key accept nobody.
func ReadKeys(r io.Reader) (*Keys, error) {
	keys := &Keys{}
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		if !holdsKey(lines.Text()) {
			continue
		}
		k, err := parseKey(lines.Text())
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if slices.ContainsFunc(keys.list, func(other Key) bool { return other.name == k.name }) {
			return nil, fmt.Errorf("line %d: the name of the key is used twice", n)
		}
		keys.list = append(keys.list, k)
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	return keys, nil
}

func holdsKey(line string) bool {
	line = strings.TrimSpace(line)
	return line != "" && line[0] != '#'
}

// Len returns the number of accepted keys. With 0 keys the server refuses every request
// that needs one.
func (k *Keys) Len() (n int) {
	for i := range k.list {
		if k.list[i].accepted() {
			n++
		}
	}
	return n
}

// parseKey reads one line. Its errors do not quote the line, which might be a secret.
func parseKey(line string) (k Key, err error) {
	fields := strings.Fields(line)
	if len(fields) < 4 {
		return k, fmt.Errorf("want 4 fields: name, role, accounts, SHA-256")
	}
	k.name, k.role = fields[0], Role(fields[1])
	if !keyName.MatchString(k.name) {
		return k, errKeyName
	}
	if k.role != Rewrite && k.role != Admin {
		return k, fmt.Errorf("the role must be rewrite or admin")
	}
	k.Accounts = strings.Split(fields[2], ",")
	for _, a := range k.Accounts {
		if a != AnyAccount && ledger.CheckAccount(a) != nil {
			return k, fmt.Errorf("an account is not a valid account name")
		}
	}
	hash, err := hex.DecodeString(fields[3])
	if err != nil || len(hash) != sha256.Size {
		return k, fmt.Errorf("the SHA-256 must have 64 hexadecimal digits")
	}
	k.hash = [sha256.Size]byte(hash)
	return k, k.parseTimes(fields[4:])
}

// parseTimes reads the fields after the hash. A field that is not understood is an error:
// it may be meant to restrict the key.
func (k *Key) parseTimes(fields []string) error {
	for _, field := range fields {
		to, text := &k.made, ""
		switch {
		case strings.HasPrefix(field, madeField):
			text = field[len(madeField):]
		case strings.HasPrefix(field, revokedField):
			to, text = &k.revoked, field[len(revokedField):]
		default:
			return errors.New("after the SHA-256 only made=TIME and revoked=TIME may follow")
		}
		at, err := time.Parse(time.RFC3339, text)
		if err != nil || at.IsZero() || !to.IsZero() {
			return errors.New("made= and revoked= take one time each, such as 2026-01-31T12:00:00Z")
		}
		*to = at
	}
	return nil
}

// without returns the names of the accepted keys that others does not accept.
func (k *Keys) without(others *Keys) (names []string) {
	for i := range k.list {
		one := &k.list[i]
		same := func(other Key) bool { return other.accepted() && other.name == one.name && other.hash == one.hash }
		if one.accepted() && !slices.ContainsFunc(others.list, same) {
			names = append(names, one.name)
		}
	}
	return names
}

// KeyInfo describes a key without its hash.
type KeyInfo struct {
	Name     string     `json:"name"`
	Role     Role       `json:"role"`
	Accounts []string   `json:"accounts"` // "*" is every account
	Made     *time.Time `json:"made"`     // null if the file does not say
	Revoked  *time.Time `json:"revoked"`  // null if the key is accepted
}

// List describes the keys in the order of the file.
func (k *Keys) List() []KeyInfo {
	all := []KeyInfo{}
	for _, one := range k.list {
		info := KeyInfo{Name: one.name, Role: one.role, Accounts: one.Accounts}
		if !one.made.IsZero() {
			info.Made = &one.made
		}
		if !one.accepted() {
			info.Revoked = &one.revoked
		}
		all = append(all, info)
	}
	return all
}

// An UnknownKeyError is the error for a name that no key of a file has. It does not repeat
// the name, which might be a key pasted by mistake.
type UnknownKeyError struct{}

func (*UnknownKeyError) Error() string { return "no key of the file has this name" }

// RevokeKey returns a key file in which the named key is revoked, and leaves everything
// else in the file as it is. For a key that is revoked already it returns the file
// unchanged.
func RevokeKey(file, name string) (string, error) {
	if _, err := ReadKeys(strings.NewReader(file)); err != nil {
		return "", err
	}
	lines := strings.SplitAfter(file, "\n")
	for i, line := range lines {
		if !holdsKey(line) {
			continue
		}
		k, err := parseKey(line)
		if err != nil || k.name != name {
			continue
		}
		if k.accepted() {
			text := strings.TrimRight(line, " \t\r\n")
			lines[i] = text + " " + revokedField + now() + line[len(text):]
		}
		return strings.Join(lines, ""), nil
	}
	return "", &UnknownKeyError{}
}

// find returns the key that was presented. It compares every key in constant time. If
// several names have one key and one of them is revoked, the key is revoked.
func (k *Keys) find(presented string) (found *Key) {
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

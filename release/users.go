package release

import (
	"crypto/sha256"

	"github.com/sotto-dp/sotto/internal/username"
)

// MostPerUser bounds Needs.PerUser.
const MostPerUser = 1 << 20

// OtherUser is the user of all records without a user.
const OtherUser = username.Other

// Users counts the rows of each user in one run, over its successive streams. The first
// Needs.PerUser rows of a user are released and the others are left out. Only the
// position of a row among its user's rows matters, and a row without a text counts too.
// Users stores one number per user.
type Users struct {
	field string
	most  int
	seen  map[[16]byte]int // by hash of the name
	named bool             // one of them has another name than OtherUser
}

// admit counts a row of a user and reports whether it is released.
func (u *Users) admit(user string) bool {
	sum := sha256.Sum256([]byte(user))
	key := [16]byte(sum[:16])
	if u.seen[key] == u.most {
		return false
	}
	u.seen[key]++
	u.named = u.named || user != OtherUser
	return true
}

// Nameless reports whether rows were read and none had a user: the name of the field may be
// wrong. It is as private as the rows.
func (u *Users) Nameless() bool { return len(u.seen) > 0 && !u.named }

// Padded returns the number of texts after padding: the number of users times the largest
// number of texts released per user.
func (u *Users) Padded() int { return u.most * len(u.seen) }

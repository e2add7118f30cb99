package sotto

import (
	"crypto/sha256"
	"math"
	"math/big"

	"github.com/sotto-dp/sotto/privacy"
)

// MostPerUser bounds Config.PerUser.
const MostPerUser = 1 << 20

// OtherUser is the user of all records without a user.
const OtherUser = "other"

// Users counts the rows of each user in one run, over its successive streams. The first
// Config.PerUser rows of a user are released and the others are left out. Only the
// position of a row among its user's rows matters, and a row without a text counts too.
// Users stores one number per user.
type Users struct {
	field string
	most  int
	seen  map[[16]byte]int // by hash of the name
}

// Users returns the counter for a run. field is a column (csv, tsv) or a path (jsonl).
// Records in which it is missing, null or empty belong to one user, OtherUser. Users
// returns nil if Config.PerUser is 0.
func (r *Rewriter) Users(field string) *Users {
	p, ok := r.plan.(*retrieved)
	if !ok || p.perUser == 0 {
		return nil
	}
	return &Users{field: field, most: p.perUser, seen: map[[16]byte]int{}}
}

// admit counts a row of a user and reports whether it is released.
func (u *Users) admit(user string) bool {
	sum := sha256.Sum256([]byte(user))
	key := [16]byte(sum[:16])
	if u.seen[key] == u.most {
		return false
	}
	u.seen[key]++
	return true
}

// Padded returns the number of texts after padding: the number of users times the largest
// number of texts released per user.
func (u *Users) Padded() int { return u.most * len(u.seen) }

// share returns the largest epsilon per row such that all rows together do not exceed the
// given one.
func share(epsilon float64, rows int) float64 {
	exact := func(x float64) *big.Float { return new(big.Float).SetPrec(128).SetFloat64(x) }
	if math.IsNaN(epsilon) || math.IsInf(epsilon, 0) {
		return epsilon
	}
	e := epsilon / float64(rows)
	for exact(e).Mul(exact(e), exact(float64(rows))).Cmp(exact(epsilon)) > 0 {
		e = math.Nextafter(e, 0)
	}
	return e
}

// UserFigures are the figures of a claim per user in a statement.
type UserFigures struct {
	PerUser int `json:"per_user"` // largest number of released rows per user
	// Padded reports whether every user has exactly that many.
	Padded bool `json:"padded"`
}

var errNeedsUsers = privacy.Bad("users", "the users of the texts", nil, "given, by a stream with Users: the claim is per user")

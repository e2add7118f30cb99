package synthesis

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"slices"
)

// Counts are the exact counts of votes. They are private; Plan.Release adds noise to them.
// Counts are for one goroutine.
type Counts struct {
	plan     *Plan
	records  int64 // all that vote
	near     int64
	far      int64
	cells    [][]int64 // by clustering; label-major, Other last
	users    map[[sha256.Size]byte]*user
	many     map[*user]map[uint32]struct{} // the cells of a user beyond fewCells
	gathered bool                          // of NewUserCounts
	released bool
}

// user is what a user has voted for.
type user struct {
	rows  int
	cells []uint32 // for noise that needs one vote per cell: the first fewCells of them
}

// fewCells is the number of a user's cells that are kept in a list. Most users have
// fewer, and a list is small.
const fewCells = 64

// NewCounts returns empty counts.
func (p *Plan) NewCounts() *Counts {
	c := p.noVotes()
	if p.ByUser() {
		c.users, c.many = map[[sha256.Size]byte]*user{}, map[*user]map[uint32]struct{}{}
	}
	return c
}

// noVotes returns counts that know no users.
func (p *Plan) noVotes() *Counts {
	c := &Counts{plan: p}
	for k := range p.candidates {
		c.cells = append(c.cells, make([]int64, p.cells(k)))
	}
	return c
}

// Add counts votes. If the claim is for users, a user's first Options.PerUser votes count,
// in the order of the calls. It panics for counts of NewUserCounts, which need AddUser.
func (c *Counts) Add(v *Votes) {
	if c.gathered {
		panic("synthesis: votes whose users are not bounded")
	}
	for i, row := range v.rows {
		clusters := v.clusters[i*len(c.plan.clusterings) : (i+1)*len(c.plan.clusterings)]
		var u *user
		if c.users != nil {
			if u = c.users[row.user]; u == nil {
				u = &user{}
				c.users[row.user] = u
			}
			if u.rows == c.plan.o.PerUser {
				continue
			}
			u.rows++
		}
		c.count(row, clusters, u)
	}
}

// count counts a vote in every query.
func (c *Counts) count(row vote, clusters []uint32, u *user) {
	c.records++
	switch {
	case row.label == other:
	case row.far:
		c.far++
	default:
		c.near++
	}
	c.vote(row.label, clusters, u)
}

// vote counts one vote in every clustering. With Gaussian noise a user votes once for a
// cell.
func (c *Counts) vote(label int32, clusters []uint32, u *user) {
	once := u != nil && c.plan.noise.counted() == UserCells
	before := 0 // cells of earlier clusterings
	for k, cells := range c.cells {
		cell := len(cells) - 1
		if label != other {
			cell = int(label)*c.plan.clusterings[k].Len() + int(clusters[k])
		}
		if !once || c.first(u, uint32(before+cell)) {
			cells[cell]++
		}
		before += len(cells)
	}
}

// first reports whether the user did not vote for the cell before, and notes the vote. Its
// time does not grow with the user's votes.
func (c *Counts) first(u *user, cell uint32) bool {
	if slices.Contains(u.cells, cell) {
		return false
	}
	if len(u.cells) < fewCells {
		u.cells = append(u.cells, cell)
		return true
	}
	more := c.many[u]
	if _, voted := more[cell]; voted {
		return false
	}
	if more == nil {
		more = map[uint32]struct{}{}
		c.many[u] = more
	}
	more[cell] = struct{}{}
	return true
}

var (
	errUsersMerge = errors.New("synthesis: counts of users cannot be merged: a user's votes are chosen by their order (see NewUserCounts)")
	errNoUsers    = errors.New("synthesis: these counts are not of NewUserCounts")
	errOtherPlan  = errors.New("synthesis: counts of another plan, or damaged ones")
	errReleased   = errors.New("synthesis: the counts were released already")
)

// Merge adds the counts of another worker with the same plan. It refuses counts for users
// that are not from NewUserCounts, because the votes that count for a user would depend on
// how the work was divided.
func (c *Counts) Merge(more *Counts) error {
	switch {
	case c.users != nil || more.users != nil:
		return errUsersMerge
	case c.released || more.released:
		return errReleased
	case c.gathered != more.gathered:
		return errNoUsers
	case !slices.EqualFunc(c.cells, more.cells, func(a, b []int64) bool { return len(a) == len(b) }):
		return errOtherPlan
	}
	c.records, c.near, c.far = c.records+more.records, c.near+more.near, c.far+more.far
	for k, cells := range more.cells {
		for i, n := range cells {
			c.cells[k][i] += n
		}
	}
	return nil
}

// MarshalBinary encodes the counts for another worker with the same plan. The encoding is
// exact and private.
func (c *Counts) MarshalBinary() ([]byte, error) {
	if c.users != nil {
		return nil, errUsersMerge
	}
	if c.released {
		return nil, errReleased
	}
	var data []byte
	for _, n := range c.all() {
		data = binary.AppendUvarint(data, uint64(*n))
	}
	return data, nil
}

// UnmarshalBinary decodes what MarshalBinary encoded, into counts of the same plan.
func (c *Counts) UnmarshalBinary(data []byte) error {
	if c.users != nil {
		return errUsersMerge
	}
	for _, n := range c.all() {
		x, size := binary.Uvarint(data)
		if size <= 0 || x > 1<<62 {
			return errOtherPlan
		}
		*n, data = int64(x), data[size:]
	}
	if len(data) > 0 {
		return errOtherPlan
	}
	return nil
}

// all lists the numbers in a fixed order.
func (c *Counts) all() []*int64 {
	list := []*int64{&c.records, &c.near, &c.far}
	for _, cells := range c.cells {
		for i := range cells {
			list = append(list, &cells[i])
		}
	}
	return list
}

package synthesis

import (
	"bytes"
	"cmp"
	"container/heap"
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"math"
	"slices"
)

// EncodeVotes computes votes as Vote does and calls each with the user and the encoded vote
// of every record, in order. It is for a program that gathers the votes of a user from
// several workers, whose records have no order: see UserVotes. Both slices are private, and
// are valid during the call.
func (p *Plan) EncodeVotes(records []Record, each func(user, vote []byte)) {
	v := p.Vote(records)
	size := len(p.clusterings)
	var data []byte
	for i, row := range v.rows {
		user := hashed(records[i].User)
		digest := records[i].digest(user)
		data = append(data[:0], digest[:]...)
		data = append(data, 0)
		if row.far {
			data[sha256.Size] = 1
		}
		data = binary.AppendUvarint(data, uint64(row.label+1))
		for _, c := range v.clusters[i*size : (i+1)*size] {
			data = binary.AppendUvarint(data, uint64(c))
		}
		each(user[:], data)
	}
}

// digest is a digest of all that a record holds. It depends on nothing else.
func (r *Record) digest(user [sha256.Size]byte) [sha256.Size]byte {
	h := sha256.New()
	h.Write(user[:])
	hashPart(h, r.Text)
	for _, label := range r.Labels {
		hashPart(h, label)
	}
	for _, x := range r.Vector {
		_ = binary.Write(h, binary.LittleEndian, math.Float64bits(x)) // a hash never fails
	}
	return [sha256.Size]byte(h.Sum(nil))
}

// hashPart writes a part of a record with its length, so that no two records are the same
// to the hash. A part that is nil has a length of its own.
func hashPart(h hash.Hash, part []byte) {
	length := [8]byte{0xff}
	if part != nil {
		binary.BigEndian.PutUint64(length[:], uint64(len(part)))
	}
	h.Write(length[:])
	h.Write(part)
}

// UserVotes are the votes of one user. The votes of at most Options.PerUser records count:
// those with the smallest digests. The rule is public, and depends only on the records of
// this user, not on their order. UserVotes are private, and for one goroutine.
type UserVotes struct {
	plan  *Plan
	votes mostFirst
}

// userVote is a vote with the digest of its record.
type userVote struct {
	digest   [sha256.Size]byte
	row      vote
	clusters []uint32
}

// NewUserVotes returns an empty collection of a user's votes. It panics if the claim of the
// plan is not for users.
func (p *Plan) NewUserVotes() *UserVotes {
	p.needUsers()
	return &UserVotes{plan: p}
}

// Add adds an encoded vote of the user. Its time grows with the logarithm of
// Options.PerUser, its memory at most with Options.PerUser.
func (u *UserVotes) Add(data []byte) error {
	v, err := u.plan.decodeVote(data)
	if err != nil {
		return err
	}
	switch {
	case len(u.votes) < u.plan.o.PerUser:
		heap.Push(&u.votes, v)
	case v.compare(u.votes[0]) < 0:
		u.votes[0] = v
		heap.Fix(&u.votes, 0)
	}
	return nil
}

// decodeVote decodes what EncodeVotes encoded with the same plan.
func (p *Plan) decodeVote(data []byte) (v userVote, err error) {
	if len(data) <= sha256.Size || data[sha256.Size] > 1 {
		return v, errOtherPlan
	}
	v.digest, v.row.far = [sha256.Size]byte(data[:sha256.Size]), data[sha256.Size] == 1
	data = data[sha256.Size+1:]
	next := func(most int) uint32 {
		x, size := binary.Uvarint(data)
		if size <= 0 || x > uint64(most) {
			err = errOtherPlan
			return 0
		}
		data = data[size:]
		return uint32(x)
	}
	v.row.label = int32(next(p.labels)) - 1
	for _, k := range p.clusterings {
		v.clusters = append(v.clusters, next(k.Len()-1))
	}
	if err == nil && len(data) > 0 {
		err = errOtherPlan
	}
	return v, err
}

// NewUserCounts returns empty counts for AddUser. Unlike those of NewCounts they can be
// merged and encoded, so that several workers can count; one worker counts all votes of a
// user. It panics if the claim of the plan is not for users.
func (p *Plan) NewUserCounts() *Counts {
	p.needUsers()
	c := p.noVotes()
	c.gathered, c.many = true, map[*user]map[uint32]struct{}{}
	return c
}

// needUsers panics where the claim is not for users.
func (p *Plan) needUsers() {
	if !p.ByUser() {
		panic("synthesis: the claim is not for users")
	}
}

// AddUser counts all votes of one user at once. The claim assumes that no other call, for
// these counts or for others that are merged with them, has votes of the same user.
func (c *Counts) AddUser(u *UserVotes) error {
	switch {
	case c.plan != u.plan:
		return errOtherPlan
	case c.released:
		return errReleased
	case !c.gathered:
		return errNoUsers
	}
	var own user
	for _, v := range u.votes {
		c.count(v.row, v.clusters, &own)
	}
	delete(c.many, &own)
	return nil
}

// compare orders votes by the digests of their records. Votes of equal records are equal.
func (v userVote) compare(w userVote) int {
	return cmp.Or(bytes.Compare(v.digest[:], w.digest[:]), slices.Compare(v.clusters, w.clusters))
}

// mostFirst is a heap with the greatest digest on top.
type mostFirst []userVote

func (h mostFirst) Len() int           { return len(h) }
func (h mostFirst) Less(i, j int) bool { return h[i].compare(h[j]) > 0 }
func (h mostFirst) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *mostFirst) Push(x any)        { *h = append(*h, x.(userVote)) }
func (h *mostFirst) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

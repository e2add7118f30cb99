package synthesis

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/sotto-dp/sotto/internal/stage"
)

// gather counts records as a program does whose workers have them in any order: the votes
// are gathered by user, users are divided between workers, and the counts are merged.
func gather(t testing.TB, p *Plan, records []Record) *Counts {
	t.Helper()
	users, order := map[string]*UserVotes{}, []string{}
	p.EncodeVotes(records, func(user, vote []byte) {
		if users[string(user)] == nil {
			users[string(user)], order = p.NewUserVotes(), append(order, string(user))
		}
		if err := users[string(user)].Add(vote); err != nil {
			t.Fatal(err)
		}
	})
	parts := []*Counts{p.NewUserCounts(), p.NewUserCounts()}
	for i, user := range order {
		if err := parts[i%2].AddUser(users[user]); err != nil {
			t.Fatal(err)
		}
	}
	data, err := parts[1].MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	again := p.NewUserCounts()
	if err := again.UnmarshalBinary(data); err != nil {
		t.Fatal(err)
	}
	if err := parts[0].Merge(again); err != nil {
		t.Fatal(err)
	}
	return parts[0]
}

// Removing all records of a user changes each query by PerUser at most; with Gaussian
// noise, no cell by more than 1. Order and the division of the work change nothing.
func TestGatheredUserChangesAsManyVotesAsAreAllowed(t *testing.T) {
	stage.Unraced(t)
	for _, delta := range []float64{0, 1e-5} {
		const votes = 12
		p := planOf(t, Options{Epsilon: 2, Delta: delta, PerUser: votes, Columns: []Column{labels(t, "label", "sport", "money"), binsOf(t, "stars", "1..5")}})
		if (p.noise.variance > 0) != (delta > 0) {
			t.Fatalf("delta %g gives a variance of %d", delta, p.noise.variance)
		}
		reached := int64(0)
		leave := func(rt rapid.TB, records, shuffled []Record) {
			whole := gather(t, p, records)
			if d := between(whole, gather(t, p, shuffled)); d != (distance{}) {
				rt.Fatalf("another order changes %+v", d)
			}
			leaves := hashed(hostile[5])
			rest := slices.DeleteFunc(slices.Clone(records), func(r Record) bool { return hashed(r.User) == leaves })
			d := between(whole, gather(t, p, rest))
			if d.histogram > votes || d.far > votes || d.count > votes || delta > 0 && d.largest > 1 {
				rt.Fatalf("a user changes %+v", d)
			}
			reached = max(reached, d.count)
		}
		rapid.Check(t, func(rt *rapid.T) {
			records := rapid.SliceOfN(rapid.Custom(anyRecord), rapid.SampledFrom([]int{0, 40}).Draw(rt, "least"), 60).Draw(rt, "records")
			for i := range records {
				if rapid.IntRange(0, 3).Draw(rt, "one user") > 0 {
					records[i].User = hostile[5]
				}
			}
			leave(rt, records, rapid.Permutation(records).Draw(rt, "order"))
		})
		one := recordsOfOneUser(60)
		reversed := slices.Clone(one)
		slices.Reverse(reversed)
		leave(t, one, reversed) // whatever was drawn
		if reached != votes {
			t.Errorf("no user had as many as %d votes: %d", votes, reached)
		}
	}
}

// With at most PerUser records each, gathered users count like those of one reader.
func TestGatheredUsersCountLikeThoseOfOneReader(t *testing.T) {
	p := planOf(t, Options{Epsilon: 1, Delta: 1e-6, PerUser: 40, Columns: []Column{labels(t, "label", "sport", "money")}})
	var records []Record
	for i := range 300 {
		records = append(records, Record{Text: []byte(sentence(i%4, i%75)), Labels: [][]byte{[]byte([]string{"sport", "money", "else"}[i%3])}, User: fmt.Append(nil, i%10)})
	}
	whole := p.NewCounts()
	whole.Add(p.Vote(records))
	if d := between(whole, gather(t, p, records)); d != (distance{}) || whole.records != 300 {
		t.Errorf("gathered users differ by %+v", d)
	}
}

// The records that count are those with the least digests, a sample of the user's that
// nothing else decides.
func TestWhichRecordsOfAGatheredUserCount(t *testing.T) {
	p := planOf(t, Options{Epsilon: 1, PerUser: 3, Columns: []Column{binsOf(t, "number", "0..19")}})
	var records []Record
	for i := range 20 {
		records = append(records, Record{Text: []byte(sentence(i%4, i)), Labels: [][]byte{fmt.Append(nil, i)}, User: []byte("ann")})
	}
	slices.SortFunc(records, func(a, b Record) int {
		x, y := a.digest(hashed(a.User)), b.digest(hashed(b.User))
		return slices.Compare(x[:], y[:])
	})
	backwards := slices.Clone(records)
	slices.Reverse(backwards)
	whole, first := gather(t, p, backwards), gather(t, p, records[:3])
	if d := between(whole, first); d != (distance{}) || whole.records != 3 {
		t.Errorf("other records count: %+v of %d", d, whole.records)
	}
	// Equal records are different ones that vote alike.
	same := []Record{records[0], records[0], records[0], records[0]}
	if c := gather(t, p, same); c.records != 3 {
		t.Errorf("%d of four equal records count, want 3", c.records)
	}
}

// All that a record holds is in its digest, and where a part ends.
func TestDigestsDistinguishRecords(t *testing.T) {
	seen := map[[32]byte]int{}
	for i, r := range []Record{
		{}, {Text: []byte{}}, {Text: []byte("ab")}, {Text: []byte("a"), Labels: [][]byte{[]byte("b")}}, {Labels: [][]byte{[]byte("ab")}}, {Labels: [][]byte{[]byte("a"), []byte("b")}},
		{User: []byte("ab")}, {Vector: []float64{1}}, {Vector: []float64{0}}, {Vector: []float64{0, 0}},
	} {
		d := r.digest(hashed(r.User))
		if at, twice := seen[d]; twice {
			t.Errorf("records %d and %d have one digest", at, i)
		}
		seen[d] = i
	}
}

func TestVotesOfUsersAreChecked(t *testing.T) {
	p := planOf(t, Options{Epsilon: 1, PerUser: 3, Columns: []Column{labels(t, "label", "sport", "money")}})
	var good []byte
	p.EncodeVotes([]Record{{Text: []byte(sentence(1, 1)), Labels: [][]byte{[]byte("money")}}}, func(_, vote []byte) { good = slices.Clone(vote) })
	u := p.NewUserVotes()
	label, far, cluster := slices.Clone(good), slices.Clone(good), slices.Clone(good)
	label[33], far[32], cluster[len(good)-1] = 3, 2, 127
	for name, data := range map[string][]byte{"nothing": nil, "a part": good[:len(good)-1], "more": append(slices.Clone(good), 0), "a label of none": label, "a share of none": far, "a cluster of none": cluster} {
		if u.Add(data) == nil {
			t.Errorf("%s is a vote", name)
		}
	}
	if err := u.Add(good); err != nil {
		t.Error(err)
	}
	if p.NewCounts().AddUser(u) == nil || planOf(t, Options{Epsilon: 1, PerUser: 3}).NewUserCounts().AddUser(u) == nil {
		t.Error("counts of another kind or plan take a user")
	}
	ordered, counts := p.NewCounts(), p.NewUserCounts()
	if counts.Merge(ordered) == nil || ordered.Merge(counts) == nil {
		t.Error("counts of two kinds are merged")
	}
	panics(t, "votes without bounds", func() { counts.Add(p.Vote([]Record{{}})) })
	records := planOf(t, Options{Epsilon: 1})
	panics(t, "counts of no users", func() { records.NewUserCounts() })
	panics(t, "votes of no users", func() { records.NewUserVotes() })
	if _, err := p.Release(counts, nil); err != nil {
		t.Error(err)
	}
	if counts.AddUser(u) == nil {
		t.Error("released counts take a user")
	}
	if reflect.DeepEqual(fmt.Sprintf("%+v", *u), fmt.Sprintf("%+v", u.votes)) {
		t.Error("votes of a user are printed")
	}
}

func panics(t *testing.T, what string, f func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Errorf("%s: no panic", what)
		}
	}()
	f()
}

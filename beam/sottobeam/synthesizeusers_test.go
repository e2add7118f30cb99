package sottobeam

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/graph/window"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/graph/window/trigger"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"

	"github.com/sotto-dp/sotto/synthesis"
)

// perUser counts this many records of each user, whom a ticket names in its inner body.
func perUser(t testing.TB, n int) Synthesis {
	cfg := byTopic(t)
	cfg.User, cfg.PerUser = "Inner.Body", n
	return cfg
}

// ofUsers names the user of each ticket.
func ofUsers(list []ticket, user func(i int) string) []ticket {
	for i := range list {
		list[i].Inner.Body = user(i)
	}
	return list
}

// A user of many records counts as often as one of few: the statement's numbers show it.
func TestUserOfManyRecordsCountsAsOftenAsAllowed(t *testing.T) {
	cfg := perUser(t, 2)
	cfg.Epsilon = 40
	// 100 users have 2 records each, and one has 400.
	list := ofUsers(tickets(600), func(i int) string {
		if i < 200 {
			return fmt.Sprint("user ", i%100)
		}
		return "one"
	})
	if err := synthesized(list, cfg); err != nil {
		t.Fatal(err)
	}
	s := statementOf(t)
	// 202 votes. At most 31 cells of noise of scale 2/37.5: a sum that deviates by more than
	// 10 has a chance below 1e-30.
	if s.Claim.Unit != "user" || s.RecordsNoisy < 192 || s.RecordsNoisy > 212 {
		t.Errorf("the statement is %+v, want a claim for users and about 202 votes", s)
	}
	read, err := synthesis.ReadStatement([]byte(seen.statements[0]))
	if err == nil {
		err = read.Verify()
	}
	if err != nil {
		t.Error(err)
	}
}

// Every trigger of the collection would be another count of a user.
func TestUsersOfATriggeredCollectionCountOnce(t *testing.T) {
	reset()
	cfg := perUser(t, 1)
	cfg.Epsilon = 40
	p, s := beam.NewPipelineWithRoot()
	one := func(int) string { return "one" }
	col := beam.Flatten(s, beam.CreateList(s, ofUsers(tickets(30), one)), beam.CreateList(s, ofUsers(tickets(40), one)))
	col = beam.WindowInto(s, window.NewGlobalWindows(), col, beam.Trigger(trigger.Repeat(trigger.AfterCount(1))), beam.PanesAccumulate())
	r, err := TrySynthesize(s, col, cfg)
	if err != nil {
		t.Fatal(err)
	}
	beam.ParDo0(s, seeStatement, r.Statement)
	if _, err := prism.Execute(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	// One vote. Noise of scale 1/37.5 in 31 cells: that any is not 0 has a chance below 1e-14.
	if s := statementOf(t); s.RecordsNoisy != 1 {
		t.Errorf("a user of one vote has %d", s.RecordsNoisy)
	}
}

// A release of users is repeated by a retry, and by the next process after a kill, and is
// paid for once.
func TestRetriedReleaseOfUsersIsTheSameAndPaidOnce(t *testing.T) {
	cfg := perUser(t, 3)
	list := func() []ticket { return ofUsers(tickets(200), func(i int) string { return fmt.Sprint(i % 20) }) }
	var spent func() float64
	cfg.Ledger, spent = book(t, "4")
	cfg.Account, cfg.Run = "alice", "a run with a name of its own"
	first := releasedBeforeKill(t, cfg, "TestVictimOfUsers")
	if len(first) != 10 || spent() != 4 {
		t.Fatalf("the killed process released %d rows for %g", len(first), spent())
	}
	made.failAfter = 20
	err := synthesized(list(), cfg)
	made.failAfter = 0
	if err == nil || len(made.rows) != 20 {
		t.Fatalf("a bundle that fails: %d rows, %v", len(made.rows), err)
	}
	if err := synthesized(list(), cfg); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(made.rows[:10], first) || spent() != 4 {
		t.Errorf("a later process released other rows, for %g", spent())
	}
	more := ofUsers(tickets(202), func(i int) string { return fmt.Sprint(i % 101) })
	if err := synthesized(more, cfg); err == nil || !strings.Contains(err.Error(), "charged for a release of other records") {
		t.Errorf("other records under the same run: %v", err)
	}
}

// TestVictimOfUsers is the process that is killed.
func TestVictimOfUsers(t *testing.T) {
	victim(t, 10, ofUsers(tickets(200), func(i int) string { return fmt.Sprint(i % 20) }))
}

// Bundles that are tried again, of votes and of users, count every user once; how the
// records are divided and in which order they come changes nothing.
func TestRetriedBundlesCountAUserOnce(t *testing.T) {
	cfg, err := perUser(t, 4).Checked()
	if err != nil {
		t.Fatal(err)
	}
	list := ofUsers(tickets(600), func(i int) string { return fmt.Sprint(i * i % 37) })
	whole := countedUsers(t, cfg, list)
	backwards := make([]ticket, len(list))
	for i, x := range list {
		backwards[len(list)-1-i] = x
	}
	if parts := countedUsers(t, cfg, backwards[:311], backwards[311:]); !reflect.DeepEqual(parts, whole) {
		t.Error("two bundles count other votes than one")
	}
	m, err := openMaker(cfg)
	if err != nil {
		t.Fatal(err)
	}
	counts, err := m.counts(whole)
	if err != nil {
		t.Fatal(err)
	}
	// 600 records of 19 users (the squares modulo 37), each of whom has more than 4.
	if data, err := counts.MarshalBinary(); err != nil || len(data) == 0 || data[0] != 19*4 {
		t.Errorf("%d votes are counted, want 76 (%v)", data[0], err)
	}
}

// countedUsers runs records through the stages of users: each bundle fails once.
func countedUsers(t *testing.T, cfg Synthesis, bundles ...[]ticket) counted {
	t.Helper()
	votes := map[string][][]byte{}
	for _, list := range bundles {
		f := &userVoteFn{Config: cfg, Type: beam.EncodedType{T: reflect.TypeFor[ticket]()}}
		err := f.Setup()
		for attempt := range 2 {
			f.StartBundle(t.Context(), nil)
			emit := func(user, vote []byte) {
				if attempt == 1 {
					votes[string(user)] = append(votes[string(user)], bytes.Clone(vote))
				}
			}
			for i, x := range list {
				if attempt == 0 && i == len(list)*2/3 {
					break
				}
				err = errors.Join(err, f.ProcessElement(t.Context(), x, emit))
			}
			if attempt == 1 {
				err = errors.Join(err, f.FinishBundle(t.Context(), emit))
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var sum counted
	f := &userCountFn{Config: cfg}
	for attempt := range 2 {
		err := f.StartBundle(t.Context(), nil)
		for user, list := range votes {
			next := func(v *[]byte) bool {
				if len(list) == 0 {
					return false
				}
				*v, list = list[0], list[1:]
				return true
			}
			err = errors.Join(err, f.ProcessElement(t.Context(), []byte(user), next, nil))
			if attempt == 0 {
				break
			}
		}
		if attempt == 1 {
			err = errors.Join(err, f.FinishBundle(t.Context(), func(c counted) { sum = c }))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	merged, err := (&mergeFn{cfg}).MergeAccumulators(sum, counted{})
	if err != nil {
		t.Fatal(err)
	}
	return merged
}

func TestWrongUsersAreRefused(t *testing.T) {
	_, s := beam.NewPipelineWithRoot()
	records := beam.CreateList(s, tickets(1))
	for _, c := range []struct {
		col    beam.PCollection
		change func(*Synthesis)
		want   string
	}{
		{records, func(c *Synthesis) { c.PerUser = 0 }, "the field of the user and the records per user belong together"},
		{records, func(c *Synthesis) { c.User = "" }, "the field of the user and the records per user belong together"},
		{records, func(c *Synthesis) { c.User = "Nobody" }, "there is no field Nobody"},
		{records, func(c *Synthesis) { c.User = "Inner" }, "must be a string, a number or a truth value"},
		{records, func(c *Synthesis) { c.PerUser = -1 }, "1 to"},
		{records, func(c *Synthesis) { c.Delta = 1 }, "delta"},
		{beam.WindowInto(s, window.NewFixedWindows(1e9), records), func(*Synthesis) {}, "mismatched Flatten window types"},
	} {
		cfg := perUser(t, 2)
		c.change(&cfg)
		if _, err := TrySynthesize(s, c.col, cfg); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("the error is %v, want %s", err, c.want)
		}
	}
}

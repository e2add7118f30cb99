package packing

import (
	"bytes"
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/mechanism/internal/oracle"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/progress"
)

// timed is a compilation to run on a fake clock, on which only judgements and
// blocks of filling and certifying take time: step each.
type timed struct {
	name    string
	member  string
	table   *embedding.Table
	epsilon float64
	gap     float64
	goal    Objective
	slows   bool          // each step takes longer than the one before
	enough  time.Duration // from which a channel must be found
}

const step = time.Second

// compile returns the file, the time that it took, and that of the longest step.
func (c timed) compile(t *testing.T, limit time.Duration) (data []byte, took, longest time.Duration, err error) {
	longest = step
	work := func() {
		time.Sleep(longest)
		if c.slows {
			longest += longest / 16
		}
	}
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		e := Effort{Gap: c.gap, Time: limit, Objective: c.goal,
			Solving:  func(int, float64, float64) { work() },
			Progress: func(progress.Report) { work() }}
		data, err = Compile(t.Context(), c.member, c.table, c.epsilon, e)
		took = time.Since(start)
	})
	return data, took, longest, err
}

// No compilation takes longer than its time, beyond the block of work that runs
// when it ends. It returns a certified channel or says that the time is too short.
func TestCompileKeepsItsTime(t *testing.T) {
	stage.Unraced(t)
	// Reports come under a lock, and a fake clock stands still while a goroutine waits for one.
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	full, flat := oracle.RandomTable(t, 120, 12), oracle.RandomTable(t, 120, 3)
	for _, c := range []timed{
		{name: "gap out of reach", member: "packing", table: full, epsilon: 1.2, gap: 1e-9, enough: 40 * step},
		{name: "gap in reach", member: "packing", table: full, epsilon: 1.2, gap: 0.05, enough: 40 * step},
		{name: "rows that cannot be filled", member: "packing", table: flat, epsilon: 1.2, gap: 1e-9, enough: 100 * step},
		{name: "distance", member: "packing", table: full, epsilon: 1.2, gap: 1e-9, goal: Objective{Distance: 0.5}, enough: 40 * step},
		{name: "machine that slows down", member: "packing", table: full, epsilon: 1.2, gap: 1e-9, goal: Objective{Distance: 0.5}, slows: true, enough: 100 * step},
		{name: "balanced", member: "balanced", table: full, epsilon: 0.2, gap: 0.05, enough: 100 * step},
	} {
		t.Run(c.name, func(t *testing.T) {
			found, refused := 0, 0
			for limit := step / 2; limit < 4*c.enough; limit += limit/8 + step {
				data, took, longest, err := c.compile(t, limit)
				if took > limit+longest {
					t.Errorf("%v takes %v", limit, took)
				}
				var bad *privacy.ParameterError
				if errors.As(err, &bad) && bad.Name == "time" && limit < c.enough {
					refused++
					continue
				}
				if err != nil {
					t.Errorf("%v: %v", limit, err)
					continue
				}
				found++
				f, err := Read(data)
				if err != nil {
					t.Fatal(err)
				}
				if err := f.certify(context.Background(), c.table, nil); err != nil || f.Loss().MetricHigh > c.epsilon*(1+1e-9) {
					t.Errorf("%v: certified %g, %v", limit, f.Loss().MetricHigh, err)
				}
			}
			if found == 0 || refused == 0 {
				t.Errorf("%d channels and %d refusals: want some of both", found, refused)
			}
		})
	}
}

// Time that does not end a search does not change its result.
func TestAmpleTimeChangesNoChannel(t *testing.T) {
	table := oracle.RandomTable(t, 120, 12)
	for _, member := range []string{"packing", "balanced"} {
		for _, goal := range []Objective{{}, {Distance: 0.5}} {
			var files [2][]byte
			for i, limit := range []time.Duration{0, 24 * time.Hour} {
				var err error
				if files[i], err = Compile(t.Context(), member, table, 1.2, Effort{Gap: 0.05, Time: limit, Objective: goal}); err != nil {
					t.Fatal(err)
				}
			}
			if !bytes.Equal(files[0], files[1]) {
				t.Errorf("%s with %+v: the files differ", member, goal)
			}
		}
	}
}

// Above 500 words iterates are judged beside the solver. What is found must not depend on which
// of the two is faster: with a pause after each judgement, and on one processor.
func TestAChannelDoesNotDependOnThePace(t *testing.T) {
	table := oracle.RandomTable(t, 700, 12)
	compile := func(solving func(int, float64, float64)) []byte {
		data, err := Compile(t.Context(), "packing", table, 1.2, Effort{Gap: 0.002, Solving: solving})
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	sweeps := 0
	first := compile(func(sweep int, _, _ float64) { sweeps = max(sweeps, sweep) })
	if sweeps < 20 {
		t.Fatalf("%d sweeps: want two judgements beside the solver", sweeps)
	}
	slow := compile(func(int, float64, float64) { time.Sleep(20 * time.Millisecond) })
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	if !bytes.Equal(slow, first) || !bytes.Equal(compile(nil), first) {
		t.Error("the files differ")
	}
}

// The caller's own deadline is not the compilation's.
func TestTimeOfTheContextIsNotThatOfTheEffort(t *testing.T) {
	ctx, cancel := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer cancel()
	_, err := Compile(ctx, "packing", oracle.RandomTable(t, 40, 12), 1.2, Effort{Time: time.Hour})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	_, err = Compile(t.Context(), "packing", oracle.RandomTable(t, 40, 12), 1.2, Effort{Time: 1})
	if err == nil || !strings.Contains(err.Error(), "try 2ns") {
		t.Errorf("got %v", err)
	}
}

// Command ledgercrash repeatedly kills a program that charges a ledger under
// load, and checks the ledger's guarantees after each kill:
//
//	go run ./scripts/ledgercrash -kills 50
//	go run ./scripts/ledgercrash -kills 50 -ledger postgres://user@host/empty-database
//
// It checks that the ledger verifies, so that no budget is exceeded by one unit, that each
// released answer has its charge on record and is the answer to a retry, and that each key
// is charged once, however often it is retried. A kill loses the process's memory but not
// the system's, so it does not test power failures.
package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/ledger/open"
)

func main() {
	kills := flag.Int("kills", 50, "number of times the program is killed")
	place := flag.String("ledger", "", "file or postgres:// of a new ledger (default: a temporary file)")
	seed := flag.Uint64("seed", 0, "of the moments of the kills (default: fresh)")
	child := flag.Int("child", -1, "used by the program itself: run as the process that this round kills")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := error(nil)
	if *child >= 0 {
		err = victim(ctx, *place, *child, os.Stdout)
	} else {
		if *seed == 0 {
			*seed = rand.Uint64()
		}
		fmt.Printf("seed %d\n", *seed)
		err = crash(ctx, *place, *kills, *seed)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "ledgercrash: %v\n", err)
		os.Exit(1)
	}
}

// The accounts: one with budget for everything, one that is soon exhausted, one whose
// budget is renewed every second.
var accounts = []struct {
	name   string
	units  int64
	period time.Duration
}{{"wide", 1 << 60, 0}, {"narrow", 10_001, 0}, {"each-second", 1_001, time.Second}}

// cost is the cost of every charge. It divides no budget, so that the last charge that
// fits leaves some units.
const cost = 3

func crash(ctx context.Context, place string, kills int, seed uint64) error {
	if place == "" {
		dir, err := os.MkdirTemp("", "ledgercrash")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		place = filepath.Join(dir, "ledger.db")
	}
	l, err := open.Ledger(ctx, place, open.Create)
	if err != nil {
		return err
	}
	for _, a := range accounts {
		if _, err := l.Grant(ctx, ledger.Grant{Account: a.name, Amount: ledger.Amount{Epsilon: a.units}, Period: a.period}); err != nil {
			return err
		}
	}
	if err := l.Close(); err != nil {
		return err
	}
	rng := rand.New(rand.NewPCG(seed, 1))
	c := checker{charged: map[string]bool{}}
	for round := range kills {
		after := 20*time.Millisecond + time.Duration(rng.Int64N(int64(400*time.Millisecond)))
		said, err := killed(ctx, place, round, after)
		if err != nil {
			return err
		}
		if err := c.check(ctx, place, said); err != nil {
			return fmt.Errorf("kill %d, after %s: %w", round+1, after, err)
		}
	}
	if c.released == 0 || c.retried == 0 {
		return fmt.Errorf("%d answers were released and %d calls interrupted: the kills interrupted too little", c.released, c.retried)
	}
	fmt.Printf("%d kills: %d charges on record, each tried key once; %d released answers, each got again by a retry; %d interrupted calls retried; the ledger verifies\n",
		kills, len(c.charged), c.released, c.retried)
	return nil
}

// Command servecrash repeatedly kills `sotto serve` (kill -9) under load, and
// checks the service's guarantees after each kill:
//
//	go run ./scripts/servecrash -kills 50
//	go run ./scripts/servecrash -kills 50 -ledger postgres://user@host/empty-database
//
// It checks that the ledger verifies, that each answer that reached a client has a charge
// on record at its price, that no budget is exceeded by one unit, in total and in each
// period, and that a retry under the same idempotency key is charged once and gets the same
// bytes, including those of an answer that was cut off. A kill loses the process's memory
// but not the system's, so it does not test power failures.
package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"syscall"
	"time"
)

func main() {
	kills := flag.Int("kills", 50, "number of times the service is killed")
	clients := flag.Int("clients", 32, "concurrent clients")
	place := flag.String("ledger", "", "file or postgres:// of a new ledger (default: a temporary file)")
	seed := flag.Uint64("seed", 0, "of the moments of the kills (default: fresh)")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if *seed == 0 {
		*seed = rand.Uint64()
	}
	fmt.Printf("seed %d\n", *seed)
	start := time.Now()
	said, err := crash(ctx, *place, *kills, *clients, *seed)
	if err != nil {
		fmt.Fprintf(os.Stderr, "servecrash: %v\n", err)
		os.Exit(1)
	}
	fmt.Printf("%s (%s)\n", said, time.Since(start).Round(time.Second))
}

// crash repeatedly starts the service, kills it under load, and checks the
// ledger. At the end it requests every answer ever given once more.
func crash(ctx context.Context, place string, kills, clients int, seed uint64) (string, error) {
	dir, err := os.MkdirTemp("", "servecrash")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "sotto")
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", program, "github.com/sotto-dp/sotto/cmd/sotto").CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	if place == "" {
		place = filepath.Join(dir, "budgets.db")
	}
	for _, a := range accounts {
		args := []string{"ledger", "grant", "--ledger", place, a.name, "--epsilon", a.epsilon}
		if a.period != 0 {
			args = append(args, "--period", a.period.String())
		}
		if out, err := exec.CommandContext(ctx, program, args...).CombinedOutput(); err != nil {
			return "", fmt.Errorf("%w: %s", err, out)
		}
	}
	rng := rand.New(rand.NewPCG(seed, 1))
	var c crowd
	r := record{program: program, place: place}
	for n := range kills {
		after := 20*time.Millisecond + time.Duration(rng.Int64N(int64(600*time.Millisecond)))
		s, err := startService(ctx, program, place)
		if err != nil {
			return "", err
		}
		if err := c.ask(ctx, s, clients, after); err != nil {
			return "", fmt.Errorf("before kill %d: %w", n+1, err)
		}
		if err := r.check(ctx, &c); err != nil {
			return "", fmt.Errorf("kill %d, after %s: %w", n+1, after, err)
		}
	}
	s, err := startService(ctx, program, place)
	if err != nil {
		return "", err
	}
	c.again = slices.Clone(c.keyed)
	if err := c.ask(ctx, s, clients, 0); err != nil {
		return "", fmt.Errorf("at the end: %w", err)
	}
	if err := r.check(ctx, &c); err != nil {
		return "", fmt.Errorf("at the end: %w", err)
	}
	return r.conclude(&c, kills)
}

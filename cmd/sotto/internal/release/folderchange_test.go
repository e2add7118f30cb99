package release

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/charging"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/ledger/open"
)

// meddling is a ledger's store that calls a function before the next update.
type meddling struct {
	ledger.Store
	do func()
}

func (m *meddling) Update(ctx context.Context, f func(ledger.Tx) error) error {
	if m.do != nil {
		m.do()
		m.do = nil
	}
	return m.Store.Update(ctx, f)
}

// The recorded digest is that of the bytes that were read. An input that changes in
// between, here after its digest was taken and before the first draw, is refused.
func TestInputThatChangesWhileItIsReadIsRefused(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "a.txt"), filepath.Join(dir, "out")
	before := []byte(strings.Repeat("the food was good and my doctor agreed\n", 30_000)) // several batches
	if err := os.WriteFile(in, before, 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := sotto.Open(t.Context(), sotto.Config{Epsilon: 2})
	if err != nil {
		t.Fatal(err)
	}
	store, err := open.Store(t.Context(), filepath.Join(dir, "budgets.db"), open.Create)
	if err != nil {
		t.Fatal(err)
	}
	meddler := &meddling{Store: store}
	l, err := ledger.Open(t.Context(), ledger.Config{Store: meddler})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if _, err := l.Grant(t.Context(), ledger.Grant{Account: "alice", Amount: ledger.Amount{Epsilon: 1e15}}); err != nil {
		t.Fatal(err)
	}
	changed := false
	meddler.do = func() {
		data := bytes.Clone(before)
		copy(data[len(data)-8:], "refused") // same length, in place
		f, err := os.OpenFile(in, os.O_WRONLY, 0)
		if err == nil {
			_, err = f.Write(data)
			err = errors.Join(err, f.Close())
		}
		changed = err == nil
	}
	payer, err := charging.NewPayer(t.Context(), l, "alice", charging.Payment{Claim: r.Claim(), Table: r.TableDigest()})
	if err != nil {
		t.Fatal(err)
	}
	c := &RewriteCmd{Output: out + "/", InputFlags: cli.InputFlags{File: []string{in}}}
	term := &cli.Terminal{Err: io.Discard, Out: io.Discard, Writable: map[string]bool{filepath.Join(out, "a.txt"): true}}
	err = c.intoFolder(t.Context(), term, r, payer, []string{in})
	if !changed || err == nil || !strings.HasSuffix(err.Error(), "a.txt: changed while it was read") {
		t.Errorf("the run ends with %v (the input is changed: %t)", err, changed)
	}
	if _, err := os.Stat(filepath.Join(out, "a.txt")); err == nil {
		t.Error("the output has its name")
	}
}

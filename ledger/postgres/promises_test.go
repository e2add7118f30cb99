//go:build unix

package postgres

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/sotto-dp/sotto/internal/postgrestest"
	"github.com/sotto-dp/sotto/ledger"
)

func openRefusesWhatKeepsNoPromise(t *testing.T, server *postgrestest.Server) {
	address := server.Database(t)
	if _, err := Open(t.Context(), Config{URL: address}); !errors.Is(err, errNoLedger) {
		t.Errorf("an empty database gives %v", err)
	}
	opened(t, address)
	server.Query(t, address, "UPDATE ledger_head SET version = 3")
	if _, err := Open(t.Context(), Config{URL: address}); err == nil || !strings.Contains(err.Error(), "version 3") {
		t.Errorf("a later version gives %v", err)
	}
	server.Query(t, address, "DELETE FROM ledger_head")
	for _, readOnly := range []bool{false, true} {
		if _, err := Open(t.Context(), Config{URL: address, ReadOnly: readOnly}); !errors.As(err, new(*ledger.BrokenError)) {
			t.Errorf("a ledger without a head gives %v", err)
		}
	}
}

// The URL of a replicated database asks for the server that can be written. It serves readers
// too, who write nothing there.
func readersNeedNoReadOnlySession(t *testing.T, server *postgrestest.Server) {
	address := server.Database(t)
	opened(t, address)
	for _, attributes := range []string{"", "&target_session_attrs=read-write", "&target_session_attrs=primary"} {
		reader, err := ledger.Open(t.Context(), ledger.Config{Store: open(t, Config{URL: address + attributes, ReadOnly: true})})
		if err != nil {
			t.Fatal(err)
		}
		defer reader.Close()
		if _, err := reader.Verify(t.Context(), ledger.Hash{}); err != nil {
			t.Errorf("%s: %v", attributes, err)
		}
		if _, err := reader.Grant(t.Context(), ledger.Grant{Account: "alice", Amount: ledger.Amount{Epsilon: 1}}); err == nil || !strings.Contains(err.Error(), "read-only") {
			t.Errorf("a grant on a ledger opened for reading gives %v", err)
		}
	}
}

// fsync may be turned off under an open ledger, also by a failover to another server.
func withoutFsyncNothingIsCharged(t *testing.T, server *postgrestest.Server) {
	address := server.Database(t)
	l := opened(t, address)
	if _, err := l.Grant(t.Context(), ledger.Grant{Account: "alice", Amount: ledger.Amount{Epsilon: 9}}); err != nil {
		t.Fatal(err)
	}
	become := func(setting string) {
		t.Helper()
		server.Query(t, address, "ALTER SYSTEM SET fsync = "+setting)
		server.Query(t, address, "SELECT pg_reload_conf()")
		for range 1000 {
			if server.Query(t, address, "SHOW fsync") == setting {
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
		t.Fatalf("fsync does not become %s", setting)
	}
	charged := func() error {
		_, err := one(l, "key")
		return err
	}
	become("off")
	for end := time.Now().Add(time.Minute); charged() == nil && time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
	} // a connection in use may read the setting later
	var off *fsyncError
	if err := charged(); !errors.As(err, &off) {
		t.Errorf("a charge without fsync gives %v", err)
	}
	if _, err := Open(t.Context(), Config{URL: address}); !errors.As(err, &off) {
		t.Errorf("a server without fsync gives %v", err)
	}
	become("on")
	for end := time.Now().Add(time.Minute); charged() != nil && time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
	}
	if err := charged(); err != nil {
		t.Errorf("with fsync again: %v", err)
	}
}

// A server that hangs keeps its connections and answers nothing.
func nothingWaitsForAServerThatHangs(t *testing.T, server *postgrestest.Server) {
	address := server.Database(t)
	opened(t, address)
	const patience = 500 * time.Millisecond
	impatient := func() (*Store, error) { return connect(t.Context(), Config{URL: address}, patience) }
	store, err := impatient()
	if err != nil {
		t.Fatal(err)
	}
	l, err := ledger.Open(t.Context(), ledger.Config{Store: store})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	resume := server.Hang(t)
	for what, f := range map[string]func() error{
		"reading":   func() error { _, err := l.Accounts(t.Context()); return err },
		"verifying": func() error { _, err := l.Verify(t.Context(), ledger.Hash{}); return err },
		"charging":  func() error { _, err := one(l, "key"); return err },
		"opening":   func() error { _, err := impatient(); return err },
	} {
		began := time.Now()
		if err := f(); err == nil || !strings.Contains(err.Error(), "did not answer in time") || strings.Count(err.Error(), "ledger postgres") != 1 {
			t.Errorf("%s: %v", what, err)
		}
		t.Log(what, time.Since(began))
	}
	resume()
	for range 100 {
		if _, err = l.Accounts(t.Context()); err == nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if err != nil {
		t.Errorf("after that: %v", err)
	}
}

package run_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/sotto-dp/sotto/run"
)

// A record is held by one run, or by several that share it, until they close it.
func TestRecordIsHeldOrShared(t *testing.T) {
	record := filepath.Join(t.TempDir(), "record")
	if _, err := run.Hold(record); err == nil {
		t.Error("a record that is not there is held")
	}
	if err := os.WriteFile(record, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	one, err := run.Share(record)
	if err != nil {
		t.Fatal(err)
	}
	two, err := run.Share(record)
	if err != nil {
		t.Fatalf("a shared record: %v", err)
	}
	if _, err := run.Hold(record); err == nil {
		t.Error("a shared record is held by one")
	}
	one.Close()
	two.Close()
	own, err := run.Hold(record)
	if err != nil {
		t.Fatalf("after all are closed: %v", err)
	}
	defer own.Close()
	if _, err := run.Share(record); err == nil {
		t.Error("a record that one holds is shared")
	}
}

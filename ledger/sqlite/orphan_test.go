package sqlite

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/ledger"
)

// A ledger is killed, and its file is lost or emptied. Its log holds a charge, and must
// survive every way to open the rest: with the file it is whole again.
func TestLogWithoutItsLedgerIsKept(t *testing.T) {
	dir := t.TempDir()
	from := filepath.Join(dir, "from.db")
	l := opened(t, open(t, Config{Path: from, Create: true}))
	if err := one(l, "first"); err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{} // as a killed process leaves them
	for _, end := range []string{"", "-wal", "-shm"} {
		data, err := os.ReadFile(from + end)
		if err != nil || len(data) == 0 {
			t.Fatalf("the ledger has no %s file: %v", end, err)
		}
		files[end] = data
	}
	for _, c := range []struct {
		name   string
		left   []string
		empty  bool
		create bool
	}{
		{"missing", []string{"-wal", "-shm"}, false, true},
		{"missing, of two", []string{"-wal"}, false, true},
		{"missing, without log", []string{"-shm"}, false, true},
		{"empty", []string{"-wal", "-shm"}, true, true},
		{"empty, not made", []string{"-wal", "-shm"}, true, false},
	} {
		path := filepath.Join(dir, c.name+".db")
		if c.empty {
			if err := os.WriteFile(path, nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		for _, end := range c.left {
			if err := os.WriteFile(path+end, files[end], 0o600); err != nil {
				t.Fatal(err)
			}
		}
		for _, readOnly := range []bool{false, true} {
			if readOnly && !c.empty {
				continue // a missing file is fs.ErrNotExist
			}
			_, err := Open(t.Context(), Config{Path: path, Create: c.create, ReadOnly: readOnly})
			if err == nil {
				t.Fatalf("%s: a ledger is made beside the log of another", c.name)
			}
			for _, end := range c.left {
				if !strings.Contains(err.Error(), c.name+".db"+end) {
					t.Errorf("%s: %v does not name %s", c.name, err, end)
				}
				if data, err := os.ReadFile(path + end); err != nil || string(data) != string(files[end]) {
					t.Errorf("%s: the %s file is changed: %v", c.name, end, err)
				}
			}
		}
		if _, err := os.Stat(path); !c.empty && err == nil {
			t.Errorf("%s: the file was made", c.name)
		}
		if len(c.left) < 2 {
			continue
		}
		if err := os.WriteFile(path, files[""], 0o600); err != nil {
			t.Fatal(err)
		}
		back := opened(t, open(t, Config{Path: path, Create: true}))
		if v, err := back.Verify(t.Context(), ledger.Hash{}); err != nil || v.Charges != 1 {
			t.Errorf("%s: with its file the ledger holds %+v, %v", c.name, v, err)
		}
	}
}

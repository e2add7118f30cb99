package sqlite

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/sotto-dp/sotto/ledger"
)

// Whatever bytes of a file are changed, Verify fails or what it read is what was
// written.
func FuzzVerify(f *testing.F) {
	dir := f.TempDir()
	path := filepath.Join(dir, "ledger.db")
	l := opened(f, open(f, Config{Path: path, Create: true}))
	for i := range 5 {
		if err := one(l, fmt.Sprint("key-", i)); err != nil {
			f.Fatal(err)
		}
	}
	want, err := l.Accounts(f.Context())
	if err != nil {
		f.Fatal(err)
	}
	head, _ := l.Head(f.Context())
	if err := l.Close(); err != nil { // checkpoints: all is in the one file
		f.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	for at := 0; at < len(whole); at += 211 {
		f.Add(uint(at), []byte{0xff}, uint(0))
	}
	f.Add(uint(0), []byte{}, uint(len(whole)/2))
	f.Fuzz(func(t *testing.T, at uint, change []byte, cut uint) {
		data := append([]byte{}, whole...)
		for i, b := range change {
			data[(at+uint(i))%uint(len(data))] ^= b
		}
		if cut > 0 {
			data = data[:uint(len(data))-min(cut, uint(len(data)))]
		}
		changed := filepath.Join(t.TempDir(), "changed.db")
		if err := os.WriteFile(changed, data, 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := Open(t.Context(), Config{Path: changed, ReadOnly: true})
		if err != nil {
			return
		}
		l, err := ledger.Open(t.Context(), ledger.Config{Store: s})
		if err != nil {
			_ = s.Close()
			return
		}
		defer l.Close()
		v, err := l.Verify(t.Context(), ledger.Hash{})
		if err != nil {
			return
		}
		got, err := l.Accounts(t.Context())
		if err != nil || v.Head != head || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("a changed ledger verifies as %+v with %+v (%v)", v, got, err)
		}
	})
}

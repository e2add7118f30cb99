package run

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// A program that is replaced while it runs, as an upgrade does, draws as the program that it
// is: it must not take the new one's streams, which then draw other things of them.
func TestReplacedProgramKeepsItsStreams(t *testing.T) {
	if name := os.Getenv("SOTTO_TEST_REPLACED"); name != "" {
		if err := os.Rename(name, os.Args[0]); err != nil {
			t.Fatal(err)
		}
		of, err := program()
		if err != nil {
			t.Fatal(err)
		}
		fmt.Printf("program %x\n", of[:sha256.Size])
		return
	}
	if runtime.GOOS != "linux" {
		t.Skip("a program cannot be replaced while it runs, or its file cannot be opened then")
	}
	data, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, content := range map[string]string{"old": string(data), "new": "another program"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), filepath.Join(dir, "old"), "-test.run=^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), "SOTTO_TEST_REPLACED="+filepath.Join(dir, "new"))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	sum := sha256.Sum256(data)
	if want := "program " + hex.EncodeToString(sum[:]); !strings.Contains(string(out), want) {
		t.Errorf("the replaced program says %s, want %s", out, want)
	}
}

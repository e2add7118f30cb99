//go:build unix

package server_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/server"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/gate"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/privacy"
)

// No field of a request that is given the name of a file makes the server open it: a
// client would learn its words or its digest, and a pipe would block.
func TestRequestsReachNoFile(t *testing.T) {
	stage.Unraced(t)
	dir, err := os.MkdirTemp("", "s") // a short name: long values are refused for their length
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	regular, pipe := filepath.Join(dir, "f"), filepath.Join(dir, "p")
	const content = "good great\n" + marker + " doctor\n"
	if err := os.WriteFile(regular, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	digest := sha256.Sum256([]byte(content))
	r := start(t, server.Config{Playground: true, Accept: privacy.Refuted, Slow: true, Limits: gate.Limits{OpenWait: 20 * time.Second}})
	// The first failure ends the test: a server that opens files waits for the pipe, and
	// so would each later request.
	refused := func(what, path, body string) {
		t.Helper()
		for _, endpoint := range []string{"/v1/rewrite", "/v1/explain", "/v1/read", "/v1/figures"} {
			list := `"texts":["a"],`
			switch endpoint {
			case "/v1/explain":
				list = `"words":["a"],`
			case "/v1/figures":
				list = ""
			}
			a := r.ask("POST", endpoint, "{"+list+strings.TrimPrefix(body, "{"))
			if a.status < 400 || a.status >= 500 || a.kind() == "" || a.kind() == "malformed" {
				t.Fatalf("%s of %s is %s: %d %.200s", endpoint, what, path, a.status, a.body)
			}
			for _, secret := range []string{path, marker, hex.EncodeToString(digest[:]), hex.EncodeToString(digest[:])[:12], "no such file", "permission", "directory"} {
				if strings.Contains(a.body, secret) {
					t.Fatalf("%s of %s: the answer has %q: %s", endpoint, what, secret, a.body)
				}
			}
		}
	}
	files := 0
	paths := []string{regular, pipe}
	if stage.Runs(stage.Large) {
		paths = append(paths, "/dev/zero", "/dev/stdin", filepath.Join(dir, "absent"), dir, "/proc/self/environ")
	}
	for _, path := range paths {
		if len(path) > 64 {
			t.Fatalf("%s is too long to test anything", path)
		}
		object := func(all map[string]any) string {
			body, err := json.Marshal(all)
			if err != nil {
				t.Fatal(err)
			}
			return string(body)
		}
		for _, e := range catalog.All() {
			for _, p := range e.Parameters {
				given := map[string]any{"epsilon": 8, "mechanism": e.Name, "accept": "refuted", "parameters": map[string]string{p.Name: path}}
				refused(e.Name+" "+p.Name, path, object(given))
				if p.Kind == mechanism.File {
					files++
				}
			}
		}
		for _, field := range []string{"mechanism", "notion", "embeddings", "calibrate", "accept"} {
			refused(field, path, object(map[string]any{"epsilon": 8, field: path}))
		}
	}
	if files == 0 {
		t.Error("no parameter is a file")
	}
	// A pipe that nobody reads cannot be opened for writing.
	if w, err := os.OpenFile(pipe, os.O_WRONLY|syscall.O_NONBLOCK, 0); !errors.Is(err, syscall.ENXIO) {
		t.Errorf("the pipe is open for reading (%v)", err)
		_ = w.Close()
	}
}

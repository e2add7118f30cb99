package main

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/internal/stage"
)

// The digest of a corpus does not cover its clusters, so anyone can write a corpus file with
// other clusters under the same digest. A report of a run over it is refused beside the true
// corpus, and the other corpus is refused beside any report. A report from which the
// digests were removed is compared with no corpus: without one the rest holds.
func TestClustersOfReportsAreThoseOfTheCorpus(t *testing.T) {
	stage.Unraced(t)
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("XDG_CACHE_HOME", dir)
	writeInputs(t)
	otherCentres(t, "tiny.corpus", "other.corpus")
	for _, corpus := range []string{"tiny", "other"} {
		mustRun(t, "synthesize --corpus "+corpus+".corpus -e 1 --report "+corpus+".json -o "+corpus+".tsv input.txt")
		mustRun(t, "rewrite --unit text -e 4 --corpus "+corpus+".corpus --param search=approximate --report "+corpus+".index.json -o "+corpus+".txt input.txt")
	}
	for _, c := range []struct {
		command string
		holds   bool
	}{
		{"audit synthesize --verify tiny.json --corpus tiny.corpus", true},
		{"audit synthesize --verify other.json --corpus tiny.corpus", false},
		{"audit synthesize --verify other.json --corpus other.corpus", false},
		{"audit synthesize --verify tiny.json --corpus other.corpus", false},
		{"audit --verify tiny.index.json --corpus tiny.corpus", true},
		{"audit --verify other.index.json --corpus tiny.corpus", false},
		{"audit --verify other.index.json --corpus other.corpus", false},
		{"audit --verify tiny.index.json --corpus other.corpus", false},
	} {
		if out, err := commandLine(c.command); (err == nil) != c.holds {
			t.Errorf("sotto %s: %v\n%s", c.command, err, out)
		}
	}
	withoutDigests(t, "other.json", "old.json")
	if out, err := commandLine("audit synthesize --verify old.json --corpus tiny.corpus"); err == nil || !strings.Contains(err.Error(), "lacks clustering_digests") {
		t.Errorf("a report from which the digests were removed: %v\n%s", err, out)
	}
	if out := mustRun(t, "audit synthesize --verify old.json"); !strings.Contains(out, "the corpus and the clusters: it was not given") {
		t.Errorf("it is not said that the clusters are not verified:\n%s", out)
	}
	var answer struct {
		Clusters bool `json:"clusters_compared"`
	}
	out := mustRun(t, "audit synthesize --json --verify tiny.json --corpus tiny.corpus")
	if err := json.Unmarshal([]byte(out), &answer); err != nil || !answer.Clusters {
		t.Errorf("%v: %s", err, out)
	}
}

// otherCentres writes a copy of a corpus whose centres are random bytes and whose digests
// are computed again.
func otherCentres(t *testing.T, from, to string) {
	t.Helper()
	const header, entry, sections, centres = 64, 64, 10, 8
	data, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	of := data[header+entry*centres:][:entry]
	at, length := binary.LittleEndian.Uint64(of[8:]), binary.LittleEndian.Uint64(of[16:])
	if length == 0 {
		t.Fatal("the corpus has no clusters")
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range data[at : at+length] {
		data[at+uint64(i)] = byte(rng.Uint32())
	}
	sum := sha256.Sum256(data[at : at+length])
	copy(of[24:], sum[:])
	sum = sha256.Sum256(data[:header+entry*sections])
	copy(data[header+entry*sections:], sum[:])
	if err := os.WriteFile(to, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// withoutDigests writes a copy of a report without the digests of its clusters.
func withoutDigests(t *testing.T, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	at := strings.Index(string(data), `"clustering_digests"`)
	end := strings.Index(string(data), `"expected"`)
	if at < 0 || end < at {
		t.Fatalf("no digests in %s", data)
	}
	if err := os.WriteFile(to, append(data[:at:at], data[end:]...), 0o600); err != nil {
		t.Fatal(err)
	}
}

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// The provenance names every other file of the release with its digest, the commit, and the
// modules with the digests of go.sum in hexadecimal.
func TestProvenanceNamesTheFilesAndWhatTheyAreBuiltFrom(t *testing.T) {
	t.Chdir("../..")
	r := &release{folder: t.TempDir(), version: "1.2.3", commit: "abc", when: when}
	for _, name := range []string{"sotto_1.2.3_linux_amd64.tar.gz", "sotto-1.2.3-py3-none-any.whl", provenanceName("1.2.3"), "sotto_1.2.2_linux_amd64.tar.gz"} {
		if err := os.WriteFile(filepath.Join(r.folder, name), []byte("one"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	read := func() string {
		if err := r.provenance(t.Context(), "https://example.org/builder", []string{"linux/amd64"}); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(filepath.Join(r.folder, provenanceName("1.2.3")))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	data := read()
	if again := read(); again != data {
		t.Errorf("another provenance the second time:\n%s", again)
	}
	var s statement
	if err := json.Unmarshal([]byte(data), &s); err != nil {
		t.Fatal(err)
	}
	const one = "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed"
	var names []string
	for _, f := range s.Subject {
		if names = append(names, f.Name); f.Digest["sha256"] != one {
			t.Errorf("%s has the digest %s", f.Name, f.Digest)
		}
	}
	if !slices.Equal(names, []string{"sotto-1.2.3-py3-none-any.whl", "sotto_1.2.3_linux_amd64.tar.gz"}) {
		t.Errorf("it is about %q", names)
	}
	build := s.Predicate.BuildDefinition
	if s.Type != "https://in-toto.io/Statement/v1" || s.PredicateType != "https://slsa.dev/provenance/v1" || s.Predicate.RunDetails.Builder.ID != "https://example.org/builder" ||
		build.ExternalParameters.Source.Digest["gitCommit"] != "abc" || build.InternalParameters["SOURCE_DATE_EPOCH"] != "1767323046" {
		t.Errorf("%s", data)
	}
	if n := len(build.Dependencies); n < 10 || len(build.Dependencies[n-1].Digest["dirHash"]) != 64 {
		t.Errorf("%d dependencies: %+v", n, build.Dependencies)
	}
}

func TestDependenciesHaveTheDigestsOfGoSum(t *testing.T) {
	// The example of the definition of dirHash.
	const sums = "example.org/m v0.0.1 h1:Khu2En+0gcYPZ2kuIihfswbzxv/mIHXgzPZ018Oty48=\nexample.org/m v0.0.1/go.mod h1:AAAA\n"
	list, err := dependencies([]module{{"example.org/m", "v0.0.1", ""}}, sums)
	if err != nil || len(list) != 1 || list[0].URI != "pkg:golang/example.org/m@v0.0.1" || list[0].Digest["dirHash"] != "2a1bb6127fb481c60f67692e22285fb306f3c6ffe62075e0ccf674d7c3adcb8f" {
		t.Errorf("%+v, %v", list, err)
	}
	if _, err := dependencies([]module{{"example.org/m", "v0.0.2", ""}}, sums); err == nil {
		t.Error("a module without a digest is accepted")
	}
}

// Whoever receives an archive can verify reports with what is in it.
func TestArchivesHaveTheVerifier(t *testing.T) {
	if !slices.Contains(documents, "verify/sotto_verify.py") {
		t.Errorf("archives have %q", documents)
	}
}

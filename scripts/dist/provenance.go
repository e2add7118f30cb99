package main

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// The repository, as provenance names it.
const repository = "https://github.com/sotto-dp/sotto"

// statement is an in-toto statement of version 1 with SLSA provenance of version 1
// (https://slsa.dev/spec/v1.0/provenance): which files were built, from what and how. It has
// no time and no folder, so that two builds of a commit give the same bytes.
type statement struct {
	Type          string     `json:"_type"`
	Subject       []artifact `json:"subject"`
	PredicateType string     `json:"predicateType"`
	Predicate     struct {
		BuildDefinition struct {
			BuildType          string             `json:"buildType"`
			ExternalParameters externalParameters `json:"externalParameters"`
			InternalParameters map[string]string  `json:"internalParameters"`
			Dependencies       []artifact         `json:"resolvedDependencies"`
		} `json:"buildDefinition"`
		RunDetails struct {
			Builder struct {
				ID string `json:"id"`
			} `json:"builder"`
		} `json:"runDetails"`
	} `json:"predicate"`
}

// externalParameters is what whoever builds chooses.
type externalParameters struct {
	Source    artifact `json:"source"`
	Version   string   `json:"version"`
	Platforms []string `json:"platforms"`
}

// artifact is a resource descriptor of in-toto.
type artifact struct {
	Name   string            `json:"name,omitempty"`
	URI    string            `json:"uri,omitempty"`
	Digest map[string]string `json:"digest,omitempty"`
}

// provenanceName is the file of a version.
func provenanceName(version string) string { return "sotto_" + version + "_provenance.json" }

// provenance writes the statement about the files of the release in the folder.
func (r *release) provenance(ctx context.Context, builder string, platforms []string) error {
	files, err := digests(r.folder, r.version)
	if err != nil {
		return err
	}
	sums, err := os.ReadFile("go.sum")
	if err != nil {
		return err
	}
	modules, err := modules(ctx)
	if err != nil {
		return err
	}
	dependencies, err := dependencies(modules, string(sums))
	if err != nil {
		return err
	}
	source := artifact{URI: "git+" + repository, Digest: map[string]string{"gitCommit": r.commit}}
	if r.commit == "" {
		source.Digest = nil
	}
	s := statement{Type: "https://in-toto.io/Statement/v1", PredicateType: "https://slsa.dev/provenance/v1"}
	for _, f := range files {
		if f.name != provenanceName(r.version) {
			s.Subject = append(s.Subject, artifact{Name: f.name, Digest: map[string]string{"sha256": f.sum}})
		}
	}
	build := &s.Predicate.BuildDefinition
	build.BuildType = repository + "/blob/main/docs/howto/install.md#provenance"
	build.ExternalParameters = externalParameters{source, r.version, platforms}
	build.InternalParameters = map[string]string{"go": runtime.Version(), "SOURCE_DATE_EPOCH": strconv.FormatInt(r.when.Unix(), 10)}
	build.Dependencies = append([]artifact{source, {URI: "https://go.dev/dl/?mode=json&include=all", Name: runtime.Version()}}, dependencies...)
	s.Predicate.RunDetails.Builder.ID = builder
	data, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	return r.write(provenanceName(r.version), append(data, '\n'))
}

// dependencies returns the modules with their digests, those of go.sum: SHA-256 over the
// list of the files of a module, which in-toto writes in hexadecimal.
func dependencies(modules []module, sums string) (list []artifact, err error) {
	h1 := map[string]string{}
	for line := range strings.Lines(sums) {
		if f := strings.Fields(line); len(f) == 3 {
			h1[f[0]+" "+f[1]] = f[2]
		}
	}
	for _, m := range modules {
		sum, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(h1[m.path+" "+m.version], "h1:"))
		if err != nil || len(sum) == 0 {
			return nil, fmt.Errorf("go.sum has no digest of %s %s", m.path, m.version)
		}
		list = append(list, artifact{URI: "pkg:golang/" + m.path + "@" + m.version, Digest: map[string]string{"dirHash": hex.EncodeToString(sum)}})
	}
	slices.SortFunc(list, func(a, b artifact) int { return strings.Compare(a.URI, b.URI) })
	return list, nil
}

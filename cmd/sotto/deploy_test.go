package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

func deployed(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "deploy", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// found is the one group that a pattern finds.
func found(t *testing.T, in, pattern string) string {
	t.Helper()
	m := regexp.MustCompile(pattern).FindStringSubmatch(in)
	if m == nil {
		t.Fatalf("nothing is like %s", pattern)
	}
	return m[1]
}

func TestTheDeployedCommandLinesAreThoseOfThisProgram(t *testing.T) {
	var image, compose []string
	for text, to := range map[string]*[]string{
		found(t, deployed(t, "Dockerfile"), `(?m)^CMD (\[.*\])$`): &image, found(t, deployed(t, "compose.yaml"), `(?m)^    command: (\[.*\])$`): &compose,
	} {
		if err := json.Unmarshal([]byte(text), to); err != nil {
			t.Fatal(err)
		}
	}
	unit := strings.Fields(found(t, deployed(t, "sotto.service"), `(?m)^ExecStart=/usr/local/bin/sotto (.*)$`))
	for name, args := range map[string][]string{"image": image, "compose": compose, "unit": unit} {
		var c cli
		parser, err := kong.New(&c, kong.Vars{"version": ""})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := parser.Parse(args); err != nil {
			t.Errorf("%s: %v: %v", name, args, err)
		}
		if c.Serve.Keys == "" || !c.Serve.RequireAccount || c.Serve.Ledger == "" {
			t.Errorf("%s serves without keys, accounts or a ledger: %+v", name, c.Serve)
		}
	}
}

func TestTheImageIsBuiltFromNamedVersionsAndRunsWithoutRights(t *testing.T) {
	known := strings.Fields("FROM WORKDIR COPY RUN USER VOLUME EXPOSE ENTRYPOINT CMD")
	text := deployed(t, "Dockerfile")
	last := text[strings.LastIndex(text, "\nFROM ")+1:]
	for line := range strings.Lines(text) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		if word == "" || word[0] == '#' {
			continue
		}
		if !strings.Contains(" "+strings.Join(known, " ")+" ", " "+word+" ") {
			t.Errorf("%s is no instruction that is used here", word)
		}
		if image, _, _ := strings.Cut(rest, " "); word == "FROM" && image != "scratch" && (!strings.Contains(image, ":") || strings.HasSuffix(image, ":latest")) {
			t.Errorf("FROM %s names no version", image)
		}
		if (word == "ENTRYPOINT" || word == "CMD") && !strings.HasPrefix(rest, "[") {
			t.Errorf("%s starts a shell, and there is none", word)
		}
	}
	if !strings.HasPrefix(last, "FROM scratch\n") || strings.Contains(last, "\nRUN ") {
		t.Error("the last stage is not from scratch, or runs something")
	}
	if id, err := strconv.Atoi(found(t, last, `(?m)^USER (\d+):\d+$`)); err != nil || id == 0 {
		t.Error("the image runs as root")
	}
	mod, err := os.ReadFile(filepath.Join("..", "..", "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	if built, asked := found(t, text, `FROM golang:([\d.]+)`), found(t, string(mod), `(?m)^go ([\d.]+)$`); !strings.HasPrefix(asked+".", built+".") {
		t.Errorf("the image is built with Go %s, go.mod asks for %s", built, asked)
	}
	compose := deployed(t, "compose.yaml")
	for _, m := range regexp.MustCompile(`(?m)^\s+image: (.*)$`).FindAllStringSubmatch(compose, -1) {
		if !strings.Contains(m[1], ":") || strings.HasSuffix(m[1], ":latest") {
			t.Errorf("compose takes %s, which names no version", m[1])
		}
	}
	for _, m := range regexp.MustCompile(`secrets: \[(.*)\]`).FindAllStringSubmatch(compose, -1) {
		for _, name := range strings.Split(m[1], ", ") {
			if !strings.Contains(compose, "\n  "+name+":\n    file: ") {
				t.Errorf("compose defines no secret %s", name)
			}
		}
	}
}

// The unit with this test's binary in place of the program, which need not be
// installed here.
func TestTheUnitIsValidAndHardened(t *testing.T) {
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("SKIPPED, NOT CHECKED: systemd-analyze is not installed (Debian: apt-get install systemd)")
	}
	unit := filepath.Join(t.TempDir(), "sotto.service")
	text := strings.Replace(deployed(t, "sotto.service"), "/usr/local/bin/sotto", os.Args[0], 1)
	if err := os.WriteFile(unit, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(analyze, "verify", "--man=no", "--recursive-errors=no", unit).CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%v: %s", err, out)
	}
	// An exposure of 2.0 of 10 at most.
	if out, err := exec.Command(analyze, "security", "--offline=true", "--threshold=20", unit).CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	// The analysis fails where there is something to find.
	broken := strings.Replace(strings.Replace(text, "ProtectSystem=strict", "ProtectSystm=strict", 1), os.Args[0], "/nowhere/sotto", 1)
	if err := os.WriteFile(unit, []byte(broken), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(analyze, "verify", "--man=no", "--recursive-errors=no", unit).CombinedOutput(); err == nil && len(out) == 0 {
		t.Error("a broken unit verifies")
	}
}

package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/serving"
)

func deployed(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "deploy", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// found returns the group that a pattern matches.
func found(t *testing.T, in, pattern string) string {
	t.Helper()
	m := regexp.MustCompile(pattern).FindStringSubmatch(in)
	if m == nil {
		t.Fatalf("nothing is like %s", pattern)
	}
	return m[1]
}

func TestDeployedCommandLinesAreThoseOfThisProgram(t *testing.T) {
	var image, compose, imageHealth, composeHealth []string
	for text, to := range map[string]*[]string{
		found(t, deployed(t, "Dockerfile"), `(?m)^CMD (\[.*\])$`): &image, found(t, deployed(t, "compose.yaml"), `(?m)^    command: (\["serve".*\])$`): &compose,
		"[" + found(t, deployed(t, "Dockerfile"), `(?m)^HEALTHCHECK .* CMD \["/sotto", (.*\])$`):   &imageHealth,
		"[" + found(t, deployed(t, "compose.yaml"), `(?m)^      test: \["CMD", "/sotto", (.*\])$`): &composeHealth,
	} {
		if err := json.Unmarshal([]byte(text), to); err != nil {
			t.Fatal(err)
		}
	}
	unit := strings.Fields(found(t, deployed(t, "sotto.service"), `(?m)^ExecStart=/usr/local/bin/sotto (.*)$`))
	lines := map[string][]string{"image": image, "compose": compose, "unit": unit, "image's health": imageHealth, "compose's health": composeHealth}
	served := 0
	// The variables that an operator may add are those of the whole container.
	added := map[string]string{"SOTTO_SERVE_MAX_TEXTS": "7", "SOTTO_SERVE_PLAYGROUND": "false", "SOTTO_HEALTH_TIMEOUT": "3s", "SOTTO_HEALTH_URL": "http://127.0.0.1:8080"}
	for name, args := range lines {
		if args[0] == "health" {
			if c, _ := parsed[serving.HealthCmd](t, added, args...); c.Timeout != 3*time.Second {
				t.Errorf("%s: %+v", name, c)
			}
			continue
		}
		served++
		c, _ := parsed[serving.ServeCmd](t, added, args...)
		if c.Keys == "" || !c.RequireAccount || c.Ledger == "" || c.MaxTexts != 7 {
			t.Errorf("%s serves without keys, accounts, a ledger or what is configured: %+v", name, c)
		}
		if strings.Contains(c.Ledger, "postgres://") && !strings.Contains(c.Ledger, "//sotto_service@") {
			t.Errorf("%s does not use the role with the least rights: %s", name, c.Ledger)
		}
	}
	if served != 3 {
		t.Errorf("%d of the commands serve", served)
	}
}

func TestImageIsBuiltFromNamedVersionsAndRunsWithoutRights(t *testing.T) {
	known := strings.Fields("FROM WORKDIR COPY RUN USER VOLUME EXPOSE HEALTHCHECK ENTRYPOINT CMD")
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

// The unit names this test's binary in place of the program, which need not be installed
// here.
func TestUnitIsValidAndHardened(t *testing.T) {
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
	// The exposure is 0.9 of 10 with systemd 252. Later versions weigh more settings, so the
	// limit is 1.2.
	if out, err := exec.Command(analyze, "security", "--offline=true", "--threshold=12", unit).CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	// The analysis must fail if there is something to find.
	broken := strings.Replace(strings.Replace(text, "ProtectSystem=strict", "ProtectSystm=strict", 1), os.Args[0], "/nowhere/sotto", 1)
	if err := os.WriteFile(unit, []byte(broken), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(analyze, "verify", "--man=no", "--recursive-errors=no", unit).CombinedOutput(); err == nil && len(out) == 0 {
		t.Error("a broken unit verifies")
	}
}

// ignored reports whether .dockerignore excludes a file from the build: the last pattern
// that matches the path or a parent folder decides.
func ignored(t *testing.T, patterns, name string) (out bool) {
	t.Helper()
	for line := range strings.Lines(patterns) {
		pattern := strings.TrimSpace(line)
		if pattern == "" || pattern[0] == '#' {
			continue
		}
		pattern, include := strings.CutPrefix(pattern, "!")
		deep, anywhere := strings.CutPrefix(pattern, "**/")
		parts := strings.Split(name, "/")
		for from := range parts {
			for to := from + 1; to <= len(parts); to++ {
				ok, err := path.Match(deep, strings.Join(parts[from:to], "/"))
				if err != nil {
					t.Fatalf("%s: %v", pattern, err)
				}
				if ok && (from == 0 || anywhere) {
					out = !include
				}
			}
		}
	}
	return out
}

func TestImageIsBuiltFromItsSourcesAlone(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(root, ".dockerignore"))
	if err != nil {
		t.Fatal(err)
	}
	patterns := string(data)
	list := exec.Command("go", "list", "-deps", "-f", `{{if .Module}}{{if .Module.Main}}{{range .GoFiles}}{{$.Dir}}/{{.}}
{{end}}{{range .SFiles}}{{$.Dir}}/{{.}}
{{end}}{{range .EmbedFiles}}{{$.Dir}}/{{.}}
{{end}}{{end}}{{end}}`, ".")
	list.Env = append(os.Environ(), "GOOS=linux", "CGO_ENABLED=0")
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	needed := 0
	for line := range strings.Lines(string(out)) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		name, err := filepath.Rel(root, line)
		if err != nil {
			t.Fatal(err)
		}
		needed++
		if ignored(t, patterns, filepath.ToSlash(name)) {
			t.Errorf("%s is needed and left out", name)
		}
	}
	if needed < 100 {
		t.Errorf("the program needs %d files", needed)
	}
	for _, name := range []string{
		"deploy/keys", "deploy/owner-password", "deploy/service-pgpass", "keys", "budgets.db", "cmd/sotto/serve_test.go", ".git/config", "cmd/sotto/internal/server/playground/node_modules/a/b.js",
		"lab/main.go", "docs/howto/serve.md", "ledger/postgres/testdata/a.sql", ".env",
	} {
		if !ignored(t, patterns, name) {
			t.Errorf("%s goes into the build", name)
		}
	}
	// Git ignores the secrets that compose names.
	kept := strings.Fields(deployed(t, ".gitignore"))
	for _, m := range regexp.MustCompile(`(?m)^    file: \./(.*)$`).FindAllStringSubmatch(deployed(t, "compose.yaml"), -1) {
		if !slices.ContainsFunc(kept, func(pattern string) bool { ok, _ := path.Match(pattern, m[1]); return ok }) {
			t.Errorf("git does not ignore deploy/%s", m[1])
		}
	}
}

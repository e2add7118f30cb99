package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/internal/stage"
)

// composeService is what the reference program of the Compose specification reads of one
// service.
type composeService struct {
	ReadOnly    bool              `json:"read_only"`
	CapDrop     []string          `json:"cap_drop"`
	CapAdd      []string          `json:"cap_add"`
	SecurityOpt []string          `json:"security_opt"`
	Privileged  bool              `json:"privileged"`
	NetworkMode string            `json:"network_mode"`
	Pid         string            `json:"pid"`
	Devices     []any             `json:"devices"`
	Environment map[string]string `json:"environment"`
	Ports       []struct {
		HostIP    string `json:"host_ip"`
		Published string `json:"published"`
	} `json:"ports"`
	Volumes []struct {
		Type     string `json:"type"`
		Source   string `json:"source"`
		ReadOnly bool   `json:"read_only"`
	} `json:"volumes"`
}

// excess lists the rights that a service has and does not need. One that is stateful
// writes into its own container, as root at first.
func (s composeService) excess(stateful bool) (found []string) {
	if !slices.Contains(s.SecurityOpt, "no-new-privileges:true") {
		found = append(found, "may gain privileges")
	}
	if !stateful && !s.ReadOnly {
		found = append(found, "may write into its container")
	}
	if !stateful && (!slices.Contains(s.CapDrop, "ALL") || len(s.CapAdd) > 0) {
		found = append(found, "has capabilities")
	}
	if s.Privileged || s.NetworkMode == "host" || s.Pid == "host" || len(s.Devices) > 0 {
		found = append(found, "is not isolated from its host")
	}
	for _, p := range s.Ports {
		if p.HostIP != "127.0.0.1" {
			found = append(found, fmt.Sprintf("publishes port %s on all addresses", p.Published))
		}
	}
	for _, v := range s.Volumes {
		if v.Type == "bind" && !v.ReadOnly {
			found = append(found, "may write to a folder of its host")
		}
	}
	for variable := range s.Environment {
		if strings.HasSuffix(variable, "PASSWORD") {
			found = append(found, "has a password in its environment")
		}
	}
	return found
}

// composeFaults checks a Compose file by the schema of the specification, with the program
// of its authors, and by the rights of the services.
func composeFaults(t *testing.T, program, file string) (found []string) {
	t.Helper()
	check := exec.Command(program, "-format", "json", file)
	check.Env = append(os.Environ(), "COMPOSE_PROFILES=*")
	out, err := check.Output()
	if err != nil {
		said := err.Error()
		if exit, ok := err.(*exec.ExitError); ok {
			said = string(exit.Stderr)
		}
		return []string{said}
	}
	var model struct{ Services map[string]composeService }
	if err := json.Unmarshal(out, &model); err != nil {
		t.Fatal(err)
	}
	if len(model.Services) != 3 {
		t.Errorf("%d services are checked", len(model.Services))
	}
	for name, service := range model.Services {
		for _, one := range service.excess(name == "postgres") {
			found = append(found, name+" "+one)
		}
	}
	return found
}

func TestComposeFileIsValidAndGivesLeastRights(t *testing.T) {
	stage.Needs(t, stage.Platforms) // builds the program that reads Compose files
	program := filepath.Join(t.TempDir(), "compose")
	build := exec.Command("go", "-C", filepath.Join("..", "..", "tools"), "build", "-o", program, "github.com/compose-spec/compose-go/v2/cmd")
	build.Env = append(os.Environ(), "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		t.Skipf("SKIPPED, NOT CHECKED: the program that reads Compose files cannot be built: %s", out)
	}
	for _, found := range composeFaults(t, program, filepath.Join("..", "..", "deploy", "compose.yaml")) {
		t.Error(found)
	}
	// Each fault must be found.
	whole := deployed(t, "compose.yaml")
	for _, c := range []struct{ old, new, want string }{
		{"mem_limit: 2g", "memory_limit: 2g", "memory_limit"},
		{"condition: service_healthy", "condition: service_fine", "condition"},
		{"pids_limit: 512", "pids_limit: many", "pids_limit"},
		{"read_only: true", "read_only: false", "sotto may write into its container"},
		{"cap_drop: [ALL]", "cap_drop: [NET_RAW]", "sotto has capabilities"},
		{`security_opt: ["no-new-privileges:true"]`, "security_opt: []", "sotto may gain privileges"},
		{"127.0.0.1:8080:8080", "8080:8080", "port 8080 on all addresses"},
		{"roles.sh:ro", "roles.sh", "postgres may write to a folder"},
		{"GOMEMLIMIT: 1700MiB", "PGPASSWORD: secret", "a password in its environment"},
		{"pids_limit: 512", "privileged: true", "is not isolated"},
	} {
		if !strings.Contains(whole, c.old) {
			t.Errorf("the file has no %s", c.old)
			continue
		}
		file := filepath.Join(t.TempDir(), "compose.yaml")
		if err := os.WriteFile(file, []byte(strings.Replace(whole, c.old, c.new, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		if found := strings.Join(composeFaults(t, program, file), "\n"); !strings.Contains(found, c.want) {
			t.Errorf("with %s the check finds %q, want %s", c.new, found, c.want)
		}
	}
}

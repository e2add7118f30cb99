package postgres

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/privacy"
)

// marked is a password, or a part of one, anywhere in an address.
const marked = "hunter2"

func TestAddressWithAPasswordIsRefusedAndNeverRepeated(t *testing.T) {
	for _, address := range []string{
		"postgres://user:hunter2@host/db",
		"postgresql://user:hunter2@host:5432/db?sslmode=require",
		"postgres://:hunter2@host/db",
		"postgres://user:@host/db",
		"postgres://user@host/db?password=hunter2",
		"postgres://user@host/db?pass%77ord=hunter2",
		"postgres://user@host/db?PASSWORD=hunter2",
		"postgres://user@host/db?sslmode=require&sslpassword=hunter2",
		"postgres://user@host/db?password=a=hunter2",
		"postgres://user@host/db?oauth_client_secret=hunter2",
		"postgres://host/db?user=x&password=hunter2",
		// Passwords with characters that end the part they are in.
		"postgres://user:pa/hunter2@host/db",
		"postgres://user:12/hunter2@host/db",
		"postgres://user:pa#hunter2@host/db",
		"postgres://user:12?hunter2@host/db",
		"postgres://user:pa@hunter2@host/db",
		"postgres://host?password=hunter2@x/db",
		"postgres://user:hunter2",
		"postgres://user:hunter2/db",
		"postgres://user@host/db?password=hunter2%zz",
		"postgres://user@host/db?pass%zzword=hunter2",
		"POSTGRES://user:hunter2@host/db",
	} {
		err := CheckAddress(address)
		var parameter *privacy.ParameterError
		if !errors.As(err, &parameter) {
			t.Errorf("%s is accepted (%v)", address, err)
			continue
		}
		_, opened := Open(t.Context(), Config{URL: address})
		for what, said := range map[string]string{"CheckAddress": err.Error(), "redact": redact(address), "Open": opened.Error()} {
			if strings.Contains(said, marked) || strings.Contains(said, "\n") {
				t.Errorf("%s of %s says %q", what, address, said)
			}
		}
	}
}

func TestAddressWithoutAPasswordIsShown(t *testing.T) {
	for address, want := range map[string]string{
		"postgres://user@host/db":                        "postgres://user@host/db",
		"postgresql://user@h1:5432,h2:5433/db":           "postgresql://user@h1:5432,h2:5433/db",
		"postgres://user@[::1]:5432/db?sslmode=disable":  "postgres://user@[::1]:5432/db?sslmode=disable",
		"postgres://user@[::1]/db":                       "postgres://user@[::1]/db",
		"postgres://sotto@/db?host=/run/postgresql":      "postgres://sotto@/db?host=/run/postgresql",
		"postgres:///?service=budgets":                   "postgres:///?service=budgets",
		"postgres://user@host/db?application_name=other": "postgres://user@host/db?application_name=xxxxx",
		"postgres://user@host":                           "postgres://user@host",
	} {
		if err := CheckAddress(address); err != nil {
			t.Errorf("%s: %v", address, err)
		}
		if got := redact(address); got != want {
			t.Errorf("%s is shown as %s, want %s", address, got, want)
		}
	}
}

// What the driver says of an address that it cannot read quotes it.
func TestErrorsOfTheDriverDoNotQuoteTheAddress(t *testing.T) {
	t.Setenv("PGPASSWORD", marked)
	for _, address := range []string{
		"postgres://user@host/db?sslmode=hunter2",
		"postgres://user@host/db?connect_timeout=hunter2",
		"postgres://user@host/%zzhunter2",
		"postgres://user@host/db?x=1=hunter2",
		"postgres://user@127.0.0.1:1/db?connect_timeout=1",
	} {
		_, err := Open(t.Context(), Config{URL: address})
		if err == nil || strings.Contains(strings.ReplaceAll(err.Error(), redact(address), ""), marked) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", address, err)
		}
	}
}

// A certificate that cannot be read is what an operator gets wrong first.
func TestErrorsNameAFileThatCannotBeRead(t *testing.T) {
	dir := t.TempDir()
	missing, empty := filepath.Join(dir, "missing.crt"), filepath.Join(dir, "empty.crt")
	if err := os.WriteFile(empty, []byte("no certificate"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ parameters, says string }{
		{"sslrootcert=" + missing, missing},
		{"sslrootcert=" + empty, "sslrootcert"},
		{"sslrootcert=" + empty, empty},
		{"sslcert=" + missing + "&sslkey=" + missing, missing},
		{"service=budgets&servicefile=" + missing, missing},
	} {
		_, err := Open(t.Context(), Config{URL: "postgres://user@host/db?sslmode=verify-full&" + c.parameters})
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", c.parameters, err)
		}
	}
}

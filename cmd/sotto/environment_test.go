package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/grammar"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/serving"
	"github.com/sotto-dp/sotto/internal/stage"
)

// parsed reads a command line as the program does, and returns the command and the
// variables that gave it a value.
func parsed[T any](t *testing.T, given map[string]string, args ...string) (c *T, used []string) {
	t.Helper()
	for name, value := range given {
		t.Setenv(name, value)
	}
	l, err := grammar.Parse(t.Context(), &cli.Terminal{Out: io.Discard, Err: io.Discard}, args)
	if err != nil {
		t.Fatalf("%q: %v", args, err)
	}
	c, ok := l.Command().(*T)
	if !ok {
		t.Fatalf("%q is a %T", args, l.Command())
	}
	return c, l.Variables.Used
}

func TestVariablesGiveFlagsOfServe(t *testing.T) {
	s, used := parsed[serving.ServeCmd](t, map[string]string{
		"SOTTO_SERVE_LISTEN": "127.0.0.1:9", "SOTTO_SERVE_MAX_TEXTS": "7", "SOTTO_SERVE_KEEP_ANSWERS": "90m", "SOTTO_SERVE_PLAYGROUND": "false", "SOTTO_SERVE_REQUIRE_ACCOUNT": "true",
		"SOTTO_SERVE_EMBEDDINGS": strings.Join([]string{"one", "two,three"}, string(filepath.ListSeparator)), "SOTTO_SERVE_CORPUS": "a", "SOTTO_SERVE_TLS_KEY": "from",
		"SOTTO_HOME": "", "SOTTO_SERVICE_HOST": "10.0.0.1", "SOTTO_PORT": "tcp://10.0.0.1:80", "SOTTO_SHARED": "x",
	}, "serve", "--tls-key", "given", "--corpus", "b", "--corpus", "c")
	if s.Listen != "127.0.0.1:9" || s.MaxTexts != 7 || s.KeepAnswers != 90*time.Minute || s.Playground || !s.RequireAccount || !slices.Equal(s.Embeddings, []string{"one", "two,three"}) {
		t.Errorf("the variables give %+v", s)
	}
	if s.TLSKey != "given" || !slices.Equal(s.Corpus, []string{"b", "c"}) {
		t.Errorf("a variable wins over a flag: %q, %q", s.TLSKey, s.Corpus)
	}
	if len(used) != 6 || slices.Contains(used, "SOTTO_SERVE_TLS_KEY") {
		t.Errorf("the variables in use are %q", used)
	}
}

// Every flag of serve and health has a variable with its own name.
func TestEveryFlagOfServeHasAVariable(t *testing.T) {
	stage.Unraced(t)
	for _, name := range grammar.Configured {
		command := grammar.ConfiguredCommand(name)
		names := grammar.VariablesOf(command)
		for _, f := range command.Flags {
			want := "SOTTO_" + strings.ToUpper(command.Name+"_"+strings.ReplaceAll(f.Name, "-", "_"))
			if f.Name != "help" && !slices.Contains(names, want) {
				t.Errorf("%s --%s has no variable %s", command.Name, f.Name, want)
			}
		}
		for _, name := range names {
			if !strings.Contains(grammar.EnvironmentHelp(), name+"\n") {
				t.Errorf("sotto help environment lacks %s", name)
			}
		}
	}
}

func TestWrongVariablesAreRefused(t *testing.T) {
	stage.Unraced(t)
	for _, c := range []struct{ name, value, args, want string }{
		{"SOTTO_SERVE_MAX_TEXTS", "abc", "serve", "the value of SOTTO_SERVE_MAX_TEXTS must be a whole number, got "},
		{"SOTTO_SERVE_MAX_TEXTS", "-1", "serve", "texts must be 1 or more, got -1\n       from the environment: SOTTO_SERVE_MAX_TEXTS\n"},
		{"SOTTO_SERVE_REQUIRE_ACCOUNT", "ture", "serve", "the value of SOTTO_SERVE_REQUIRE_ACCOUNT: bool value must be true"},
		{"SOTTO_SERVE_LOG_FORMAT", "xml", "serve", "from the environment: SOTTO_SERVE_LOG_FORMAT\n"},
		{"SOTTO_SERVE_ACCEPT", "everything", "serve", "from the environment: SOTTO_SERVE_ACCEPT\n"},
		// A value that is missing is no promise that is left out.
		{"SOTTO_SERVE_KEYS", "", "serve", "SOTTO_SERVE_KEYS is set, but empty"},
		{"SOTTO_SERVE_KEYS", "", "serve --keys keys", "SOTTO_SERVE_KEYS is set, but empty"},
		{"SOTTO_SERVE_NEVER", "", "serve", "SOTTO_SERVE_NEVER is set, but empty"},
		{"SOTTO_SERVE_REQUIRE_ACCOUNT", "", "serve", "SOTTO_SERVE_REQUIRE_ACCOUNT is set, but empty"},
		{"SOTTO_HEALTH_URL", "", "health", "SOTTO_HEALTH_URL is set, but empty"},
		{"SOTTO_HEALTH_URL", "ftp://x", "health", "from the environment: SOTTO_HEALTH_URL"},
		// What looks like an option is one, or is refused.
		{"SOTTO_SERVE_KYES", "keys", "serve", "SOTTO_SERVE_KYES is not a variable of serve\n       did you mean SOTTO_SERVE_KEYS?"},
		{"SOTTO_SERVER_KEYS", "keys", "serve", "did you mean SOTTO_SERVE_KEYS?"},
		{"SOTTO_KEYS", "keys", "serve", "did you mean SOTTO_SERVE_KEYS?"},
		{"sotto_serve_keys", "keys", "serve", "did you mean SOTTO_SERVE_KEYS?"},
		{"SOTTO_SERVE_REQUIREACCOUNTS", "true", "serve", "did you mean SOTTO_SERVE_REQUIRE_ACCOUNT?"},
		{"SOTTO_SERVE_NOSUCH", "", "serve", "SOTTO_SERVE_NOSUCH is not a variable of serve\n       sotto help environment"},
		// Nothing else with the prefix is left alone, however far from the name it is.
		{"SOTTO_KEY", "keys", "serve", "SOTTO_KEY is not a variable of serve\n       did you mean SOTTO_SERVE_KEYS?"},
		{"SOTTO_KEYFILE", "keys", "serve", "did you mean SOTTO_SERVE_KEYS?"},
		{"SOTTO_REQUIRE_ACCOUNTS", "true", "serve", "did you mean SOTTO_SERVE_REQUIRE_ACCOUNT?"},
		{"SOTTO_REQUIREACCOUNT", "1", "serve", "did you mean SOTTO_SERVE_REQUIRE_ACCOUNT?"},
		{"SOTTO_NEVER_WORDS", "x", "serve", "did you mean SOTTO_SERVE_NEVER?"},
		{"SOTTO_REWRITE_NEVER", "x", "serve", "did you mean SOTTO_SERVE_NEVER?"},
		{"SOTTO_ANYTHING", "x", "serve", "SOTTO_ANYTHING is not a variable of serve\n       sotto help environment"},
		{"SOTTO_HOM", "x", "serve", "did you mean SOTTO_HOME?"},
		{"sotto_home", "x", "serve", "did you mean SOTTO_HOME?"},
		{"SOTTO_KEY", "keys", "health", "SOTTO_KEY is not a variable of health"},
		// What an option could be is no link of an orchestrator.
		{"SOTTO_PORT", "8080", "serve", "SOTTO_PORT is not a variable of serve"},
		{"SOTTO_SERVICE_HOST", "0.0.0.0:80", "serve", "SOTTO_SERVICE_HOST is not a variable of serve"},
		{"SOTTO_SERVE_PORT", "tcp://10.0.0.1:80", "serve", "SOTTO_SERVE_PORT is not a variable of serve"},
		{"SOTTO_SERVICE_PORTS", "80", "serve", "SOTTO_SERVICE_PORTS is not a variable of serve"},
		{"SOTTO_HEALTH_URI", "x", "health", "did you mean SOTTO_HEALTH_URL?"},
		// What releases something reads no parameter.
		{"SOTTO_REWRITE_EPSILON", "8", "rewrite -o x environment_test.go", "sotto rewrite does not read SOTTO_REWRITE_EPSILON"},
		{"SOTTO_REWRITE_NEVER", "default", "rewrite -e 8 -o x environment_test.go", "does not read SOTTO_REWRITE_NEVER"},
		{"SOTTO_LEDGER_SHOW_LEDGER", "x", "ledger show --ledger y", "does not read SOTTO_LEDGER_SHOW_LEDGER"},
	} {
		t.Run(c.name+"="+c.value, func(t *testing.T) {
			t.Setenv(c.name, c.value)
			var messages bytes.Buffer
			ctx, cancel := context.WithCancel(t.Context())
			cancel() // a service that starts ends at once
			_, err := grammar.Invoke(ctx, &cli.Terminal{In: os.Stdin, Out: io.Discard, Err: &messages}, strings.Fields(c.args))
			messages.Reset()
			if code := grammar.Report(&messages, err); code != cli.ExitUsage || !strings.Contains(messages.String(), c.want) {
				t.Errorf("exit code %d, %s; want %s", code, messages.String(), c.want)
			}
		})
	}
}

// A password in the address of a ledger is refused, and is in no message.
func TestVariableWithAPasswordIsRefused(t *testing.T) {
	t.Setenv("SOTTO_SERVE_LEDGER", "postgres://sotto:hunter2@host/db")
	var messages bytes.Buffer
	_, err := grammar.Invoke(t.Context(), &cli.Terminal{In: os.Stdin, Out: io.Discard, Err: &messages}, []string{"serve"})
	if code := grammar.Report(&messages, err); code != cli.ExitUsage || strings.Contains(messages.String(), "hunter2") || !strings.Contains(messages.String(), "SOTTO_SERVE_LEDGER") {
		t.Errorf("exit code %d, %s", code, messages.String())
	}
}

// What other programs set is left alone: service links of an orchestrator, and the
// variables of the other command, of the Python package and of tests.
func TestVariablesOfOthersAreLeftAlone(t *testing.T) {
	given := map[string]string{
		"SOTTO_SERVICE_HOST": "fd00::1", "SOTTO_SERVICE_PORT": "80", "SOTTO_SERVICE_PORT_HTTP_2": "80", "SOTTO_PORT": "tcp://10.0.0.1:80",
		"SOTTO_PORT_80_TCP": "tcp://10.0.0.1:80", "SOTTO_PORT_80_TCP_PROTO": "tcp", "SOTTO_PORT_80_TCP_PORT": "80", "SOTTO_PORT_80_TCP_ADDR": "10.0.0.1",
		"SOTTO_LEDGER_SERVICE_HOST": "10.0.0.2", "SOTTO_LEDGER_SERVICE_PORT": "5432", "SOTTO_LEDGER_PORT": "tcp://10.0.0.2:5432", "SOTTO_LEDGER_PORT_5432_TCP_ADDR": "10.0.0.2",
		"SOTTO_HOME": "x", "SOTTO_BINARY": "x", "SOTTO_SHARED": "x",
	}
	for name, value := range given {
		t.Setenv(name, value)
	}
	for _, name := range grammar.Configured {
		if l, err := grammar.Parse(t.Context(), &cli.Terminal{}, []string{name}); err != nil || len(l.Variables.Used) > 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// One environment configures all services and probes of a container, so each leaves alone
// every variable of the others.
func TestEveryConfiguredCommandRunsBesideTheVariablesOfTheOthers(t *testing.T) {
	stage.Unraced(t)
	for _, of := range grammar.Configured {
		for _, name := range grammar.VariablesOf(grammar.ConfiguredCommand(of)) {
			for _, runs := range grammar.Configured {
				if runs == of {
					continue
				}
				t.Run(runs+" beside "+name, func(t *testing.T) {
					t.Setenv(name, "1")
					if l, err := grammar.Parse(t.Context(), &cli.Terminal{}, []string{runs}); err != nil || len(l.Variables.Used) > 0 {
						t.Errorf("%v", err)
					}
				})
			}
		}
	}
}

// Help is printed whatever the variables hold.
func TestHelpDoesNotReadVariables(t *testing.T) {
	t.Setenv("SOTTO_SERVE_KEYS", "")
	var out bytes.Buffer
	if code, err := grammar.Invoke(t.Context(), &cli.Terminal{In: os.Stdin, Out: &out, Err: io.Discard}, []string{"serve", "--help"}); code != 0 || !strings.Contains(out.String(), "SOTTO_SERVE_NAME") {
		t.Errorf("%d, %v: %s", code, err, out.String())
	}
}

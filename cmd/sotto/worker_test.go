package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/grammar"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/python"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/worker"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/ledger/open"
)

// workerClient makes requests of sessions, without pipes.
type workerClient struct {
	t *testing.T
	s *python.Sessions
}

// opened are the options of a request that opens a session.
type opened struct {
	Use     string         `json:"use"`
	Request map[string]any `json:"request"`
}

// called are the options of a request that draws: the number of its call, and that of its
// first text.
type called struct {
	Call uint64 `json:"call"`
	From uint64 `json:"from"`
}

func newWorkerClient(t *testing.T) workerClient { return workerClient{t, new(python.Sessions)} }

// ask returns the reply to a request, or its fault.
func (c workerClient) ask(op string, session uint64, options any, texts ...string) (worker.Reply, *worker.Fault) {
	c.t.Helper()
	data, err := json.Marshal(options)
	if err != nil {
		c.t.Fatal(err)
	}
	list := make([][]byte, len(texts))
	for i, text := range texts {
		list[i] = []byte(text)
	}
	payload := bytes.Join(worker.JoinTexts(list), nil)
	reply, err := c.s.Handle(c.t.Context(), worker.Request{Op: op, Session: session, Texts: len(texts), Options: data}, payload, func(int, int) {})
	if err != nil {
		return reply, python.FaultOf(err)
	}
	return reply, nil
}

// begin opens a session.
func (c workerClient) begin(use string, request map[string]any) uint64 {
	c.t.Helper()
	reply, fault := c.ask("open", 0, opened{use, request})
	if fault != nil {
		c.t.Fatalf("%+v", fault)
	}
	return reply.Result.(map[string]any)["session"].(uint64)
}

func (c workerClient) rewrite(session, call uint64, texts ...string) []string {
	c.t.Helper()
	reply, fault := c.ask("rewrite", session, called{Call: call}, texts...)
	if fault != nil {
		c.t.Fatalf("%+v", fault)
	}
	list, err := worker.SplitTexts(bytes.Join(reply.Payload, nil), reply.Texts)
	if err != nil {
		c.t.Fatal(err)
	}
	drawn := make([]string, len(list))
	for i, text := range list {
		drawn[i] = string(text)
	}
	return drawn
}

// A session draws what the command draws, with the same flags, and states the same.
func TestWorkerDrawsAsTheCommand(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	texts := make([]string, 150)
	for i := range texts {
		texts[i] = []string{"the doctor in Boston agreed", "no answer from the office yesterday", ""}[i%3]
	}
	if err := os.WriteFile(in("in.txt"), []byte(strings.Join(texts, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, flags := range []map[string]any{
		{"epsilon": 8, "insecure-seed": 5},
		{"epsilon": 8, "insecure-seed": 5, "consistent": true, "neighbours": 20},
		{"epsilon": 4, "insecure-seed": 5, "unit": "text"},
		{"epsilon": 20, "insecure-seed": 5, "mechanism": "gaussian-analytic", "words": 500},
	} {
		args := []string{"rewrite", "-o", in("out.txt"), "--report", in("report.json"), in("in.txt")}
		for name, values := range flags {
			args = append(args, fmt.Sprintf("--%s=%v", name, values))
		}
		if code := run(args); code != 0 {
			t.Fatalf("%q ends with %d", args, code)
		}
		released, err := os.ReadFile(in("out.txt"))
		if err != nil {
			t.Fatal(err)
		}
		c := newWorkerClient(t)
		session := c.begin("rewrite", flags)
		drawn := c.rewrite(session, 0, texts...)
		if got := strings.Join(drawn, "\n") + "\n"; got != string(released) {
			t.Errorf("%v: the session draws other texts than the command", flags)
		}
		var parts []string // the same call in several requests
		for from := 0; from < len(texts); from += 37 {
			reply, fault := c.ask("rewrite", session, called{From: uint64(from)}, texts[from:min(from+37, len(texts))]...)
			if fault != nil {
				t.Fatalf("%+v", fault)
			}
			list, err := worker.SplitTexts(bytes.Join(reply.Payload, nil), reply.Texts)
			if err != nil {
				t.Fatal(err)
			}
			for _, text := range list {
				parts = append(parts, string(text))
			}
		}
		if strings.Join(parts, "\n") != strings.Join(drawn, "\n") {
			t.Errorf("%v: a call in several requests draws other texts than in one", flags)
		}
		if again := c.rewrite(session, 1, texts...); strings.Join(again, "\n") == strings.Join(drawn, "\n") {
			t.Errorf("%v: the second call draws the same texts again", flags)
		}
		reply, fault := c.ask("rewrite", session, called{}, texts...)
		if fault != nil {
			t.Fatalf("%+v", fault)
		}
		stated, fault := c.ask("statement", session, reply.Result)
		if fault != nil {
			t.Fatalf("%+v", fault)
		}
		report, err := os.ReadFile(in("report.json"))
		if err != nil || string(stated.Payload[0]) != string(report) {
			t.Errorf("%v: the session states\n%s\nthe command\n%s (%v)", flags, stated.Payload[0], report, err)
		}
	}
}

// The vectors of a session are those of the command.
func TestWorkerEmbedsAsTheCommand(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "in.txt"), []byte("the doctor agreed\nno answer\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "out.npy")
	if code := run([]string{"embed", "-e", "8", "--insecure-seed", "3", "-o", out, filepath.Join(dir, "in.txt")}); code != 0 {
		t.Fatal(code)
	}
	want, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	c := newWorkerClient(t)
	session := c.begin("embed", map[string]any{"epsilon": 8, "insecure-seed": 3})
	reply, fault := c.ask("embed", session, called{}, "the doctor agreed", "no answer")
	if fault != nil || !bytes.Equal(bytes.Join(reply.Payload, nil), want) {
		t.Errorf("the session's array differs from the command's (%+v)", fault)
	}
}

// A session takes the flag --never of every command that has it. The list that it names
// is used or refused as the command uses or refuses it.
func TestWorkerTakesNeverAsTheCommand(t *testing.T) {
	stage.Unraced(t)
	dir := t.TempDir()
	in, list := filepath.Join(dir, "in.txt"), filepath.Join(dir, "never.txt")
	for name, data := range map[string]string{in: "the doctor agreed\n", list: "doctor\n"} {
		if err := os.WriteFile(name, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, command := range []string{"rewrite", "embed"} {
		var out, messages bytes.Buffer
		args := []string{command, "--epsilon=8", "--insecure-seed=3", "--never=" + list, "-o", filepath.Join(dir, command+".out"), in}
		_, refused := grammar.Invoke(t.Context(), &cli.Terminal{In: os.Stdin, Out: &out, Err: &messages}, args)
		_, fault := newWorkerClient(t).ask("open", 0, opened{command, map[string]any{
			"epsilon": 8, "insecure-seed": 3, "never": list}})
		switch {
		case (refused == nil) != (fault == nil):
			t.Errorf("%s --never: the command gives %v, a session %+v", command, refused, fault)
		case refused != nil && fault.Message != python.FaultOf(refused).Message:
			t.Errorf("%s --never: a session gives %q, the command %q", command, fault.Message, python.FaultOf(refused).Message)
		}
	}
}

// An empty value is refused as on the command line: with an empty account nothing would be
// charged.
func TestWorkerRefusesEmptyFlags(t *testing.T) {
	for _, name := range []string{"account", "never", "ledger"} {
		_, fault := newWorkerClient(t).ask("open", 0, opened{"rewrite", map[string]any{"epsilon": 8, name: ""}})
		if fault == nil || fault.Code != cli.ExitUsage || fault.Message != "--"+name+` is empty: give it a value, or leave it out` {
			t.Errorf("an empty %s gives %+v", name, fault)
		}
	}
}

// A call is charged as a whole before anything is drawn, or fails and is not charged.
func TestWorkerChargesBeforeItDraws(t *testing.T) {
	file := filepath.Join(t.TempDir(), "budgets.db")
	l, err := open.Ledger(t.Context(), file, open.Create)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if _, err := l.Grant(t.Context(), ledger.Grant{Account: "team", Amount: ledger.Amount{Epsilon: 50e9}}); err != nil {
		t.Fatal(err)
	}
	spent := func(want int64) {
		t.Helper()
		a, err := l.Account(t.Context(), "team")
		if err != nil || a.Spent.Epsilon != want*1e9 {
			t.Errorf("the account has spent %v, want %d (%v)", a.Spent, want, err)
		}
	}
	c := newWorkerClient(t)
	session := c.begin("rewrite", map[string]any{"epsilon": 10, "account": "team", "ledger": file})
	asks := func(op string, d called, texts ...string) {
		t.Helper()
		if _, fault := c.ask(op, session, d, texts...); fault != nil {
			t.Errorf("%s: %+v", op, fault)
		}
	}
	unpaid := func(call uint64, texts ...string) {
		t.Helper()
		if _, fault := c.ask("rewrite", session, called{Call: call}, texts...); fault == nil || !strings.Contains(fault.Message, "paid for") {
			t.Errorf("call %d draws for what it has not paid: %+v", call, fault)
		}
	}
	spent(0)
	asks("count", called{Call: 0}, "the doctor", "agreed")
	asks("count", called{Call: 0, From: 2}, "")
	unpaid(0, "agreed")
	spent(0)
	asks("pay", called{Call: 0})
	spent(30)
	asks("pay", called{Call: 0})
	spent(30)
	unpaid(1, "agreed")
	unpaid(0, "one more word than paid")
	asks("rewrite", called{Call: 0}, "the doctor")
	asks("rewrite", called{Call: 0, From: 1}, "agreed", "")
	unpaid(0, "agreed")
	asks("count", called{Call: 1}, "no", "answer", "yesterday")
	_, fault := c.ask("pay", session, called{Call: 1})
	if fault == nil || fault.Kind != "budget" || fault.Code != cli.ExitBudget || fault.Fields["account"] != "team" {
		t.Errorf("an exhausted account gives %+v", fault)
	}
	unpaid(1, "no")
	spent(30)
	asks("count", called{Call: 2}, "no answer")
	asks("pay", called{Call: 2})
	c.rewrite(session, 2, "no answer")
	spent(50)
	if _, fault := c.ask("close", session, nil); fault != nil {
		t.Errorf("%+v", fault)
	}
	if _, fault := c.ask("rewrite", session, called{}, "no"); fault == nil || fault.Code != cli.ExitFailed {
		t.Errorf("a closed session gives %+v", fault)
	}
}

func TestWorkerFaultsNameWhatWasRefused(t *testing.T) {
	c := newWorkerClient(t)
	for _, f := range []struct {
		flags     map[string]any
		kind      string
		parameter string
		message   string
	}{
		{map[string]any{"epsilon": -1}, "parameter", "epsilon", "epsilon must be"},
		{map[string]any{"epsilon": "nan"}, "parameter", "epsilon", "epsilon must be"},
		{map[string]any{}, "parameter", "", "needs --epsilon"},
		{map[string]any{"epsilon": 4, "output": "file"}, "parameter", "output", "output"},
		{map[string]any{"epsilon": 4, "file": "file"}, "parameter", "file", "file"},
		{map[string]any{"epsilon": 4, "mechanism": "temp"}, "parameter", "", "not in the catalogue"},
		{map[string]any{"epsilon": 4, "mechanism": "brr", "bits": "x"}, "parameter", "bits", "bits must be"},
		{map[string]any{"epsilon": 4, "mechanism": "trlaplace-published"}, "standing", "", "refuted"},
		{map[string]any{"epsilon": 4, "account": "a", "ledger": "/nonexistent/l.db"}, "failed", "", "nonexistent"},
	} {
		_, fault := c.ask("open", 0, opened{"rewrite", f.flags})
		if fault == nil || fault.Kind != f.kind || !strings.Contains(fault.Message, f.message) {
			t.Errorf("%v gives %+v", f.flags, fault)
			continue
		}
		if name, _ := fault.Fields["parameter"].(string); name != f.parameter {
			t.Errorf("%v names parameter %q, want %q", f.flags, name, f.parameter)
		}
	}
	session := c.begin("rewrite", map[string]any{"epsilon": 4})
	const private = "zyxwvut\xff"
	if _, fault := c.ask("rewrite", session, called{}, "fine", private); fault == nil || fault.Kind != "parameter" || strings.Contains(fault.Message+fault.Hint, "zyxwvut") {
		t.Errorf("a text that is not UTF-8 gives %+v", fault)
	}
	capped := c.begin("rewrite", map[string]any{"document-epsilon": 40, "document-tokens": 2})
	if _, fault := c.ask("rewrite", capped, called{}, "fine", "zyxwvut zyxwvut zyxwvut"); fault == nil || fault.Kind != "budget" || strings.Contains(fault.Message+fault.Hint, "zyxwvut") {
		t.Errorf("a long text gives %+v", fault)
	}
}

// Commands that run within a worker read what a flag names - or /dev/stdin from the payload:
// the program's own input holds the requests. A session has no such input.
func TestWorkerFeedsFlagsThatReadStandardInput(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	if err := os.WriteFile(in("in.txt"), []byte("the doctor\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code := run([]string{"rewrite", "-e", "8", "--words", "500", "--report", in("report.json"), "-o", in("out.txt"), in("in.txt")}); code != 0 {
		t.Fatal(code)
	}
	report, err := os.ReadFile(in("report.json"))
	if err != nil {
		t.Fatal(err)
	}
	stdin := os.Stdin
	defer func() { os.Stdin = stdin }()
	os.Stdin = nil // that of the program is never read
	c := newWorkerClient(t)
	for name, command := range map[string]struct {
		stdin string
		args  []string
	}{
		"a report":    {string(report), []string{"audit", "--json", "--words", "500", "--verify", "-"}},
		"a device":    {string(report), []string{"audit", "--json", "--words", "500", "--verify", "/dev/stdin"}},
		"texts":       {"the doctor\n", []string{"rewrite", "-e", "8", "/dev/stdin"}},
		"frequencies": {"3\n2\n1\n", []string{"limits", "-e", "2", "--frequencies", "-", "--json"}},
	} {
		options, err := json.Marshal(map[string]any{"args": command.args})
		if err != nil {
			t.Fatal(err)
		}
		reply, err := c.s.Handle(t.Context(), worker.Request{Op: "run", Options: options}, []byte(command.stdin), nil)
		if err != nil || len(bytes.Join(reply.Payload, nil)) == 0 {
			t.Errorf("%s: %q gives %v, %q", name, command.args, err, reply.Payload)
		}
	}
	if _, fault := c.ask("open", 0, opened{"rewrite", map[string]any{"epsilon": 8, "model": "-"}}); fault == nil || fault.Code != cli.ExitUsage {
		t.Errorf("a model of the standard input of a session gives %+v", fault)
	}
}

// Only the program's start uses its own standard input and output: commands have those of
// their terminal, also where they run in a worker, which points the program's at nothing.
func TestCommandsUseTheirOwnStreams(t *testing.T) {
	for _, name := range sources(t) {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if name != "main.go" && name != filepath.Join("internal", "python", "worker.go") && !strings.HasSuffix(name, "_test.go") && (bytes.Contains(data, []byte("os.Stdin")) || bytes.Contains(data, []byte("os.Stdout"))) {
			t.Errorf("%s uses os.Stdin or os.Stdout: use what the Terminal has", name)
		}
	}
}

// Commands that run within a worker read the payload and write to the reply.
func TestWorkerRunsCommands(t *testing.T) {
	c := newWorkerClient(t)
	file := filepath.Join(t.TempDir(), "budgets.db")
	run := func(stdin string, args ...string) (string, *worker.Fault) {
		t.Helper()
		options, err := json.Marshal(map[string]any{"args": args})
		if err != nil {
			t.Fatal(err)
		}
		reply, err := c.s.Handle(t.Context(), worker.Request{Op: "run", Options: options}, []byte(stdin), nil)
		if err != nil {
			return "", python.FaultOf(err)
		}
		return string(bytes.Join(reply.Payload, nil)), nil
	}
	if out, fault := run("", "ledger", "grant", "team", "-e", "5", "--ledger", file, "--json"); fault != nil || !strings.Contains(out, `"account": "team"`) {
		t.Errorf("ledger grant gives %q, %+v", out, fault)
	}
	if out, fault := run("the doctor agreed\n", "rewrite", "-e", "10"); fault != nil || len(strings.Fields(out)) != 3 {
		t.Errorf("rewrite gives %q, %+v", out, fault)
	}
	if out, fault := run(strings.Repeat("the doctor\n", 1<<16), "mechanisms", "--json"); fault != nil || !json.Valid([]byte(out)) {
		t.Errorf("mechanisms gives %d bytes, %+v", len(out), fault)
	}
	for _, args := range [][]string{{"worker"}, {"serve"}, nil, {"rewrite"}, {"nothing"}} {
		if out, fault := run("", args...); fault == nil || fault.Kind != "parameter" || fault.Code != cli.ExitUsage {
			t.Errorf("%q gives %q, %+v", args, out, fault)
		}
	}
}

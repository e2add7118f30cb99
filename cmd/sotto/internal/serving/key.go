package serving

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/alecthomas/kong"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/gate"
)

type KeyCmd struct {
	Add    keyAdd    `cmd:"" default:"withargs" help:"Make a key, add it to the file and print it once. The word add may be left out."`
	List   keyList   `cmd:"" help:"List the keys of a file: name, rights, when made and revoked."`
	Revoke keyRevoke `cmd:"" help:"Revoke a key. A running service refuses it after SIGHUP."`
}

type keyAdd struct {
	Name    string   `arg:"" help:"Name of the key, as the log shows it."`
	Role    string   `default:"rewrite" enum:"rewrite,admin" group:"privacy" help:"Rights of the key: rewrite on its accounts, or admin for everything."`
	Account []string `placeholder:"NAME" group:"privacy" help:"Account that it may charge and read (repeatable; default: all)."`
	Keys    string   `path:"update" required:"" placeholder:"FILE" group:"privacy" help:"Key file to append to."`
}

// Run adds a key to the file, and prints the secret, which is not stored.
func (c *keyAdd) Run(ctx context.Context, parsed *kong.Context, term *cli.Terminal) error {
	at := slices.Index(parsed.Args, "key") + 1
	added := at < len(parsed.Args) && parsed.Args[at] == "add" // "add" elsewhere may be a value
	if meant := misspelt(c.Name); meant != "" && !added {
		return cli.WrongUsage("for a key of this name use sotto key add", "did you mean sotto key %s?", meant)
	}
	if len(c.Account) > 0 && c.Role == "admin" {
		return cli.WrongUsage("an admin key has the rights of all accounts", "--account cannot be used with --role admin")
	}
	secret, line, err := gate.NewKey(c.Name, gate.Role(c.Role), c.Account)
	if err != nil {
		return cli.WrongUsage("", "%v", err)
	}
	err = changeKeys(ctx, term, c.Keys, func(old string) (string, error) {
		if old != "" && !strings.HasSuffix(old, "\n") {
			old += "\n"
		}
		keys, err := gate.ReadKeys(strings.NewReader(old))
		if err != nil {
			return "", err
		}
		if slices.ContainsFunc(keys.List(), func(k gate.KeyInfo) bool { return k.Name == c.Name }) {
			return "", errors.New("the file has a key of this name already; choose another, also if that key is revoked")
		}
		return old + line + "\n", nil
	}, func() error {
		// Before the file changes: a secret that nobody saw would only take the name.
		if _, err := fmt.Fprintln(term.Out, secret); err != nil {
			return fmt.Errorf("no key is added, because it cannot be printed: %v", err)
		}
		return nil
	})
	return err
}

// keyVerbs are verbs of other programs for what the commands of key do.
var keyVerbs = map[string]string{"ls": "list", "show": "list", "rm": "revoke", "remove": "revoke", "delete": "revoke", "del": "revoke"}

// misspelt returns the command of key that a name is probably meant as: the name is a verb
// of other programs, has the command's letters in another order, or has one letter wrong.
func misspelt(name string) string {
	name = strings.ToLower(name)
	if command := keyVerbs[name]; command != "" {
		return command
	}
	letters := func(s string) string { return string(slices.Sorted(slices.Values([]byte(s)))) }
	for _, command := range []string{"list", "revoke"} {
		if cli.Edits(name, command) <= 1 || letters(name) == letters(command) {
			return command
		}
	}
	return ""
}

type keyList struct {
	Keys string `path:"file" required:"" placeholder:"FILE" group:"privacy" help:"Key file."`
	JSON bool   `name:"json" group:"output" help:"Print one JSON document."`
}

// Run lists the keys without their hashes.
func (c *keyList) Run(term *cli.Terminal) error {
	keys, err := readKeys(c.Keys)
	if err != nil {
		return err
	}
	if c.JSON {
		return cli.PrintJSON(term, map[string]any{"keys": keys.List()})
	}
	w := tabwriter.NewWriter(term.Out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "key\trole\taccounts\tmade\trevoked")
	for _, k := range keys.List() {
		accounts := strings.Join(k.Accounts, ",")
		if k.Role == gate.Admin || accounts == "*" {
			accounts = "all"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", k.Name, k.Role, accounts, timeOr(k.Made, "unknown"), timeOr(k.Revoked, "no"))
	}
	return w.Flush()
}

func timeOr(t *time.Time, none string) string {
	if t == nil {
		return none
	}
	return t.UTC().Format(time.RFC3339)
}

type keyRevoke struct {
	Name string `arg:"" help:"Name of the key."`
	Keys string `path:"update" required:"" placeholder:"FILE" group:"privacy" help:"Key file to change."`
}

// Run marks a key of the file as revoked. The key keeps its line, so that its name, which
// logs have, never becomes that of another key.
func (c *keyRevoke) Run(ctx context.Context, term *cli.Terminal) error {
	if _, err := os.Stat(c.Keys); err != nil {
		return fmt.Errorf("%s: %w", c.Keys, cli.PlainError(err))
	}
	err := changeKeys(ctx, term, c.Keys, func(old string) (string, error) { return gate.RevokeKey(old, c.Name) }, func() error { return nil })
	if unknown := (*gate.UnknownKeyError)(nil); errors.As(err, &unknown) {
		return cli.WrongUsage("sotto key list shows the names", "%v", err)
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(term.Err, "sotto: done: revoked in %s; a running service refuses the key after SIGHUP\n", c.Keys)
	return err
}

// changeKeys replaces the content of a key file while no other command changes it. A
// change that is based on an older content could undo a revocation. ready runs when the new
// content is written, before it has the file's name.
func changeKeys(ctx context.Context, term *cli.Terminal, name string, change func(old string) (string, error), ready func() error) error {
	unlock, err := lockFolder(ctx, filepath.Dir(cli.Target(name)))
	if err != nil {
		return fmt.Errorf("%s: %w", name, cli.PlainError(err))
	}
	defer unlock()
	old, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("%s: %w", name, cli.PlainError(err))
	}
	all, err := change(string(old))
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if all == string(old) {
		return nil
	}
	return cli.Replace(ctx, term, name, []byte(all), ready)
}

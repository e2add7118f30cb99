package grammar

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
)

// otherNames are commands of other programs, and what does the same here.
var otherNames = map[string]string{
	"anonymize": "rewrite", "anonymise": "rewrite", "privatize": "rewrite", "sanitize": "rewrite", "mask": "rewrite", "redact": "rewrite",
	"generate": "synthesize", "synth": "synthesize", "verify": "audit --verify REPORT", "check": "audit --verify REPORT", "certify": "audit",
	"budget": "ledger", "playground": "serve", "server": "serve", "classify": "learn", "estimate-cost": "cost", "price": "cost",
}

// commandHint returns what to type for a command that there is not.
func commandHint(name string, names []string) string {
	if other, ok := otherNames[name]; ok {
		return "try sotto " + other
	}
	return cli.DidYouMean(name, names)
}

// refuseTwice refuses a flag that is given twice, such as -e 8 --epsilon 9, where the value
// decides what is lost or which texts are read. Of other flags the last one counts, so
// that aliases have defaults.
func refuseTwice(parsed *kong.Context) error {
	given := map[string]bool{}
	for _, p := range parsed.Path {
		if p.Flag == nil || p.Resolved || p.Flag.IsCumulative() || !decides(p.Flag) {
			continue
		}
		if given[p.Flag.Name] {
			return cli.WrongUsage("give it once", "--%s is given twice", p.Flag.Name)
		}
		given[p.Flag.Name] = true
	}
	return nil
}

// decides reports whether the value of a flag is part of the promise, or of what it is for.
func decides(f *kong.Flag) bool {
	return !f.IsBool() && (f.Name == "epsilon" || f.Name == "field" || f.Group != nil && f.Group.Key == "privacy")
}

// refuseOther refuses a value that is not among those of its flag, which the tag oneof lists.
func refuseOther(node *kong.Node) error {
	for _, v := range cli.ValuesOf(node) {
		list := v.Tag.Get("oneof")
		if list == "" || v.Target.Kind() != reflect.String {
			continue
		}
		if value := v.Target.String(); value != "" && !slices.Contains(strings.Split(list, ","), value) {
			return cli.WrongUsage(valueHints[v.Name], "--%s must be %s, got %q", v.Name, strings.ReplaceAll(list, ",", " or "), value)
		}
	}
	return nil
}

// hintEpsilon changes the hint of a missing epsilon if a file that is an argument is a number.
func hintEpsilon(err error, node *kong.Node) error {
	plain, _, ok := requestFault(err)
	var usage *cli.UsageError
	if errors.As(err, &usage) {
		plain, ok = usage.Err.Error(), true
	}
	if !ok || !strings.Contains(plain, "needs --epsilon") {
		return err
	}
	for _, v := range node.Positional {
		files, _ := v.Target.Interface().([]string)
		for _, name := range files {
			if _, failed := strconv.ParseFloat(name, 64); failed == nil {
				return cli.WrongUsage(fmt.Sprintf("did you mean --epsilon %s?", name), "%s", plain)
			}
		}
	}
	return err
}

// common are the flags that --help lists, of commands with many; --help-all lists all.
var common = []string{
	"unit", "epsilon", "corpus", "field", "format", "output", "report", "ledger", "account", "embeddings", // of most
	"by", "labels", "expect", "label", "test", // of corpora
	"texts", "public", "among", "attack", "linkage", "verify", "certificate", // of risk
	"listen", "keys", "require-account", // of services
}

// manyFlags is the number of flags above which help is shortened.
const manyFlags = 18

// helpAll is the flag --help-all.
type helpAll bool

// BeforeReset prints the whole help before anything of the command line is checked.
func (helpAll) BeforeReset(ctx *kong.Context) error {
	node := ctx.Selected()
	if node == nil {
		node = ctx.Model.Node
	}
	if err := WriteHelp(ctx.Stdout, node); err != nil {
		return err
	}
	ctx.Exit(0)
	return nil
}

// HelpAll is embedded in the command line.
type HelpAll struct {
	All helpAll `name:"help-all" help:"Show all flags."`
}

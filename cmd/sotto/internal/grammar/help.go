package grammar

import (
	"embed"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/manual"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/opening"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"golang.org/x/term"
)

type HelpCmd struct {
	Topic []string `arg:"" optional:"" help:"A command, such as ledger grant, a topic, such as units, or mechanisms NAME."`
}

// Run prints the page of a command, a topic, or a mechanism.
func (c *HelpCmd) Run(t *cli.Terminal) error {
	if len(c.Topic) == 2 && c.Topic[0] == "mechanisms" {
		entry, ok := catalog.Find(c.Topic[1])
		if !ok {
			return opening.UnknownMechanism(c.Topic[1])
		}
		return mechanismHelp(t.Out, entry, textWidth(t.Out))
	}
	if topic, ok := helpTopics[strings.Join(c.Topic, "-")]; ok {
		_, err := io.WriteString(t.Out, topic.text())
		return err
	}
	model, err := Commands(c.Topic...)
	if err != nil {
		return err
	}
	node := model.Node
	for _, name := range c.Topic {
		at := slices.IndexFunc(node.Children, func(n *kong.Node) bool { return n.Name == name })
		if at < 0 {
			return c.unknown(node, name)
		}
		node = node.Children[at]
	}
	return WriteHelp(t.Out, node)
}

// unknown refuses a name that is neither a command nor a topic.
func (c *HelpCmd) unknown(node *kong.Node, name string) error {
	names := slices.Collect(maps.Keys(helpTopics))
	for _, child := range node.Children {
		names = append(names, child.Name)
	}
	slices.Sort(names)
	hint := "sotto help lists the commands and topics, sotto help mechanisms NAME describes a mechanism"
	begin := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return !strings.HasPrefix(n, name) })
	mechanism, near := cli.Nearest(name, opening.MechanismNames())
	switch other := cli.DidYouMean(name, names); {
	case near && cli.Edits(mechanism, name) == 0:
		hint = fmt.Sprintf("sotto help mechanisms %s describes this mechanism", mechanism)
	case len(name) > 2 && len(begin) == 1:
		hint = fmt.Sprintf("did you mean %q?", begin[0])
	case other != "":
		hint = other
	case near:
		hint = fmt.Sprintf("did you mean sotto help mechanisms %s?", mechanism)
	}
	return cli.WrongUsage(hint, "there is no help on %q", strings.Join(c.Topic, " "))
}

// printHelp prints the help of the selected command, for --help: of many flags, the common
// ones, and the names of the others.
func printHelp(_ kong.HelpOptions, ctx *kong.Context) error {
	node := ctx.Selected()
	if node == nil {
		node = ctx.Model.Node
	}
	page := pageOf(node)
	if page.Count() > manyFlags {
		page = page.Short(common)
	}
	return page.Text(ctx.Stdout, textWidth(ctx.Stdout))
}

// WriteHelp prints the whole help of a command.
func WriteHelp(w io.Writer, node *kong.Node) error {
	return pageOf(node).Text(w, textWidth(w))
}

// pageOf returns the page of a command, with the lists that no flag or argument shows.
func pageOf(node *kong.Node) manual.Page {
	page := manual.PageOf(node, FlagGroups, notesOf(node))
	switch node.Path() {
	case "":
		list := manual.Section{Title: "Topics (sotto help TOPIC)"}
		for _, name := range slices.Sorted(maps.Keys(helpTopics)) {
			list.Entries = append(list.Entries, manual.Entry{Term: name, Meaning: helpTopics[name].purpose + "."})
		}
		page.Flags = slices.Insert(page.Flags, 0, list)
	case "mechanisms":
		list := manual.Section{Title: "Mechanisms (sotto help mechanisms NAME)"}
		for _, e := range catalog.All() {
			list.Entries = append(list.Entries, manual.Entry{Term: e.Name, Meaning: e.Summary + "."})
		}
		page.Flags = append(page.Flags, list)
	}
	if slices.Contains(Configured, node.Path()) {
		page.Flags = append(page.Flags, variablesSection(node))
	}
	return page
}

// textWidth returns the width of lines for people: that of a terminal within bounds, else
// 80 characters.
func textWidth(w io.Writer) int {
	if waits, ok := w.(*cli.WaitingFile); ok {
		w = waits.File
	}
	if f, ok := w.(*os.File); ok {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
			return min(max(width, 50), 100)
		}
	}
	return 80
}

// A helpTopic is a text of help on no single command.
type helpTopic struct {
	purpose string
	body    func() string
}

func (t helpTopic) text() string { return t.purpose + "\n\n" + t.body() }

//go:embed topics/*.txt
var topicFiles embed.FS

// helpTopics are the topics of help by name. Lists in them come from the code they describe.
var helpTopics = map[string]helpTopic{
	"accounts":    {"Budgets: ledgers, accounts, and what a run charges", written("accounts")},
	"environment": {"Environment variables and folders", EnvironmentHelp},
	"epsilon":     {"What epsilon means, and how to choose it", written("epsilon")},
	"exit-codes":  {"Exit codes of all commands", codesHelp},
	"formats":     {"Formats of input and output", func() string { return "Formats: " + cli.FormatList() + ".\n\n" + written("formats")() }},
	"units":       {"What one epsilon protects: a word, a text, a record, or a user", written("units")},
}

func codesHelp() string {
	var b strings.Builder
	for _, c := range allCodes {
		fmt.Fprintf(&b, "  %-4d  %s\n", c.Number, c.Meaning)
	}
	b.WriteString("\nAfter a failure, nothing partial is left under the name of an output. If the reader of\n" +
		"standard output closes it, a command ends with 1 and prints no message.\n")
	return b.String()
}

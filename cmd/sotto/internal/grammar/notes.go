package grammar

import (
	"cmp"
	"slices"

	"github.com/alecthomas/kong"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/manual"
)

// Exit codes that commands share.
var (
	codeDone    = manual.Code{Number: 0, Meaning: "done"}
	codeFailed  = manual.Code{Number: cli.ExitFailed, Meaning: "failed: a file cannot be read or written, or its content is malformed"}
	codeUsage   = manual.Code{Number: cli.ExitUsage, Meaning: "wrong usage: a flag, a parameter, or a field that the input does not have"}
	codeRefuted = manual.Code{Number: cli.ExitRefuted, Meaning: "audit: refuted; limits: the claimed figure is impossible"}
	codeBudget  = manual.Code{Number: cli.ExitBudget, Meaning: "the budget of the account is exhausted, or a cap per text does not suffice"}
	codeSIGINT  = manual.Code{Number: 130, Meaning: "interrupted (SIGINT)"}
	codeSIGTERM = manual.Code{Number: 143, Meaning: "terminated (SIGTERM)"}
)

// allCodes are the exit codes of the program.
var allCodes = []manual.Code{codeDone, codeFailed, codeUsage, codeRefuted, codeBudget, codeSIGINT, codeSIGTERM}

// ownCodes are exit codes that mean something special for a command, by its path.
var ownCodes = map[string][]manual.Code{
	"audit": {
		{Number: 0, Meaning: "certified, or not refuted; with --verify: the certificate holds"},
		{Number: cli.ExitFailed, Meaning: "failed; with --verify: the certificate does not hold"},
		{Number: cli.ExitRefuted, Meaning: "refuted"},
	},
	"limits":        {{Number: cli.ExitRefuted, Meaning: "the claimed figure is impossible"}},
	"health":        {{Number: 0, Meaning: "the service is ready"}, {Number: cli.ExitFailed, Meaning: "it is not, or it does not answer"}},
	"ledger verify": {{Number: cli.ExitFailed, Meaning: "failed, or the ledger was changed"}},
}

// notesOf returns the examples and exit codes of a command.
func notesOf(node *kong.Node) manual.Notes {
	path := node.Path()
	if path == "" {
		return manual.Notes{Examples: Examples[path], Codes: allCodes}
	}
	codes := slices.Clone(ownCodes[path])
	own := func(c manual.Code) bool {
		return slices.ContainsFunc(codes, func(o manual.Code) bool { return o.Number == c.Number })
	}
	for _, c := range allCodes {
		applies := c.Number != cli.ExitRefuted && (c.Number != cli.ExitBudget || HasFlag(node, "account") || HasFlag(node, "document-epsilon"))
		if applies && !own(c) {
			codes = append(codes, c)
		}
	}
	slices.SortFunc(codes, func(a, b manual.Code) int { return cmp.Compare(a.Number, b.Number) })
	return manual.Notes{Examples: Examples[path], Codes: codes}
}

func HasFlag(node *kong.Node, name string) bool {
	return slices.ContainsFunc(node.Flags, func(f *kong.Flag) bool { return f.Name == name })
}

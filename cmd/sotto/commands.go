package main

import (
	"strings"

	"github.com/alecthomas/kong"
	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/auditing"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/budget"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/corpora"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/derived"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/evaluating"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/grammar"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/look"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/models"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/python"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/release"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/risk"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/serving"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/mechanism/packing"
	"github.com/sotto-dp/sotto/text/about"
)

// allCommands is the command line; each command has a file in the room of its family.
type allCommands struct {
	Try        look.TryCmd            `cmd:"" help:"Show what releases look like, drawn from invented texts."`
	Rewrite    release.RewriteCmd     `cmd:"" help:"Make a private copy of text."`
	Spans      release.SpansCmd       `cmd:"" help:"Print marked places of text: what has a shape, or what a detector found."`
	Originals  release.OriginalsCmd   `cmd:"" help:"Put the originals of a map back into a text, such as an answer to it."`
	Cost       release.CostCmd        `cmd:"" help:"Show what a run would spend and keep; nothing is drawn."`
	Embed      release.EmbedCmd       `cmd:"" help:"Release private vectors of texts or words."`
	Estimate   derived.EstimateCmd    `cmd:"" help:"Count words of private text, corrected for the public channel."`
	Restore    derived.RestoreCmd     `cmd:"" help:"Make a release of words readable, by a public language model."`
	Synthesize corpora.SynthesizeCmd  `cmd:"" help:"Make a private copy of a whole corpus of records."`
	Learn      derived.LearnCmd       `cmd:"" help:"Fit a classifier to released text, corrected for the channel."`
	Explain    risk.ExplainCmd        `cmd:"" help:"Show the exact output distribution of a word."`
	Mechanisms auditing.MechanismsCmd `cmd:"" help:"List the catalogue: guarantee, standing, paper."`
	Embeddings models.EmbeddingsCmd   `cmd:"" help:"Import and inspect vector files."`
	Corpus     corpora.CorpusCmd      `cmd:"" help:"Build and search codebooks of public texts."`
	Compare    risk.CompareCmd        `cmd:"" help:"Compare mechanisms: exact losses, unchanged rate, attack success."`
	Tune       risk.TuneCmd           `cmd:"" help:"Find the epsilon that meets a target."`
	Compile    models.CompileCmd      `cmd:"" help:"Compute a channel file of packing or balanced for a table and an epsilon."`
	Attack     risk.AttackCmd         `cmd:"" help:"Measure what a reader with a language model recovers from releases."`
	Report     evaluating.ReportCmd   `cmd:"" help:"Show what a release of whole texts or of a corpus is worth, and what it reveals, as one page."`
	Audit      auditing.AuditCmd      `cmd:"" help:"Certify or refute one configured mechanism."`
	Limits     auditing.LimitsCmd     `cmd:"" help:"Compute what no mechanism can do, and check a claimed figure."`
	Train      models.TrainCmd        `cmd:"" help:"Train a language model, an autoencoder or a table of words on public text."`
	Serve      serving.ServeCmd       `cmd:"" help:"Serve HTTP, with budgets that cannot be overdrawn."`
	Health     serving.HealthCmd      `cmd:"" help:"Check whether a running service is ready: exit code 0 or 1."`
	Key        serving.KeyCmd         `cmd:"" help:"Make, list and revoke API keys for serve."`
	Ledger     budget.LedgerCmd       `cmd:"" help:"Grant and show budgets, verify and back up the ledger."`
	Worker     python.WorkerCmd       `cmd:"" hidden:"" help:"Serve the program that started this one, over pipes (package sotto of Python)."`
	Help       grammar.HelpCmd        `cmd:"" help:"Describe a command, a topic or a mechanism."`
	Version    versionCmd             `cmd:"" help:"Print the version, the commit, and digests of what is embedded."`
	Completion grammar.CompletionCmd  `cmd:"" help:"Print the script that completes command lines in a shell."`
	Complete   grammar.CompleteCmd    `cmd:"" hidden:"" help:"Complete a command line, for the scripts of completion."`
	Manual     grammar.ManualCmd      `cmd:"" hidden:"" help:"Print manual pages, for packages."`

	grammar.HelpAll
	ShowVersion kong.VersionFlag `name:"version" help:"Print the version and exit."`
}

// variables are the values of placeholders in help texts.
func variables() kong.Vars {
	compiled := models.CompiledMembers()
	vars := kong.Vars{"version": "sotto " + sotto.Version, "formats": cli.FormatList(), "about_lists": strings.Join(about.Lists(), ", "), "compiled_member": compiled[0], "compiled_members": strings.Join(compiled, ", ")}
	gap := packing.GapParameter
	vars["gap"], vars["gap_help"], vars["gap_must"] = gap.Default, strings.ToUpper(gap.Help[:1])+gap.Help[1:], gap.Must()
	for _, use := range []mechanism.Use{mechanism.UseWords, mechanism.UseLatent, mechanism.UseTexts} {
		vars[string(use)+"_member"] = defaultMember(use)
	}
	return vars
}

// defaultMember returns the name of the default mechanism for a use.
func defaultMember(use mechanism.Use) string {
	entry, _ := catalog.Default(use, "")
	return entry.Name
}

// Package evaluating has the command report, which shows what a release is worth and what it
// reveals.
package evaluating

import (
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/opening"
	"github.com/sotto-dp/sotto/request"
)

type ReportCmd struct {
	cli.FormatFlags
	Report string `path:"read" placeholder:"FILE" group:"input" help:"Report of the release. It is verified first."`
	Corpus string `path:"corpus" placeholder:"NAME|FILE" group:"input" help:"The corpus of the release (default: the one that the report names)."`
	Label  string `placeholder:"COLUMN" group:"input" help:"Column of the labels, for --test (default: the column of labels of a synthetic corpus that has one)."`
	Weight string `placeholder:"COLUMN" group:"input" help:"Column of weights, as synthesize --weights writes them."`
	Test   string `path:"file" placeholder:"FILE" group:"input" help:"Labelled texts that were not released: what a classifier that learns from the release names of them. The page is then as private as these texts."`
	request.Encoding
	opening.AboutFlag
	Texts  string `path:"file" placeholder:"FILE" group:"input" help:"Public texts like the private ones, to attack: how often a copy of one is linked to it. For whole texts, with --public."`
	Public bool   `group:"input" help:"Declare --texts public."`
	First  int    `default:"10" placeholder:"N" group:"output" help:"Rows of the release to show (default: 10)."`
	Output string `path:"write" short:"o" placeholder:"FILE" group:"output" help:"Write the page here: one self-contained HTML file."`
	JSON   bool   `name:"json" group:"output" help:"Print the figures as one JSON document."`
	File   string `path:"read" arg:"" optional:"" help:"The release: what synthesize or rewrite --unit text wrote."`
}

func (c *ReportCmd) check() error {
	switch {
	case c.File == "" || c.Report == "":
		return cli.WrongUsage("sotto report copy.csv --report copy.json --field text -o page.html", "report needs a release and --report, what synthesize or rewrite --unit text wrote")
	case c.Output == "" && !c.JSON:
		return cli.WrongUsage("", "report needs -o FILE, the page to write, or --json")
	case c.JSON && c.Output == "-":
		return cli.WrongUsage("write the page to a file with -o", "--json and the page both write to standard output")
	case (c.Texts != "") != c.Public:
		return cli.WrongUsage("", "--texts needs --public, and --public needs --texts: the attack is on public texts")
	case c.EncoderProgram != "" && c.About != "":
		return cli.WrongUsage("", "--encoder-program cannot be used with --about: it makes the vectors")
	case c.EncoderProgram != "" && c.Test == "" && c.Texts == "":
		return cli.WrongUsage("leave it out", "--encoder-program needs --test or --texts: nothing else is encoded")
	case c.First < 0:
		return cli.WrongUsage("", "--first must be 0 or more, got %d", c.First)
	}
	return c.CheckFormat()
}

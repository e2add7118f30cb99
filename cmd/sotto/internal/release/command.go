package release

import (
	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/charging"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/opening"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/release"
	"github.com/sotto-dp/sotto/request"
	"github.com/sotto-dp/sotto/text"
)

type RewriteCmd struct {
	request.Request
	jsonFlag
	cli.InputFlags
	faultFlags
	Output  string `path:"output" short:"o" placeholder:"FILE" group:"output" help:"Write here instead of standard output (.gz and .zst compress); into a folder, each file under its own name."`
	Resume  bool   `group:"output" help:"Continue the run in the folder; finished files are kept."`
	Again   bool   `group:"output" help:"With --resume: redraw missing outputs. Each is a second release and is charged again."`
	Report  string `path:"write" placeholder:"FILE" group:"output" help:"Write the privacy statement here."`
	Workers int    `placeholder:"N" group:"advanced" help:"Parallel batches (default: number of CPUs)."`
	charging.AccountFlags
	charging.QuietFlag

	texts   texts            // what belongs to the texts of a corpus
	spans   spanRows         // of the open file
	lines   *text.SpanLines  // of the input, with SpansField
	unknown []string         // types of marks without a codebook
	kept    keptMap          // with KeepMap
	content sotto.Content    // for the operator
	words   sotto.WordCounts // for the operator
}

// faultFlags are what happens to single records that cannot be read.
type faultFlags struct {
	Missing string `enum:",keep,fail" default:"" placeholder:"WHAT" group:"input" help:"Records of jsonl that lack a field: fail (default), or keep, which copies them as they are."`
	Errors  string `path:"write" placeholder:"FILE" group:"output" help:"Leave out records of jsonl that cannot be read, and list their lines and faults in this file, for the operator. It never has their text."`

	file *faultFile
}

// jsonFlag asks for a document in place of text.
type jsonFlag struct {
	JSON bool `name:"json" group:"output" help:"Print one JSON document."`
}

// spanRows are the spans of each record, or its tokens with their tags.
type spanRows struct {
	spans  []text.Spans
	tagged []text.Tagged
}

// texts is what a run over texts of a corpus has open.
type texts struct {
	vectors *opening.BroughtVectors // of --text-vectors
	name    string                  // their file
	users   *release.Users          // of this run; nil without --user
	pool    *release.Pool           // nil if the output has the layout of the input
	book    *corpus.Corpus          // nil if none is named
	encode  corpus.TextEncoder      // nil if it makes no vectors
}

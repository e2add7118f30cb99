package risk

import (
	"github.com/sotto-dp/sotto/cmd/sotto/internal/opening"
	"github.com/sotto-dp/sotto/request"
)

type AttackCmd struct {
	attackSample
	Label       string   `placeholder:"FIELD" group:"input" help:"Column or path of a label in --texts and --corpus: attack it with a classifier of public texts."`
	Mechanism   []string `short:"m" placeholder:"NAME" sep:"none" group:"privacy" help:"Mechanism to attack (repeatable; default: neighbours). For synthesize, the attack is membership."`
	Epsilon     []string `short:"e" placeholder:"E" sep:"none" group:"privacy" help:"Epsilon of one release, or a range LOW:HIGH:STEP (repeatable)."`
	Marks       []string `placeholder:"TYPE" sep:"none" group:"input" help:"Attack marks of this type (repeatable; see sotto spans --types): how often the right value is named among --among of its codebook. No texts are needed."`
	Frequencies string   `path:"read" placeholder:"FILE" group:"input" help:"With --marks: public frequencies of values, a value, a tab and a number on each line; the most frequent are attacked."`
	openedFlags
	Page string `path:"write" placeholder:"FILE" group:"output" help:"Write a page with plots: one self-contained HTML file."`
	JSON bool   `name:"json" group:"output" help:"Print one JSON document."`
}

type CompareCmd struct {
	Epsilon     []string `short:"e" placeholder:"E" group:"privacy" help:"Epsilon, or a range LOW:HIGH:STEP (repeatable)."`
	EqualAttack *float64 `placeholder:"P" group:"privacy" help:"Also compare at equal risk: each mechanism at the epsilon whose Bayes success is P."`
	openedFlags
	opening.TableFlags
	sampleFlags
	Corpus string `path:"corpus" placeholder:"NAME|FILE" group:"input" help:"For whole texts: the corpus (default: english). For words, with --texts: public text like it, from which the reader's language model is trained."`
	exposedFlag
	JSON      bool     `name:"json" group:"output" help:"Print one JSON document."`
	CSV       bool     `name:"csv" group:"output" help:"Print comma-separated values."`
	Plot      []string `path:"write" placeholder:"FILE" group:"output" help:"Draw the frontier: a .svg or .png file (repeatable)."`
	Mechanism []string `arg:"" optional:"" help:"Mechanisms to compare (default: neighbours, response, tem, exponential, madlib, vickrey, and packing if channels ship for the table)."`
}

type ExplainCmd struct {
	opening.MechanismFlags
	request.Protected
	request.Encoding
	exposedFlag
	Top  int      `default:"10" group:"output" help:"Outputs to show per word or text; 0 shows all."`
	Word []string `arg:"" optional:"" help:"Words to explain; with --unit text or a mechanism for whole texts, whole texts. Optional with --exposed."`
}

type TuneCmd struct {
	Mechanism string   `short:"m" placeholder:"NAME" group:"privacy" help:"Mechanism to tune (default: by the notion; ${texts_member} with --linkage or --topic)."`
	Unchanged *float64 `placeholder:"P" group:"privacy" help:"Target: probability that a word stays unchanged."`
	Attack    *float64 `placeholder:"P" group:"privacy" help:"Target: largest Bayes success of the best guess."`
	Certified *float64 `placeholder:"E" group:"privacy" help:"Target: largest exact metric epsilon."`
	Pure      *float64 `placeholder:"E" group:"privacy" help:"Target: largest exact pure epsilon."`
	Distance  *float64 `placeholder:"D" group:"privacy" help:"Target: least mean distance moved."`
	Recovered *float64 `placeholder:"P" group:"privacy" help:"Target: largest share of the words of --texts, of those that the table knows, that a reader with a language model recovers in context."`
	Linkage   *float64 `placeholder:"P" group:"privacy" help:"Target: largest probability to tell which of 200 texts a release came from: of the texts of --texts or, for whole texts, of those of the corpus."`
	Topic     *float64 `placeholder:"P" group:"privacy" help:"Target for whole texts: least probability that a release has the topic of its text, for the texts of --texts."`
	Corpus    string   `path:"corpus" placeholder:"NAME|FILE" group:"input" help:"For whole texts: the corpus (default: english). For words, with --texts: public text like it, from which the reader's language model is trained."`
	opening.AboutFlag
	sampleFlags
	opening.TableFlags
	openedFlags
	JSON bool `name:"json" group:"output" help:"Print one JSON document."`
}

// openedFlags say how mechanisms are opened, apart from their names and epsilons. They have not
// all parameters as flags: the target --attack of tune differs from the parameter attack.
type openedFlags struct {
	Notion         string `oneof:"pure,metric" placeholder:"KIND" group:"privacy" help:"Kind of guarantee if no mechanism is given: pure or metric."`
	request.Shared `group:"privacy"`
	Param          map[string]string `path:"values" placeholder:"K=V" group:"privacy" help:"Any parameter of the mechanism (repeatable)."`
	Calibrate      string            `oneof:"certified,published" placeholder:"HOW" group:"privacy" help:"Meaning of epsilon for exponential-type mechanisms: certified (default) or published."`
	Accept         string            `oneof:"refuted,stated" placeholder:"STANDING" group:"privacy" help:"Open mechanisms whose standing is below proved, for this call: refuted or stated."`
}

// exposedFlag asks for the most exposed words of the table. They are public: no text is
// read for them.
type exposedFlag struct {
	Exposed *int `placeholder:"N" group:"output" help:"Name the N words of the table (up to 100) that the best guess from one output recovers most often."`
}

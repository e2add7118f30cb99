package risk

import (
	"github.com/sotto-dp/sotto/attack"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/opening"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/language"
	"github.com/sotto-dp/sotto/privacy/provenance"
	"github.com/sotto-dp/sotto/text"
)

// attackSample names the texts that are attacked, and the reader's model.
type attackSample struct {
	Corpus      []string `path:"file" placeholder:"FILE" sep:"none" group:"input" help:"Public text like that of --texts, from which the reader's models are trained (repeatable)."`
	CorpusField []string `placeholder:"PATH" sep:"none" group:"input" help:"Column or path of the texts of --corpus (default: --field, if the corpus has columns)."`
	LM          string   `name:"lm" path:"file" placeholder:"FILE" group:"input" help:"The reader's language model, instead of --corpus."`
	Texts       string   `path:"read" placeholder:"FILE" group:"input" help:"Sample of texts to release and attack; needed except with --marks. Shares of words are of those that the table knows."`
	cli.FormatFlags
	Public bool `group:"privacy" help:"Declare that the sample, and the model of an ARPA file, are public. Otherwise the figures are for the owner of the texts alone."`
	opening.TableFlags
	Codebook string `path:"corpus" placeholder:"NAME|FILE" group:"input" help:"Corpus of mechanisms that release whole texts (default: english)."`
	Among    []int  `default:"200" sep:"none" placeholder:"N" group:"advanced" help:"Texts from which the reader names the released one (repeatable; default: 200)."`
	Order    int    `placeholder:"N" group:"advanced" help:"Words of the longest n-gram of the model of --corpus: 2 to 4 (default: 4)."`
	Reader   string `placeholder:"NAME" group:"advanced" help:"Reader of words: adapted (default with --corpus) also learns from the public texts most like each release; ngram has the model alone."`
	Seed     uint64 `default:"1" placeholder:"N" group:"advanced" help:"Seed of the releases, which protect nothing here (default: 1)."`
}

// The readers of words.
const (
	readerNgram   = "ngram"
	readerAdapted = "adapted"
)

// checkModel checks the flags of the reader's language model: words says whether a
// mechanism is for words, labelled whether labels are attacked too.
func (c *attackSample) checkModel(words, labelled bool) error {
	switch {
	case len(c.Corpus) > 0 && c.LM != "":
		return cli.WrongUsage("", "--corpus cannot be used with --lm")
	case words && len(c.Corpus) == 0 && c.LM == "":
		return cli.WrongUsage("give public text with --corpus, or a model of train language-model with --lm", "an attack on words needs --corpus or --lm, for the reader's language model")
	case !words && (len(c.Corpus) > 0 && !labelled || c.LM != "" || c.Order != 0):
		return cli.WrongUsage("the corpus of whole texts is --codebook", "--corpus, --lm and --order are for attacks on words")
	case !words && c.Reader != "":
		return cli.WrongUsage("", "--reader is for attacks on words")
	case c.Reader != "" && c.Reader != readerNgram && c.Reader != readerAdapted:
		return cli.WrongUsage("", "--reader must be %s or %s, got %q", readerNgram, readerAdapted, c.Reader)
	case c.Reader == readerAdapted && c.LM != "":
		return cli.WrongUsage("give public text with --corpus", "--reader adapted learns from public texts, and --lm has none")
	case c.LM != "" && c.Order != 0:
		return cli.WrongUsage("", "--order is for the model of --corpus")
	case c.Order != 0 && (c.Order < language.MinOrder || c.Order > language.MostTrained):
		return cli.WrongUsage("", "--order must be %d to %d, got %d", language.MinOrder, language.MostTrained, c.Order)
	}
	return nil
}

// corpusFlags are the flags by which a file of the corpus is read.
func (c *attackSample) corpusFlags(name string) *cli.FormatFlags {
	f := c.FormatFlags
	switch format := c.FormatOf(name); {
	case len(c.CorpusField) > 0:
		f.Field = c.CorpusField
	case format == text.Lines || format.Whole: // --field is for the sample
		f.Field = nil
	}
	return &f
}

// attackRun holds the state that the attacks of one command share.
type attackRun struct {
	sample *attackSample
	term   *cli.Terminal
	table  *embedding.Table
	raw    [][]byte
	texts  []attack.Text
	model  *language.Model // nil where no mechanism is for words
	// adapted is nil for a reader who does not adapt.
	adapted *attack.Adapted
	known   int // texts that are in the corpus of the model
	// public: the sample and the model are declared public.
	public bool
	labels *attackLabels // nil without a label
	// whole is nil if no mechanism releases texts of a corpus.
	whole *wholeSample
	// codebook is nil if no mechanism has used it.
	codebook *attackCodebook
}

// attackLabels are the labels of a sample and of public texts, with the public texts.
type attackLabels struct {
	attack.Labels
	public [][]byte
	// original is the share of labels that a classifier of clear texts finds in clear
	// texts, by unit: it is the same at each epsilon.
	original map[string]*attack.Share
}

// wholeSample is the sample in the space of a corpus. It is the same at each epsilon.
type wholeSample struct {
	features *opening.Features
	vectors  []int8
}

// read returns what the figures of the attacks so far were computed from.
func (r *attackRun) read() provenance.Inputs {
	what := []string{"texts"}
	if r.labels != nil {
		what = append(what, "labels")
	}
	c := r.sample
	in := provenance.Inputs{{Kind: provenance.Declared(c.Public), Name: cli.ShownInput(c.Texts), What: what}}
	names := c.Corpus
	if c.LM != "" {
		names, what = []string{c.LM}, []string{"texts"}
	}
	public := c.Public
	if r.model != nil {
		public = r.model.Card().Public
	}
	for _, name := range names {
		in = append(in, provenance.Input{Kind: provenance.Declared(public), Name: cli.ShownInput(name), What: what})
	}
	if r.codebook != nil {
		in = append(in, provenance.Input{Kind: provenance.Declared(r.codebook.declared), Name: r.codebook.Name, What: []string{"texts"}})
	}
	return in
}

func codebookOf(c *corpus.Corpus) *attackCodebook {
	return &attackCodebook{c.Name(), c.Len(), c.Digest(), c.Card().DeclaredPublic}
}

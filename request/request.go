// Package request has what somebody asks for, as data: which mechanism, at which epsilon, over
// which table or corpus, for whom it is charged. It is declared once, with its checks and its
// translation into what package sotto opens.
//
// A front end embeds the parts of a [Request] that it takes. The tags of a field serve all of
// them: json names it in requests of the service and of Python, with hyphens in place of
// underscores it is a flag, help describes the flag and doc, where it differs, the field of the
// service, and oneof lists its values. A front end opens what a request names ([Sources]) and words
// the errors, whose fields are names of flags, for its readers.
package request

import (
	"maps"

	"github.com/sotto-dp/sotto/mechanism"
)

// Request asks for private texts.
type Request struct {
	Opening
	Vocabulary
	InLanguage
	Listed
	Protected
	Latent
	Cap
	Distinct
	Placeholder
	Encoding
	Users
	Marks
	Within
	Certified
	Seeded
}

// Embedding asks for private vectors.
type Embedding struct {
	Opening
	Vocabulary
	InLanguage
	Listed
	Encoding
	Seeded
	Represented
	TextVectors string `json:"text_vectors,omitempty" path:"file" placeholder:"FILE.npy" group:"input" help:"With a corpus built with --vectors: vectors of the texts, row i for record i of the input."`
}

// Represented is what a private vector represents.
type Represented struct {
	Of     string `json:"of,omitempty" oneof:"documents,words" placeholder:"WHAT" default:"documents" group:"privacy" help:"What a vector represents: documents (a text's average) or words (each token)."`
	Corpus string `json:"corpus,omitempty" path:"table" placeholder:"NAME|FILE" group:"input" help:"Corpus whose encoder makes the vectors of whole texts, in place of averages of words. The public map of vectors is fitted on its texts."`
	Raw    bool   `json:"raw,omitempty" group:"privacy" help:"For a mechanism with a codebook: write the vectors as drawn, not scaled to be unbiased by the report's debias."`
}

// Opening names a mechanism and its parameters.
type Opening struct {
	Mechanism  string   `json:"mechanism,omitempty" short:"m" placeholder:"NAME" group:"privacy" help:"Mechanism of the catalogue (default: by the notion)." doc:"Name in the catalogue; default: neighbours, or packing for the metric notion, or retrieval for whole texts."`
	Notion     string   `json:"notion,omitempty" oneof:"pure,metric" placeholder:"KIND" group:"privacy" help:"Kind of guarantee if no mechanism is given: pure or metric." doc:"Kind of guarantee if no mechanism is named."`
	Epsilon    *float64 `json:"epsilon,omitempty" short:"e" placeholder:"E" group:"privacy" help:"Privacy parameter of one release: of a token, a text or a vector; no default." doc:"Privacy parameter per token, or per text with unit text. It has no default. A cap for whole texts may choose it."`
	Parameters `group:"parameters"`
	Param      map[string]Value `json:"parameters,omitempty" name:"param" path:"values" placeholder:"K=V" group:"privacy" help:"A parameter of the mechanism by name, as an alternative to its flag (repeatable)." doc:"The mechanism's parameters by name, as an alternative to the fields below."`
	Calibrate  string           `json:"calibrate,omitempty" oneof:"certified,published" placeholder:"HOW" group:"privacy" help:"Meaning of epsilon for exponential-type mechanisms: certified (default) or published." doc:"What epsilon means for exponential-type members; default: certified."`
	Accept     string           `json:"accept,omitempty" oneof:"refuted,stated" placeholder:"STANDING" group:"privacy" help:"Open mechanisms whose standing is below proved, for this call: refuted or stated." doc:"Open mechanisms whose standing is below proved, for this request only, if the server allows it."`
}

// Vocabulary is the table of the words.
type Vocabulary struct {
	Embeddings string `json:"embeddings,omitempty" path:"table" placeholder:"NAME|FILE" group:"input" help:"Embedded table, imported table, or vector file (default: english)." doc:"Name of one of the server's tables; default: the first."`
	Words      *int   `json:"words,omitempty" placeholder:"N" group:"input" help:"Use only the first N words of the table." doc:"Use only the first words of the table."`
}

// Listed are the words of the table that never come out.
type Listed struct {
	Never string `json:"never,omitempty" path:"table" placeholder:"FILE|default" group:"privacy" help:"Public list of words that never come out, one per line, or default: remains of markup, and slurs. A listed word of a text is read as the word nearest to it."`
}

// Protected is what one draw protects.
type Protected struct {
	Unit   string `json:"unit,omitempty" oneof:"word,text" placeholder:"WHAT" group:"privacy" help:"What epsilon protects: word, each token at its position (the default), or text, a whole text with all its words."`
	Corpus string `json:"corpus,omitempty" path:"table" placeholder:"NAME|FILE" group:"input" help:"With --unit text: corpus of public texts, which are the outputs (see sotto corpus build; default: english, embedded)." doc:"With unit text: name of one of the server's corpora, whose texts are the outputs; default: the first."`
}

// Latent is the model that rewrites whole texts.
type Latent struct {
	Model  string `json:"model,omitempty" path:"read" placeholder:"FILE" group:"privacy" help:"Model of sotto train autoencoder: rewrites whole texts (adept), each with epsilon."`
	Pieces int    `json:"pieces,omitempty" placeholder:"N" group:"privacy" help:"With --model: pieces per text, each costing epsilon (default: 1); texts that do not fit are refused."`
	Beam   int    `json:"beam,omitempty" placeholder:"N" group:"advanced" help:"With --model: beam width of the decoder (default: 1, greedy)."`
}

// Cap bounds the loss of a whole text.
type Cap struct {
	DocumentEpsilon *float64 `json:"document_epsilon,omitempty" placeholder:"E" group:"privacy" help:"Cap on the loss of a whole text, in nats. Chooses --epsilon if that is left out." doc:"Cap on the loss of a whole text, in nats. If epsilon is left out, the largest one that satisfies the cap is chosen."`
	DocumentDelta   float64  `json:"document_delta,omitempty" default:"0" placeholder:"D" group:"privacy" help:"Delta of that cap; 0 (default) makes the cap pure." doc:"Delta of that cap; 0 (the default) makes the cap pure."`
	DocumentTokens  int      `json:"document_tokens,omitempty" placeholder:"N" group:"privacy" help:"The longest text allowed, in tokens. Choose it without looking at the texts."`
	Over            string   `json:"over,omitempty" oneof:"refuse,clamp" placeholder:"HOW" group:"privacy" help:"Treatment of longer texts: refuse (default), or clamp, which draws the tokens beyond at random." doc:"Treatment of longer texts: refuse (default) gives an error for the item, which is not charged; clamp draws the tokens beyond the cap at random."`
}

// Distinct makes one draw for each distinct word of a text.
type Distinct struct {
	Consistent bool `json:"consistent,omitempty" group:"privacy" help:"One replacement per distinct word of a text (a line, a field): reveals which positions hold the same word." doc:"Draw once per distinct word of a text. The claim is then per distinct word, and which positions hold the same word is revealed."`
	// Scoped extends it to the texts of a scope, for a front end that stores replacements.
	Scoped bool `json:"-" kong:"-"`
}

// Placeholder is how an unknown word is written.
type Placeholder struct {
	Unknown string `json:"unknown,omitempty" placeholder:"TEXT" group:"output" help:"Written where the table's entry for unknown words is drawn, in place of <unk>: one word that the table lacks."`
}

// Encoding is an encoder of one's own.
type Encoding struct {
	EncoderProgram string `json:"encoder_program,omitempty" placeholder:"CMD" group:"input" help:"With a corpus built with it: command of a program that makes the vectors of texts. It sees the texts, also private ones, and must look at one text at a time."`
}

// Users are for whole texts of a corpus: their vectors, their users, and a layout of their own.
type Users struct {
	TextVectors  string   `json:"text_vectors,omitempty" path:"file" placeholder:"FILE.npy" group:"input" help:"With a corpus built with --vectors: vectors of the texts, row i for record i of the input."`
	Shuffle      bool     `json:"shuffle,omitempty" group:"privacy" help:"Write only the released texts, in random order. The report adds the guarantee against readers of that file."`
	ShuffleDelta *float64 `json:"shuffle_delta,omitempty" placeholder:"D" group:"privacy" help:"Delta of that guarantee (default: the smaller of 1e-6 and n^-1.5 for n texts)."`
	User         string   `json:"user,omitempty" placeholder:"FIELD" group:"privacy" help:"Column or path that names the user of a record: epsilon is then per user, in this run."`
	PerUser      int      `json:"per_user,omitempty" placeholder:"M" group:"privacy" help:"Release the first M rows of each user, each at epsilon/M, and leave out the others."`
	Pad          bool     `json:"pad,omitempty" group:"privacy" help:"Write exactly M texts per user, sorted by user, and nothing else: hides how many rows a user has."`
}

// Marks choose what is rewritten of a text.
type Marks struct {
	Spans         string   `json:"spans,omitempty" path:"read" placeholder:"FILE" group:"privacy" help:"Rewrite only what these spans mark and copy the rest: JSON lines, line i for record i, as Presidio's analyzer or spaCy writes them. The guarantee is conditional on the spans, and there is none for a text."`
	SpansField    string   `json:"spans_field,omitempty" placeholder:"NAME" group:"privacy" help:"The same with spans from a field of each record of JSON lines. The field is left out of the output: detectors store there what they found."`
	SpansFormat   string   `json:"spans_format,omitempty" oneof:"jsonl,conll" placeholder:"NAME" group:"input" help:"Form of --spans: jsonl, or conll with a token and its tag on each line and an empty line between records (default: by extension, else jsonl)."`
	MarkPatterns  bool     `json:"mark_patterns,omitempty" group:"privacy" help:"Mark what has a shape too: e-mail addresses, URLs, phone, card and account numbers, dates, times, ages, money, national numbers, long digits, keys and passwords. It does not find names. What is missed stays in clear."`
	MarkedEpsilon *float64 `json:"marked_epsilon,omitempty" placeholder:"E" group:"privacy" help:"With --spans, --spans-field or --mark-patterns: draw what is marked at this epsilon and the rest at --epsilon, instead of copying the rest. Both guarantees are conditional on the spans."`
}

// Within replaces marks within their types.
type Within struct {
	Typed        bool               `json:"typed,omitempty" group:"privacy" help:"Replace each mark by a value of its type: a name by a name, a date by a date. Epsilon is per mark, for types in order (dates, times, ages, money, numbers); of other types nothing remains. It may be 0. What is not marked stays in clear."`
	TypeCodebook map[string]string  `json:"type_codebook,omitempty" path:"values" placeholder:"TYPE=FILE" group:"privacy" help:"With --typed: the public codebook of a type, a value on each line, or the name of an embedded one such as person-de (repeatable)."`
	TypeEpsilon  map[string]float64 `json:"type_epsilon,omitempty" path:"values" placeholder:"TYPE=E" group:"privacy" help:"With --typed: the epsilon of marks of this type (repeatable)."`
	StrictTypes  bool               `json:"strict_types,omitempty" group:"privacy" help:"With --typed: end the run at a type that has no codebook. Without it, the words of such marks are drawn like any words, and their number shows."`
	KeepMap      string             `json:"keep_map,omitempty" path:"update" placeholder:"FILE" group:"privacy" help:"With --typed: draw a value once, for all texts of this run and of later ones with the same file. The file holds the originals and is for its owner alone: whoever has it undoes the release."`
}

// Certified is a certificate that must hold.
type Certified struct {
	RequireCertificate string `json:"require_certificate,omitempty" path:"read" placeholder:"FILE" group:"privacy" help:"Refuse to run unless this certificate (sotto audit --certificate) is for this mechanism and table."`
}

// Seeded makes draws that protect nothing.
type Seeded struct {
	InsecureSeed *uint64 `json:"insecure_seed,omitempty" placeholder:"N" group:"advanced" help:"Reproducible draws, for tests only: marked in the report."`
}

// Payment names the account that a run charges.
type Payment struct {
	Account string `json:"account,omitempty" placeholder:"NAME" group:"budget" help:"Charge this account of the ledger before each draw; exit code 4 when its budget is exhausted."`
	Ledger  string `json:"ledger,omitempty" path:"ledger" placeholder:"FILE|URL" group:"budget" help:"Ledger of the account: SQLite file, or postgres://user@host/database."`
}

// Values returns the parameters of the mechanism by name.
func (o *Opening) Values() mechanism.Values {
	all := mechanism.Values{}
	for name, value := range o.Param {
		all[name] = string(value)
	}
	maps.Copy(all, Given(o.Parameters))
	return all
}

package release

import (
	"context"
	"runtime"

	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/statement"
	"github.com/sotto-dp/sotto/text"
)

// Stream configures how texts are found in a stream and charged.
type Stream struct {
	Format *text.Format // nil means text.Lines
	// Fields are the columns (csv, tsv, parquet) or paths (jsonl) of the texts.
	// Everything else is copied byte for byte and is not protected.
	Fields []string
	// Invalid is the treatment of input that is not UTF-8. The zero value ends the stream
	// with a *text.InputError.
	Invalid text.Invalid
	// KeepMissing and Fault are the same as in text.Options. They are refused for whole
	// texts, because the output would show which records have a text, and with marks, which
	// belong to records by number.
	KeepMissing bool
	Fault       func(*text.InputError) error
	// Workers is the number of batches processed in parallel; 0 means the number of CPUs.
	Workers int
	// Vectors, if not nil, are the vectors of the texts: row i is for record i of the
	// stream, counted from 0, whether or not the record holds a text. A record may hold
	// at most one text. They are required if the corpus was built from given vectors, and
	// refused otherwise. If the numbers of rows and records differ, the stream ends with
	// a *privacy.ParameterError.
	Vectors TextVectors
	// Spans, if not nil, are the marked places of the texts: list i is for record i of the
	// stream, counted from 0, whether or not the record holds a text. A record may hold at
	// most one text. They are required if the unit is [privacy.MarkedToken], and refused otherwise. An
	// input whose first record begins with a byte order mark ends with a *text.InputError,
	// because the spans may or may not count the mark. text.ReplaceInvalid is refused,
	// because it is unknown how many characters the spans count for invalid bytes.
	Spans TextSpans
	// Detect, if not nil, returns the marks of each text: those of Spans, which may then be
	// nil, and what it finds besides, as detect.Patterns does. Where the claim is to hold for
	// the marks of Spans, what it finds does not depend on what they hold. It is safe for
	// concurrent use, and reads one text at a time: without Spans a record may hold several.
	Detect func(of []byte, given text.Spans) (text.Spans, error)
	// Users, if not nil, leaves out the rows of a user beyond the first Needs.PerUser.
	// It is required if Needs.PerUser is not 0. A record may then hold at most one text.
	Users *Users
	// Alone gives every record exactly one draw, of which nothing else is released: its
	// loss is that of its text, and [Pending.Claim] is per record. A null is drawn for as
	// the empty text. It is for whole texts, in formats that are Bare or into a [Pool]
	// without users. A stream that may hold several texts of a record, or copies more of it,
	// ends with a *text.FieldError before anything is charged. Names of files are the
	// caller's.
	Alone bool
	// Charge, if not nil, is called before each draw with the number of the batch. If it
	// returns an error, the stream ends and nothing of the batch is drawn.
	Charge func(ctx context.Context, batch uint64, p *Pending) error
	// Price, if not nil, is called by Count for each batch that Copy would charge for.
	Price func(*Pending) error
	// Prompt releases the texts read so far when the input pauses; where a length is hidden,
	// as that of a whole text or of a mark within its type, each text is then released by
	// itself, because where an input pauses depends on lengths. Otherwise output comes in
	// batches of about 256 KiB of input, or of 256 records where lengths are hidden. Charged
	// batches of these always have this size.
	Prompt bool
	// First is the number of the first batch: its [Position] in the run.
	First uint64
	// Key, if not nil, determines the draws, so that they can be made again: a second Copy
	// of the same input with the same settings gives the same output, which is one release.
	// The draws of a batch follow from the key, the number of the batch, its texts and what
	// comes with them, so that no change of the input meets the same noise. A change is
	// visible, batch by batch, to a reader of both outputs unless the key is another one:
	// derive it from a digest of the whole input, and from all settings. It is as secret as
	// the texts. [Pending.Name] names the draws. A Pool takes no key.
	Key *noise.Key
	// Part and Rest are the same as in text.Options.
	Part int
	Rest bool
	// copied is whether what is outside of marks is copied.
	copied bool
	// Counts and Content, if not nil, are increased by what was read. Content is as
	// private as the texts.
	Counts  *statement.Counts
	Content *statement.Content
	// Words, if not nil, is increased by the words that were drawn or, in [Loop.Count],
	// would be drawn. It is as private as the texts.
	Words *WordCounts
}

// options are what every reader of the stream has.
func (s Stream) options() text.Options {
	return text.Options{Fields: s.Fields, Invalid: s.Invalid, Prompt: s.Prompt, Part: s.Part, Rest: s.Rest, KeepMissing: s.KeepMissing, Fault: s.Fault, Places: s.Spans != nil, Kept: s.copied}
}

// textsPerCharge is the number of records of a batch whose lengths are hidden.
const textsPerCharge = 256

// recordsAtOnce returns the number of records of a batch; 0 is as many as a batch holds.
// Each batch is charged and written separately, so where lengths are hidden the batches must
// not depend on them.
func recordsAtOnce(unit privacy.Unit) int {
	if unit.HidesLength() {
		return textsPerCharge
	}
	return 0
}

func (s Stream) whole() bool { return s.Format != nil && s.Format.Whole }

// entire returns the stream with each text in one piece.
func (s Stream) entire() Stream {
	if s.whole() {
		s.Format = text.File
	}
	return s
}

func (s Stream) workers() int {
	if s.Workers > 0 {
		return s.Workers
	}
	return runtime.GOMAXPROCS(0)
}

// apart reports whether the stream is split into records.
func (s Stream) apart() bool { return s.Vectors != nil || s.marks() || s.Users != nil }

// aligned reports whether something comes with each record by its number, which is then for its
// one text. What is detected comes with each text.
func (s Stream) aligned() bool { return s.Vectors != nil || s.Spans != nil || s.Users != nil }

// marks reports whether texts come with marked places.
func (s Stream) marks() bool { return s.Spans != nil || s.Detect != nil }

// TextVectors are the vectors of the texts of a stream from the caller's encoder, one per
// record. The claim depends on the encoder being public and reading one text at a time.
// They are safe for concurrent use.
type TextVectors interface {
	// Shape returns the number of rows and the number of components per row.
	Shape() (rows, components int)
	// Row reads row i, counted from 0, into v.
	Row(v []float64, i int) error
}

// TextSpans are the marked places of the texts of a stream, one list per record, as a
// detector found them. They are safe for concurrent use.
type TextSpans interface {
	// Rows returns the number of lists.
	Rows() int
	// Row returns the spans of record i, counted from 0. Its text is nil if the record has none.
	Row(i int, of []byte) ([]text.Span, error)
}

package request

import (
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/privacy"
)

// What a request has that no single field says.
const (
	wholeTexts = "unit text" // by the unit, the corpus, the model or the mechanism
	unitWord   = "unit word"
	latents    = "mechanism of a model"
)

// conflicts are the combinations that are refused. The first row that applies is reported.
var conflicts = []struct {
	field  string
	needs  bool // else they exclude each other
	other  string
	reason string
}{
	{"corpus", false, unitWord, "a corpus replaces whole texts"},
	{"model", false, unitWord, "a model rewrites whole texts"},
	{"corpus", false, "model", "texts are replaced by those of a corpus, or rewritten through a model"},
	{latents, true, "model", "it rewrites whole texts through one"},
	{"pieces", true, "model", "a model's texts are cut into pieces"},
	{"beam", true, "model", "it is the beam width of the model's decoder"},
	{"words", false, "model", "the vocabulary is the model's"},
	{"words", false, wholeTexts, "the corpus names the table of its encoder"},
	{"never", false, wholeTexts, "its outputs are not words of a table"},
	{"unknown", false, wholeTexts, "its outputs are not words of a table"},
	{"consistent", false, wholeTexts, "it is for words"},

	{"document-epsilon", false, wholeTexts, "epsilon already is per whole text"},
	{"document-delta", true, "document-epsilon", "it belongs to the cap on a whole text"},
	{"document-tokens", true, "document-epsilon", "the cap on a whole text is divided among the tokens"},
	{"over", true, "document-epsilon", "it is for texts longer than the cap allows"},
	{"document-epsilon", true, "document-tokens", "it is divided among the tokens of the longest text allowed"},
	{"consistent", false, "document-epsilon", "the cap is for draws per token"},

	{"text-vectors", true, wholeTexts, "they are compared with a corpus"},
	{"shuffle", true, wholeTexts, "texts of a corpus are shuffled"},
	{"shuffle-delta", true, "shuffle", "it is the delta of its guarantee"},
	{"user", true, wholeTexts, "it is for texts of a corpus"},
	{"per-user", true, "user", "user is the field that names the user of a row, and per-user how many rows of a user are released"},
	{"user", true, "per-user", "user is the field that names the user of a row, and per-user how many rows of a user are released"},
	{"pad", true, "user", "padding is per user"},
	{"text-vectors", false, "model", "they are compared with a corpus"},
	{"encoder-program", true, wholeTexts, "its vectors are compared with a corpus"},
	{"encoder-program", false, "text-vectors", "vectors are given, or made by the program"},
	{"encoder-program", false, "model", "its vectors are compared with a corpus"},
	{"shuffle", false, "model", "texts of a corpus are shuffled"},
	{"user", false, "model", "it is for texts of a corpus"},

	{"marked-epsilon", true, "spans", "it is for the tokens that they mark"},
	{"marked-epsilon", false, "require-certificate", "a certificate is for one mechanism, and two are opened"},
	{"spans", false, "spans-field", "spans are in a file of their own or in the records"},
	{"spans", false, wholeTexts, "what is not marked is copied, so a whole text has no guarantee"},
	{"spans", false, "consistent", "the same word may also be outside the spans"},
	{"spans", false, "document-epsilon", "what is not marked is copied, so the loss of a whole text has no bound"},
	{"spans-format", true, "spans", "it is the form of their file"},
	{"type-codebook", true, "typed", "it is for a type of marks"},
	{"type-epsilon", true, "typed", "it is for a type of marks"},
	{"strict-types", true, "typed", "it is for types of marks"},
	{"keep-map", true, "typed", "it has what replaces values of types"},
	{"typed", true, "spans", "it is for marks: those that a detector found, or those of mark-patterns"},
	{"typed", false, "mechanism", "types have their own"},
	{"typed", false, "param", "types have their own"},
	{"typed", false, "calibrate", "types have their own"},
	{"typed", false, "marked-epsilon", "what is not marked is copied"},
	{"typed", false, "unknown", "the outputs are values of types"},
	{"typed", false, "require-certificate", "each type has its own certificate"},
	{"keep-map", false, "insecure-seed", "a map is of a release"},
	{"require-certificate", false, "model", "certificates for models do not exist"},
}

// Whole reports whether whole texts are replaced or rewritten, and not their words.
func (r *Request) Whole() bool { return r.wholeBy() != "" }

// wholeBy names the field that chooses whole texts; empty if words are drawn.
func (r *Request) wholeBy() string {
	entry, _ := catalog.Find(r.Mechanism)
	switch {
	case r.Unit == string(privacy.Text):
		return wholeTexts
	case r.Unit != "":
		return ""
	case r.Corpus != "":
		return "corpus"
	case r.Model != "":
		return "model"
	case entry.WholeTexts():
		return "mechanism " + entry.Name
	}
	return ""
}

// Check refuses what no table or corpus could serve, before anything is opened. who asks, for
// the errors: *ConflictError, *ValueError, *MissingEpsilonError, *sotto.UnknownMechanismError
// and *privacy.ParameterError.
func (r *Request) Check(who string) error {
	if err := checkValues(r); err != nil {
		return err
	}
	if err := r.CheckLanguage(); err != nil {
		return err
	}
	entry, _ := catalog.Find(r.Mechanism)
	whole := r.wholeBy()
	given := map[string]bool{unitWord: r.Unit == "word", latents: latentAlone(entry)}
	for f := range fields(reflect.ValueOf(r).Elem()) {
		given[f.name] = !f.value.IsZero()
	}
	given[wholeTexts] = whole != ""
	named := map[string]string{wholeTexts: whole, latents: "mechanism " + entry.Name}
	if whole == "" {
		named[wholeTexts] = wholeTexts
	}
	switch { // what holds for one way of marking holds for the others
	case r.Spans != "":
	case r.SpansField != "":
		given["spans"], given["spans-field"] = true, false
		named["spans"] = "spans-field"
	case r.MarkPatterns:
		given["spans"] = true
		named["spans"] = "mark-patterns"
	}
	given["param"] = len(r.Values()) > 0 // by the fields of parameters too
	if r.Typed {                         // consistent is then about marks
		given["consistent"] = false
	}
	name := func(field string) string {
		if n := named[field]; n != "" {
			return n
		}
		return field
	}
	for _, c := range conflicts {
		if given[c.field] && given[c.other] != c.needs {
			return &ConflictError{name(c.field), c.needs, name(c.other), c.reason}
		}
	}
	per := "token"
	switch {
	case whole != "":
		per = "text"
	case r.Typed:
		per = string(privacy.Mark)
	}
	if err := r.checkTypes(who); err != nil {
		return err
	}
	if r.Typed && r.Epsilon != nil && *r.Epsilon == 0 {
		return nil
	}
	return r.check(who, per, r.DocumentEpsilon != nil)
}

// checkTypes refuses a wrong epsilon of a type.
func (w *Within) checkTypes(who string) error {
	for _, name := range slices.Sorted(maps.Keys(w.TypeEpsilon)) {
		if e := w.TypeEpsilon[name]; e != 0 {
			if err := privacy.CheckEpsilon(who+": type "+strconv.Quote(name), e); err != nil {
				return err
			}
		}
	}
	return nil
}

// latentAlone reports whether a member does nothing but rewrite through a model.
func latentAlone(entry mechanism.Entry) bool {
	return entry.New == nil && entry.NewRetriever == nil && entry.NewLatent != nil
}

// Check is [Request.Check] for vectors.
func (e *Embedding) Check(who string) error {
	if err := checkValues(e); err != nil {
		return err
	}
	if err := e.CheckLanguage(); err != nil {
		return err
	}
	switch {
	case e.Never != "":
		return &ConflictError{"never", false, "vectors", "its outputs are not words of a table"}
	case e.EncoderProgram != "" && e.Corpus == "":
		return &ConflictError{"encoder-program", true, "corpus", "the map of vectors is fitted on the texts of a corpus that was built with it"}
	case e.TextVectors != "" && e.Corpus == "":
		return &ConflictError{"text-vectors", true, "corpus", "the map of vectors is fitted on the texts of a corpus that was built with such vectors"}
	case e.EncoderProgram != "" && e.TextVectors != "":
		return &ConflictError{"encoder-program", false, "text-vectors", "vectors are given, or made by the program"}
	case e.Corpus != "" && e.Words != nil:
		return &ConflictError{"words", false, "corpus", "the corpus names the table of its encoder"}
	case e.Corpus != "" && e.Of == "words":
		return &ConflictError{"corpus", false, "of words", "its encoder reads whole texts"}
	}
	return e.Opening.check(who, "vector", false)
}

// Check refuses an opening alone, for a command that opens a mechanism for tokens or texts.
func (o *Opening) Check(who, per string) error {
	if err := checkValues(o); err != nil {
		return err
	}
	return o.check(who, per, false)
}

// check refuses an unknown mechanism and a wrong epsilon. Chosen says that something else
// determines epsilon if it is not given.
func (o *Opening) check(who, per string, chosen bool) error {
	if _, ok := catalog.Find(o.Mechanism); !ok && o.Mechanism != "" {
		return &sotto.UnknownMechanismError{Name: o.Mechanism}
	}
	switch {
	case o.Epsilon != nil:
		return privacy.CheckEpsilon(who, *o.Epsilon)
	case !chosen:
		return &MissingEpsilonError{who, per}
	}
	return nil
}

// checkValues refuses values that are not among those of their fields.
func checkValues(of any) error {
	for f := range fields(reflect.ValueOf(of).Elem()) {
		tag := f.of.Tag.Get("oneof")
		if value := f.value.String(); tag != "" && value != "" && !slices.Contains(strings.Split(tag, ","), value) {
			return &ValueError{f.name, strconv.Quote(value), oneOf(tag)}
		}
	}
	return nil
}

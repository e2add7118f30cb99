package sotto

import (
	"fmt"

	"github.com/sotto-dp/sotto/privacy"
)

// Setting names a field of a [Config], a value of one, or a use, in a [ConflictError].
type Setting string

// The settings that may be in conflict.
const (
	UnitToken              Setting = "Unit token"
	UnitWord               Setting = "Unit distinct word"
	UnitText               Setting = "Unit text"
	SettingScoped          Setting = "Scoped"
	SettingModel           Setting = "Model"
	SettingCorpus          Setting = "Corpus"
	SettingPerUser         Setting = "PerUser"
	SettingRaw             Setting = "Raw"
	SettingUnknown         Setting = "Unknown"
	SettingMarked          Setting = "Marked"
	SettingMarkedEpsilon   Setting = "MarkedEpsilon"
	SettingPieces          Setting = "Pieces"
	SettingBeam            Setting = "Beam"
	SettingCertificate     Setting = "Certificate"
	SettingDocumentEpsilon Setting = "DocumentEpsilon"
	SettingDocumentDelta   Setting = "DocumentDelta"
	SettingDocumentTokens  Setting = "DocumentTokens"
	SettingOver            Setting = "Over"
	UseVectors             Setting = "vectors"           // OpenEmbedder
	UseParts               Setting = "parts of one text" // Position.Of, or a stream that is one text
)

// conflict is a row of the table below: a setting that excludes another, or needs it.
type conflict struct {
	setting Setting
	needs   bool // else it excludes the other
	other   Setting
	reason  string
}

// conflicts lists the combinations that are refused. The first row that applies is
// reported.
var conflicts = []conflict{
	{SettingPieces, true, SettingModel, "a model's texts are cut into pieces"},
	{SettingBeam, true, SettingModel, "it is the beam width of the model's decoder"},
	{SettingRaw, true, UseVectors, "only vectors are scaled"},
	{SettingPerUser, true, UnitText, "it counts the texts of a user"},
	{SettingDocumentDelta, true, SettingDocumentEpsilon, "it belongs to the cap on a whole text"},
	{SettingDocumentTokens, true, SettingDocumentEpsilon, "the cap on a whole text is divided among the tokens"},
	{SettingOver, true, SettingDocumentEpsilon, "it is for texts longer than the cap allows"},

	{SettingModel, false, UnitToken, "a model rewrites whole texts"},
	{SettingModel, false, UnitWord, "a model rewrites whole texts"},
	{SettingCorpus, false, UnitToken, "a corpus replaces whole texts"},
	{SettingCorpus, false, UnitWord, "a corpus replaces whole texts"},
	{SettingCorpus, false, SettingModel, "texts are replaced by those of a corpus, or rewritten through a model"},
	{SettingPerUser, false, SettingModel, "it needs a corpus"},
	{SettingScoped, false, UnitToken, "a scope has one replacement per distinct word"},
	{SettingScoped, false, UnitText, "a scope is for words"},

	{UnitWord, false, SettingDocumentEpsilon, "the cap is for draws per token"},
	{UnitText, false, SettingDocumentEpsilon, "epsilon already is per whole text"},
	{SettingModel, false, SettingCertificate, "certificates for models do not exist"},

	{SettingMarkedEpsilon, true, SettingMarked, "it is for the tokens inside spans"},
	{SettingMarkedEpsilon, false, SettingCertificate, "a certificate is for one mechanism, and two are opened"},
	{SettingMarked, false, UnitText, "what is not marked is copied, so a whole text has no guarantee"},
	{SettingMarked, false, UnitWord, "the same word may also be outside the spans"},
	{SettingMarked, false, SettingDocumentEpsilon, "what is not marked is copied, so the loss of a whole text has no bound"},
	{UseVectors, false, SettingMarked, "a vector depends on all words"},
	{UseParts, false, SettingMarked, "the spans are for one whole text"},
	{SettingUnknown, false, UnitText, "its outputs are not words of a table"},
	{UseVectors, false, SettingUnknown, "the outputs are not words"},
	{UseVectors, false, UnitWord, "each vector is drawn separately"},
	{UseVectors, false, UnitText, "vectors come from the table's words"},
	{UseVectors, false, SettingDocumentEpsilon, "a cap is for rewritten texts"},
	{UseVectors, false, SettingCertificate, "certificates for vectors do not exist"},

	{UseParts, false, UnitWord, "a word that occurs in two parts would be drawn twice"},
	{UseParts, false, UnitText, "each part would be protected as a separate text"},
}

// ConflictError reports that two settings cannot be combined, or that one needs another.
type ConflictError struct {
	Setting Setting
	Needs   bool // Setting needs Other; otherwise they exclude each other
	Other   Setting
	Reason  string
}

func (e *ConflictError) Error() string {
	if e.Needs {
		return fmt.Sprintf("sotto: %s needs %s: %s", e.Setting, e.Other, e.Reason)
	}
	return fmt.Sprintf("sotto: %s cannot be used with %s: %s", e.Setting, e.Other, e.Reason)
}

// settings returns the settings in use.
func (cfg *Config) settings() map[Setting]bool {
	unit := cfg.unit()
	return map[Setting]bool{
		UnitToken: unit == privacy.Token, UnitWord: unit == privacy.Word, UnitText: unit == privacy.Text,
		SettingScoped: cfg.Scoped, SettingModel: cfg.Model != nil, SettingCorpus: cfg.Corpus != nil, SettingRaw: cfg.Raw, SettingUnknown: cfg.Unknown != "", SettingMarked: cfg.Marked, SettingMarkedEpsilon: cfg.MarkedEpsilon != 0, SettingPerUser: cfg.PerUser != 0, SettingPieces: cfg.Pieces != 0, SettingBeam: cfg.Beam != 0,
		SettingCertificate:     cfg.Certificate != nil,
		SettingDocumentEpsilon: cfg.DocumentEpsilon != 0, SettingDocumentDelta: cfg.DocumentDelta != 0,
		SettingDocumentTokens: cfg.DocumentTokens != 0, SettingOver: cfg.Over != "",
	}
}

// check refuses a configuration whose settings conflict, for some uses.
func (cfg *Config) check(uses ...Setting) error {
	switch cfg.unit() {
	case privacy.Token, privacy.Word, privacy.Text:
	default:
		return privacy.Bad("sotto", "unit", fmt.Sprintf("%q", cfg.Unit), fmt.Sprintf("%q, %q or %q", privacy.Token, privacy.Word, privacy.Text))
	}
	given := cfg.settings()
	for _, use := range uses {
		given[use] = true
	}
	for _, c := range conflicts {
		if given[c.setting] && given[c.other] != c.needs {
			return &ConflictError{c.setting, c.needs, c.other, c.reason}
		}
	}
	return nil
}

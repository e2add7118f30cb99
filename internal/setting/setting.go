// Package setting names what a configuration sets, in errors that say which settings cannot be
// combined. Front ends word them by these names.
package setting

// Fields of a configuration, values of one, and uses of it.
const (
	UnitToken       = "Unit token"
	UnitWord        = "Unit distinct word"
	UnitText        = "Unit text"
	UnitMark        = "Unit mark"
	Scoped          = "Scoped"
	Model           = "Model"
	Corpus          = "Corpus"
	PerUser         = "PerUser"
	Marked          = "Marked"
	MarkedEpsilon   = "MarkedEpsilon"
	Pieces          = "Pieces"
	Beam            = "Beam"
	Certificate     = "Certificate"
	DocumentEpsilon = "Cap"
	UseParts        = "parts of one text" // Position.Of, or a stream that is one text
)

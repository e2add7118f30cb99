package mechanism

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sotto-dp/sotto/privacy"
)

// Kind is the type of a parameter's value.
type Kind int

// The kinds.
const (
	Number  Kind = iota + 1 // a float64
	Integer                 // an int
	Choice                  // one of a list of words
	// File is the name of a file, which is read through [Spec.Open]. A front end that
	// takes values from strangers must not take this kind.
	File
)

func (k Kind) String() string {
	return map[Kind]string{Number: "number", Integer: "integer", Choice: "choice", File: "file"}[k]
}

// Parameter declares one name that a member accepts beside epsilon. The check of a
// value, the flag of a command, the field of a request and the documentation follow
// from it.
type Parameter struct {
	Name string
	Kind Kind
	// Default is a value of Kind if the member has a fixed one. Otherwise it describes how
	// the member chooses: "the largest that certifies epsilon".
	Default string
	Accepts Accepts
	Help    string // a description without a full stop
	Role    Role   // by which callers that know no member find it; NoRole for most
	// Pairs is the choice, if any, with which a member computes over all pairs of words when
	// it is opened, whatever its Cost is.
	Pairs string
}

// Role is the meaning of a parameter to callers that know no member, such as an audit. No
// two parameters of a member have the same role.
type Role int

// The roles.
const (
	NoRole      Role = iota
	RoleDelta        // delta of the promise
	RoleNominal      // the paper's parameter of a calibrated channel, which fixes its rows
	RoleChannel      // the file of a channel, which is solved for one epsilon
	RoleClip         // norm to which private vectors are clipped
	RoleRoot         // root of the published delta, by the number of dimensions
	RoleDummies      // number of dimensions that are 0 in every input
	RoleSize         // number of outputs in the set of an input
)

// Accepts describes the values that a parameter accepts.
type Accepts struct {
	// Low and High bound a number or an integer. An open end is excluded, and an infinite
	// one always is.
	Low, High         float64
	LowOpen, HighOpen bool
	// Size, if not empty, names the things whose number is an integer's upper end. High is
	// then +Inf, because the end is known only when the member is opened.
	Size string
	// Choices lists the words of a choice.
	Choices []string
}

// Between accepts numbers from low to high, ends included.
func Between(low, high float64) Accepts { return Accepts{Low: low, High: high} }

// Inside accepts numbers from low to high, ends excluded.
func Inside(low, high float64) Accepts {
	return Accepts{Low: low, High: high, LowOpen: true, HighOpen: true}
}

// Positive accepts every finite number above 0.
func Positive() Accepts { return Inside(0, math.Inf(1)) }

// UpTo accepts whole numbers from 1 to a size: "words" for the number of words.
func UpTo(size string) Accepts { return Accepts{Low: 1, High: math.Inf(1), Size: size} }

// OneOf accepts these words.
func OneOf(choices ...string) Accepts { return Accepts{Choices: choices} }

// contains reports whether v is in the interval. NaN is not.
func (a Accepts) contains(v float64) bool {
	return (v > a.Low || v == a.Low && !a.LowOpen) && (v < a.High || v == a.High && !a.HighOpen) && !math.IsInf(v, 0)
}

// Must returns the accepted values as a phrase that follows "must be".
func (p Parameter) Must() string {
	a := p.Accepts
	switch p.Kind {
	case Choice:
		if last := len(a.Choices) - 1; last > 0 {
			return strings.Join(a.Choices[:last], ", ") + " or " + a.Choices[last]
		}
		return strings.Join(a.Choices, "")
	case File:
		return "a file"
	case Integer:
		switch {
		case a.Size != "":
			return "a whole number from " + plain(a.Low) + " to the number of " + a.Size
		case a.High >= math.MaxInt:
			return "a whole number from " + plain(a.Low)
		}
		return "a whole number from " + plain(a.Low) + " to " + plain(a.High)
	}
	if a.LowOpen && a.Low == 0 && math.IsInf(a.High, 1) {
		return "positive and finite"
	}
	if a.Low > 0 && !a.LowOpen && !a.HighOpen {
		return "positive, " + plain(a.Low) + " to " + plain(a.High)
	}
	open, shut := "[", "]"
	if a.LowOpen {
		open = "("
	}
	if a.HighOpen {
		shut = ")"
	}
	return "in " + open + plain(a.Low) + ", " + plain(a.High) + shut
}

// plain writes a bound: 1e9, not 1e+09.
func plain(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e7 {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	mantissa, exponent, found := strings.Cut(strconv.FormatFloat(v, 'g', -1, 64), "e")
	if !found {
		return mantissa
	}
	n, err := strconv.Atoi(exponent)
	if err != nil {
		panic(err) // FormatFloat writes an integer
	}
	return mantissa + "e" + strconv.Itoa(n)
}

// Parse returns the value that text represents: a float64, an int, or a string. who is the
// member, for the error.
func (p Parameter) Parse(who, text string) (any, error) {
	switch p.Kind {
	case Number:
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return nil, p.Bad(who, strconv.Quote(text), "a number "+p.Must())
		}
		return v, p.Check(who, v)
	case Integer:
		v, err := strconv.Atoi(text)
		if err != nil {
			return nil, p.Bad(who, strconv.Quote(text), p.Must())
		}
		if !p.Accepts.contains(float64(v)) {
			return nil, p.Bad(who, v, p.Must())
		}
		return v, nil
	case Choice:
		if !slices.Contains(p.Accepts.Choices, text) {
			return nil, p.Bad(who, strconv.Quote(text), p.Must())
		}
	}
	return text, nil
}

// Bad returns the error for a refused value. who is the member.
func (p Parameter) Bad(who string, value any, must string) error {
	return privacy.Bad(who, p.Name, value, must)
}

// Setting returns the parameter in force with a value.
func (p Parameter) Setting(value any, given bool) Setting {
	return Setting{Name: p.Name, Value: value, Given: given}
}

// Check refuses a number that the parameter does not accept.
func (p Parameter) Check(who string, v float64) error {
	if !p.Accepts.contains(v) {
		return p.Bad(who, v, p.Must())
	}
	return nil
}

// Fixed returns the default if it is a fixed value, and false if the member chooses one.
func (p Parameter) Fixed() (any, bool) {
	v, err := p.Parse("", p.Default)
	return v, err == nil && p.Kind != File
}

// AtMost returns the parameter with a known Size.
func (p Parameter) AtMost(n int) Parameter {
	p.Accepts.High, p.Accepts.Size = float64(n), ""
	return p
}

// Text returns a value as text that Parse reads: a string, a number, or anything else that
// fmt prints in that form.
func Text(value any) string {
	if v, ok := value.(float64); ok {
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return fmt.Sprint(value)
}

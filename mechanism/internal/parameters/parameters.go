// Package parameters reads the parameters that a caller gives a member by name.
package parameters

import (
	"maps"
	"slices"

	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
)

// Reader reads a Spec for one member. Each getter reads one declared parameter, and Close
// refuses parameters that no getter read. The first error is kept.
type Reader struct {
	Who   string
	left  mechanism.Values
	given map[string]bool
	known []string
	set   []mechanism.Setting
	opens bool // whether files can be read
	Err   error
}

// Read starts reading spec for the member who. Epsilon is checked here.
func Read(who string, spec mechanism.Spec) *Reader {
	p := &Reader{Who: who, left: maps.Clone(spec.Parameters), given: map[string]bool{}, opens: spec.Open != nil, Err: privacy.CheckEpsilon(who, spec.Epsilon)}
	p.set = append(p.set, mechanism.Setting{Name: "epsilon", Value: spec.Epsilon})
	return p
}

// ReadFromZero is Read for a member that takes an epsilon of 0 too.
func ReadFromZero(who string, spec mechanism.Spec) *Reader {
	p := Read(who, spec)
	if spec.Epsilon == 0 {
		p.Err = nil
	}
	return p
}

// take returns the text given for name, if any.
func (p *Reader) take(name string) (string, bool) {
	p.known = append(p.known, name)
	value, ok := p.left[name]
	if delete(p.left, name); ok {
		p.given[name] = true
	}
	return value, ok
}

// value returns the checked value given for a parameter, or nil: none was given, or
// it is wrong.
func (p *Reader) value(d mechanism.Parameter) (v any, given bool) {
	text, given := p.take(d.Name)
	if !given {
		return nil, false
	}
	v, err := d.Parse(p.Who, text)
	if err != nil {
		p.Fail(err)
		return nil, true
	}
	return v, true
}

// Number returns the value of a number with a fixed default, and notes it.
func (p *Reader) Number(d mechanism.Parameter) float64 {
	v, _ := p.value(d)
	if v == nil {
		v, _ = d.Fixed()
	}
	p.Set(d, v)
	return v.(float64)
}

// Optional returns the value given for a number, and notes it. Where none is given
// the member chooses.
func (p *Reader) Optional(d mechanism.Parameter) (value float64, given bool) {
	v, given := p.value(d)
	if given {
		value, _ = v.(float64)
		p.Set(d, value)
	}
	return value, given
}

// Integer returns the value given for an integer, or its default: 0 where the member
// chooses. It is not noted.
func (p *Reader) Integer(d mechanism.Parameter) (value int, given bool) {
	v, given := p.value(d)
	if v == nil {
		v, _ = d.Fixed()
	}
	value, _ = v.(int)
	return value, given
}

// Choice returns the word given for a choice, or its default: empty where the
// member chooses. It is not noted.
func (p *Reader) Choice(d mechanism.Parameter) (value string, given bool) {
	v, given := p.value(d)
	if v == nil {
		v, _ = d.Fixed()
	}
	value, _ = v.(string)
	return value, given
}

// Set records the value of a parameter in force.
func (p *Reader) Set(d mechanism.Parameter, value any) {
	p.set = append(p.set, d.Setting(value, p.given[d.Name]))
}

// Note records another figure in force, which is not a parameter.
func (p *Reader) Note(name string, value any) {
	p.set = append(p.set, mechanism.Setting{Name: name, Value: value})
}

// Fail keeps the first error.
func (p *Reader) Fail(err error) {
	if p.Err == nil {
		p.Err = err
	}
}

// Close returns the settings in force, or the first error. A name that no getter read is an
// error.
func (p *Reader) Close() ([]mechanism.Setting, error) {
	for _, name := range slices.Sorted(maps.Keys(p.left)) {
		p.Fail(privacy.UnknownParameter(p.Who, name, p.known))
	}
	return p.set, p.Err
}

// File returns the name of a file given for a parameter. If spec opens no files, every name
// is refused.
func (p *Reader) File(d mechanism.Parameter) (file string, given bool) {
	file, given = p.take(d.Name)
	if given && !p.opens {
		p.Fail(privacy.Unwanted(p.Who, d.Name, "here: no files are read"))
	}
	return file, given
}

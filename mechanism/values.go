package mechanism

import "maps"

// Values are the values given to a member's parameters, by name, as text that
// [Parameter.Parse] reads. The member checks them when it is opened. Nil contains none.
type Values map[string]string

// Gives reports whether a parameter has a given value.
func (v Values) Gives(p Parameter) bool {
	_, given := v[p.Name]
	return given
}

// Value returns the value given to a parameter, or else its fixed default: a float64, an
// int or a string. It returns nil if the member chooses. who is the member, for the error.
func (v Values) Value(who string, p Parameter) (any, error) {
	if text, given := v[p.Name]; given {
		return p.Parse(who, text)
	}
	if value, fixed := p.Fixed(); fixed {
		return value, nil
	}
	return nil, nil
}

// With returns a copy in which a parameter has the given value.
func (v Values) With(p Parameter, value any) Values {
	all := maps.Clone(v)
	if all == nil {
		all = Values{}
	}
	all[p.Name] = Text(value)
	return all
}

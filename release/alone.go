package release

import (
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/text"
)

// checkAlone returns an error if a stream is to be Alone and cannot be: then the loss of a
// text would not be that of its record. Pooled says that the output holds the texts and
// nothing else of the input. Whether a field can have several texts in a record only the
// format knows: see text.Options.Single.
func (s Stream) checkAlone(unit privacy.Unit, pooled bool) error {
	switch {
	case !s.Alone:
		return nil
	case unit != privacy.Text:
		return notAlone("the claim is for a " + string(unit) + ", and how many a record has is visible")
	case s.Users != nil:
		return notAlone("rows of a user beyond the first are left out, and its other records decide which")
	case len(s.Fields) > 1:
		return notAlone("a record has one text, and several fields are given")
	case !pooled && !s.bare():
		return notAlone("the output holds more of it than its text: other fields, and which texts are null")
	}
	return nil
}

func notAlone(why string) error {
	return &text.FieldError{What: "a record is not protected by the draw for its text: " + why}
}

// bare reports whether an input of the stream holds texts and nothing else.
func (s Stream) bare() bool { return s.Format == nil || s.Format.Bare }

// lone sets the options with which every record has exactly one text, where texts are read
// and nothing is written in the layout of the input.
func (s Stream) lone(o *text.Options, pooled bool) {
	o.Alone = pooled
	if s.Alone && pooled && !s.bare() {
		o.Each, o.Single = true, true
	}
}

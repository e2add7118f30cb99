package release

import (
	"cmp"
	"io"

	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/text"
)

// open begins to read for a claim for units, in batches of some records; 0 is as many as
// a batch holds. Pooled says that no output holds more than the texts.
func (s Stream) open(in io.Reader, unit privacy.Unit, records int, pooled bool) (text.Reader, error) {
	if err := s.checkAlone(unit, pooled); err != nil {
		return nil, err
	}
	o := s.options()
	o.Records = records
	if s.marks() && (s.KeepMissing || s.Fault != nil) {
		return nil, &text.FieldError{What: "marks are for records by number: no record can be left out"}
	}
	if s.marks() && s.Invalid == text.ReplaceInvalid {
		return nil, &text.FieldError{What: "marks count characters: invalid bytes cannot be replaced, because detectors replace them by other numbers of characters"}
	}
	if unit == privacy.Text && (s.KeepMissing || s.Fault != nil) {
		return nil, &text.FieldError{What: "whole texts are protected: every record is replaced, and none can be kept as it is or left out"}
	}
	if unit == privacy.Text {
		o.Total, o.Single = s.Invalid != text.FailInvalid, s.apart()
		s.lone(&o, pooled)
	}
	if records > 0 {
		s.paceWhole(&o)
	}
	if s.Key != nil {
		o.Prompt, in = false, s.steady(in)
	}
	if s.Users != nil {
		o.By, o.Missing = s.Users.field, OtherUser
	}
	return s.read(in, o)
}

// paceWhole sets how texts whose lengths are hidden are read together. The input pauses after
// bytes, so where it pauses would show them: with Prompt each text is released by itself,
// unless it is charged.
func (s Stream) paceWhole(o *text.Options) {
	o.Prompt, o.Records = s.Prompt && s.Charge == nil, textsPerCharge
	if o.Prompt {
		o.Records = 1
	}
}

func (s Stream) read(in io.Reader, o text.Options) (text.Reader, error) {
	return cmp.Or(s.Format, text.Lines).Open(in, o)
}

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

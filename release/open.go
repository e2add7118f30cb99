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
	if records > 0 && s.Charge != nil {
		o.Prompt = false // the input pauses after bytes, not after records
	}
	if s.Key != nil {
		o.Prompt, in = false, s.steady(in)
	}
	if s.Users != nil {
		o.By, o.Missing = s.Users.field, OtherUser
	}
	return s.read(in, o)
}

func (s Stream) read(in io.Reader, o text.Options) (text.Reader, error) {
	return cmp.Or(s.Format, text.Lines).Open(in, o)
}

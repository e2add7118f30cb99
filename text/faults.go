package text

import "github.com/sotto-dp/sotto/text/internal/records"

// checkFaults refuses options for faults of single records where a format does not have
// them, or where they would show what a record holds.
func (o Options) checkFaults(l layout) error {
	if !o.KeepMissing && o.Fault == nil {
		return nil
	}
	if _, ok := l.(sifter); !ok {
		return &FieldError{What: "records that lack a field or cannot be read can be kept or left out in jsonl only"}
	}
	if o.Total || o.Each {
		return &FieldError{What: "whole texts are protected: every record is replaced, and none can be kept as it is or left out"}
	}
	return nil
}

// sift leaves out the records that cannot be read, if they are reported one by one. A
// first batch without the fields is refused, blank ones aside: a wrong name must not let
// every record through as it is.
func (b *batch) sift() error {
	l, ok := b.from.layout.(sifter)
	o := b.from.o
	if !ok || !o.KeepMissing && o.Fault == nil {
		return nil
	}
	if o.Fault != nil {
		b.data, b.faults = l.sift(b.data, b.line, o.Invalid)
		if b.first && records.Blank(b.data) && len(b.faults) > 0 {
			return b.faults[0]
		}
	}
	if o.KeepMissing && b.first {
		return l.names(b.data, b.line)
	}
	return nil
}

package text

import (
	"github.com/sotto-dp/sotto/text/internal/records"
)

// Grouped is a [Batch] that knows which of its texts are of one record.
type Grouped interface {
	// PerRecord returns the numbers of texts of the records that have some, in order. It is
	// called after Texts.
	PerRecord() []int
}

func (b *batch) PerRecord() []int {
	ends := b.ends
	if len(b.faults) > 0 { // lines were left out
		ends = nil
		for at := 0; at < len(b.data); {
			_, at = records.CutLine(b.data, at)
			ends = append(ends, at)
		}
	}
	var found []int
	rest := b.spans
	for _, end := range ends {
		n := 0
		for n < len(rest) && rest[n].Start < end {
			n++
		}
		if n > 0 {
			found = append(found, n)
		}
		rest = rest[n:]
	}
	return found
}

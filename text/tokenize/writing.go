package tokenize

import (
	"github.com/sotto-dp/sotto/embedding"
)

// Writing is a text that is written in parts, for texts that would take too much memory at
// once. The parts together are the text of [Tokenizer.Detokenize]. It is for the goroutine
// of its Tokenizer, which must not write anything else meanwhile.
type Writing struct {
	tokenizer *Tokenizer
	ids       []embedding.ID // from the entry before the next one on
	next      int            // in ids: the first that is not written
	spacing   spacing
	groups    groups
	printer   printer
}

// Write begins to write a text in parts.
func (t *Tokenizer) Write() *Writing {
	w := &Writing{tokenizer: t, spacing: begin(true)}
	if t.segmented != nil {
		w.printer = printer{segmented: t.segmented, printing: printing{unknown: t.unknown, capital: true}}
	}
	return w
}

// Append appends what can be written of the text once its next entries are known.
func (w *Writing) Append(dst []byte, ids []embedding.ID) []byte {
	w.ids = append(w.ids, ids...)
	// The last entry is written when the one after it is known: its spelling and the
	// spaces around it depend on that.
	if n := len(w.ids) - 1; n > w.next {
		dst = w.write(dst, n, false)
	}
	return dst
}

// End appends the rest of the text.
func (w *Writing) End(dst []byte) []byte { return w.write(dst, len(w.ids), true) }

// write appends the entries up to ids[:n]. last says that the text ends there.
func (w *Writing) write(dst []byte, n int, last bool) []byte {
	switch t := w.tokenizer; {
	case t.segmented != nil:
		dst = w.printer.print(dst, w.ids[w.next:], n-w.next)
	case t.hasCutEntries():
		w.groups.ids = append(w.groups.ids, w.ids[w.next:n]...)
		w.groups.join(t, w.ids, w.next, n, &w.spacing)
		dst = w.groups.write(t, dst, last, nil)
	default:
		dst = t.join(dst, w.ids, w.next, n, &w.spacing, nil)
	}
	from := max(0, n-1)
	w.ids = append(w.ids[:0], w.ids[from:]...)
	w.next = n - from
	return dst
}

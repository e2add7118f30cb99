package text

import (
	"bytes"
	"iter"
)

// textsInParts are private texts that are made while they are written.
type textsInParts func(text int) iter.Seq2[[]byte, error]

// partEncoder writes a private text that comes in parts as encoder writes it at once.
type partEncoder interface {
	// add appends what can be written once the next part is known.
	add(dst, part []byte) []byte
	// end appends the rest.
	end(dst []byte) []byte
}

func (b *batch) ReplaceInParts(private func(text int) iter.Seq2[[]byte, error]) error {
	if b.from.o.Each {
		return ErrNotWritten
	}
	b.parts = private
	b.dropOriginals()
	for i := range b.spans {
		b.spans[i].text = nil
	}
	return nil
}

// dropOriginals drops what is in the places of the texts.
func (b *batch) dropOriginals() {
	var beside []byte
	at := 0
	for i := range b.spans {
		s := &b.spans[i]
		beside = append(beside, b.data[at:s.start]...)
		at = s.end
		s.start, s.end = len(beside), len(beside)
	}
	b.data = append(beside, b.data[at:]...)
}

// writtenAtOnce is about how much of the private texts is written at a time.
const writtenAtOnce = 64 << 10

func (b *batch) writeInParts() (err error) {
	var out []byte
	at := 0
	for i, s := range b.spans {
		out = append(out, b.data[at:s.start]...)
		at = s.end
		if s.unread != nil {
			out = append(out, s.unread.before...)
		}
		e := b.from.layout.inParts()
		for part, err := range b.parts(i) {
			if err != nil {
				return err
			}
			if out, err = b.flush(e.add(out, part), writtenAtOnce); err != nil {
				return err
			}
		}
		out = e.end(out)
		if s.unread != nil {
			out = append(out, s.unread.after...)
		}
		if s.closes {
			out = append(out, b.from.layout.lineEnd()...)
		}
	}
	_, err = b.flush(append(out, b.data[at:]...), 0)
	return err
}

// flush writes what there is if it has at least some bytes, and returns what is left.
func (b *batch) flush(out []byte, least int) ([]byte, error) {
	if len(out) < least {
		return out, nil
	}
	_, err := b.from.out.Write(out)
	return out[:0], err
}

// lineParts is for a text in one line. What a part becomes depends on no other.
type lineParts struct{}

func (lineParts) add(dst, part []byte) []byte { return appendOneLine(dst, part) }
func (lineParts) end(dst []byte) []byte       { return dst }

func (lines) inParts() partEncoder { return lineParts{} }

// jsonParts is for a string of JSON.
type jsonParts struct{ begun bool }

func (p *jsonParts) add(dst, part []byte) []byte {
	if !p.begun {
		dst, p.begun = append(dst, '"'), true
	}
	return appendEscaped(dst, part)
}

func (p *jsonParts) end(dst []byte) []byte { return append(p.add(dst, nil), '"') }

func (j *jsonLines) inParts() partEncoder { return &jsonParts{} }

// quotedParts is for a field of CSV. It holds the text back until it is known whether it
// needs quotes.
type quotedParts struct {
	delimited *delimited
	held      []byte
	quoted    bool
}

func (p *quotedParts) add(dst, part []byte) []byte {
	if !p.quoted && p.delimited.needsQuotes(part) {
		p.quoted = true
		dst = appendDoubled(append(dst, '"'), p.held)
		p.held = nil
	}
	if p.quoted {
		return appendDoubled(dst, part)
	}
	p.held = append(p.held, part...)
	return dst
}

func (p *quotedParts) end(dst []byte) []byte {
	if p.quoted {
		return append(dst, '"')
	}
	return p.delimited.encode(dst, p.held)
}

func (d *delimited) inParts() partEncoder {
	if !d.quotes {
		return lineParts{}
	}
	return &quotedParts{delimited: d}
}

// appendDoubled appends a text with its quotes doubled.
func appendDoubled(dst, text []byte) []byte {
	for {
		i := bytes.IndexByte(text, '"') + 1
		if i == 0 {
			return append(dst, text...)
		}
		dst, text = append(append(dst, text[:i]...), '"'), text[i:]
	}
}

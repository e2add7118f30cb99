package release

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strconv"

	"github.com/sotto-dp/sotto/internal/username"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/text"
)

// portion is a batch, with what was read of it if its records are told apart.
type portion struct {
	text.Batch
	told    bool
	texts   [][]byte
	records []int    // the index of each text's record in the stream, from 0
	users   []string // of each text
	present []string // the user of each record that is kept
	drawn   []uint32 // for each text, if a pool collects it
}

// portions returns an iterator over the batches of a reader. Records are numbered in the
// order of the input, so it is for one goroutine.
func (c *run) portions(r text.Reader) func() (portion, error) {
	return func() (portion, error) {
		b, err := r.Next()
		if err == io.EOF {
			return portion{}, c.ended()
		}
		if err != nil || !c.stream.apart() {
			return portion{Batch: b}, err
		}
		return c.tell(b)
	}
}

// tell reads a batch record by record.
func (c *run) tell(b text.Batch) (portion, error) {
	p := portion{Batch: b, told: true}
	records, err := b.Records()
	if err != nil {
		return p, err
	}
	users := c.stream.Users
	keep := make([]bool, len(records))
	for i, r := range records {
		if len(r.Texts) > 1 && c.stream.aligned() {
			return p, &text.FieldError{What: fmt.Sprintf("record %d holds %d texts: with vectors, spans or users a record can have only one", c.records+1, len(r.Texts))}
		}
		user := username.Of(r.By)
		keep[i] = users == nil || users.admit(user)
		if keep[i] && users != nil {
			p.present = append(p.present, user)
		}
		for _, t := range r.Texts {
			if keep[i] {
				p.texts, p.records, p.users = append(p.texts, t), append(p.records, c.records), append(p.users, user)
			}
		}
		c.records++
	}
	if users != nil && len(records) > 0 {
		if err := b.Keep(keep); err != nil {
			return p, err
		}
	}
	if v := c.stream.Vectors; v != nil {
		if rows, _ := v.Shape(); c.records > rows {
			return p, badRows("vectors", rows, "row", "more")
		}
	}
	if s := c.stream.Spans; s != nil && c.records > s.Rows() {
		return p, badRows("spans", s.Rows(), "list", "more")
	}
	return p, c.unmarked(records)
}

// ended checks the totals at the end of a stream, and returns io.EOF.
func (c *run) ended() error {
	if v := c.stream.Vectors; v != nil {
		if rows, _ := v.Shape(); rows != c.records {
			return badRows("vectors", rows, "row", strconv.Itoa(c.records))
		}
	}
	if s := c.stream.Spans; s != nil && s.Rows() != c.records {
		return badRows("spans", s.Rows(), "list", strconv.Itoa(c.records))
	}
	return io.EOF
}

func badRows(of string, n int, what, records string) error {
	return privacy.Wrong(of, "", fmt.Sprintf("%d %ss for %s records", n, what, records), "give one "+what+" per record")
}

// pending returns the texts of a batch, read and counted, nil if there are none.
func (c *run) pending(ctx context.Context, p portion, at Position) (*Pending, error) {
	pending, err := c.readTexts(ctx, p, at)
	return c.alone(pending), err
}

// alone sets what the texts of a batch are charged for.
func (c *run) alone(p *Pending) *Pending {
	if p != nil && c.stream.Alone {
		p.claim.Unit = privacy.Record
	}
	return p
}

// readTexts reads the texts of a batch.
func (c *run) readTexts(ctx context.Context, p portion, at Position) (*Pending, error) {
	texts, err := p.texts, error(nil)
	if !p.told {
		texts, err = p.Texts()
	}
	if err != nil || len(texts) == 0 {
		return nil, err
	}
	c.countUnread(p)
	if c.stream.marks() {
		return c.marked(p, at)
	}
	if c.loop.needs.Encode != nil {
		vectors, err := c.loop.encode(ctx, texts)
		if err != nil {
			return nil, err
		}
		at = c.stream.keyed(at, texts, nil, vectors)
		return at.named(c.loop.read(Texts{Vectors: vectors}, at))
	}
	if c.stream.Vectors == nil {
		at = c.stream.keyed(at, texts, nil, nil)
		return at.named(c.loop.read(Texts{Bytes: texts}, at))
	}
	_, dim := c.stream.Vectors.Shape()
	vectors := make([][]float64, len(texts))
	for i, record := range p.records {
		vectors[i] = make([]float64, dim)
		if err := c.stream.Vectors.Row(vectors[i], record); err != nil {
			return nil, err
		}
	}
	at = c.stream.keyed(at, texts, nil, vectors)
	return at.named(c.loop.read(Texts{Vectors: vectors}, at))
}

// marked returns the texts of a batch with their spans. An error names the record.
func (c *run) marked(p portion, at Position) (*Pending, error) {
	spans := make([]text.Spans, len(p.texts))
	for i, record := range p.records {
		var err error
		if c.stream.Spans != nil {
			spans[i], err = c.stream.Spans.Row(record, p.texts[i])
		}
		if err == nil && c.stream.Detect != nil {
			spans[i], err = c.detect(p.texts[i], spans[i])
		}
		if err == nil {
			err = spans[i].Check(p.texts[i])
		}
		if err == nil && c.loop.needs.Marks != nil {
			err = c.loop.needs.Marks(spans[i])
		}
		if err != nil {
			return nil, fmt.Errorf("spans of record %d: %w", record+1, err)
		}
	}
	at = c.stream.keyed(at, p.texts, spans, nil)
	return at.named(c.loop.read(Texts{Bytes: p.texts, Spans: spans}, at))
}

// detect returns the marks of a text with those that are detected. A given mark whose type is
// refused is named by its number.
func (c *run) detect(of []byte, given text.Spans) (text.Spans, error) {
	if c.loop.needs.Marks != nil {
		if err := c.loop.needs.Marks(given); err != nil {
			return nil, err
		}
	}
	return c.stream.Detect(of, given)
}

// unmarked refuses spans of records without a text, the last ones that were read: the file
// of spans is then that of another input.
func (c *run) unmarked(records []text.Record) error {
	first := c.records - len(records)
	for i, r := range records {
		if c.stream.Spans == nil || len(r.Texts) > 0 {
			continue
		}
		if spans, err := c.stream.Spans.Row(first+i, nil); err != nil || len(spans) > 0 {
			return fmt.Errorf("spans of record %d: %w", first+i+1, cmp.Or(err, error(&text.SpanError{Span: 1})))
		}
	}
	return nil
}

package text

import "io"

// Change takes the place of a mechanism.
type Change func(texts [][]byte, batch uint64) ([][]byte, error)

// Copying says how a test reads an input and what becomes of its texts.
type Copying struct {
	Format  *Format // nil means Lines
	Fields  []string
	By      string
	Invalid Invalid
	Prompt  bool
	Part    int
	Change  Change
	Total   bool
	Alone   bool
	Single  bool
	Missing string
	Records int
	Most    int // bytes of a line, where it is not MaxRecord
}

// Open opens an input by the test's options.
func (c Copying) Open(in io.Reader) (Reader, error) {
	if c.Format == nil {
		c.Format = Lines
	}
	r, err := c.Format.Open(in, Options{Fields: c.Fields, By: c.By, Missing: c.Missing, Invalid: c.Invalid, Prompt: c.Prompt, Part: c.Part, Total: c.Total, Alone: c.Alone, Single: c.Single, Records: c.Records})
	if s, ok := r.(*stream); ok && c.Most > 0 {
		s.in.Bound(c.Most)
	}
	return r, err
}

// Transcribe copies an input batch by batch.
func Transcribe(w io.Writer, in io.Reader, c Copying) error {
	r, err := c.Open(in)
	if err != nil {
		return err
	}
	if err := r.Begin(w); err != nil {
		return err
	}
	for {
		b, err := r.Next()
		if err == io.EOF {
			return r.End()
		}
		if err != nil {
			return err
		}
		texts, err := b.Texts()
		if err != nil {
			return err
		}
		if len(texts) > 0 {
			private, err := c.Change(texts, b.Number())
			if err != nil {
				return err
			}
			if err := b.Replace(private); err != nil {
				return err
			}
		}
		if err := b.Write(); err != nil {
			return err
		}
	}
}

// Scan gives the records of an input to each.
func Scan(in io.Reader, c Copying, each func(by string, texts [][]byte) error) error {
	r, err := c.Open(in)
	if err != nil {
		return err
	}
	for {
		b, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		records, err := b.Records()
		if err != nil {
			return err
		}
		for _, record := range records {
			if err := each(record.By, record.Texts); err != nil {
				return err
			}
		}
	}
}

// EachPart gives the parts of an input to each.
func EachPart(in io.Reader, c Copying, each func(Part) error) error {
	parts, err := c.Format.Cut(in, Options{Fields: c.Fields, Invalid: c.Invalid})
	if err != nil {
		return err
	}
	for {
		p, err := parts.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := each(p); err != nil {
			return err
		}
	}
}

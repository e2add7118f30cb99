package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"strings"

	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/text"
	"github.com/sotto-dp/sotto/text/tokenize"
)

// Read appends the texts of one file.
func (c *FormatFlags) Read(ctx context.Context, term *Terminal, name string, texts [][]byte) ([][]byte, error) {
	err := c.EachBatch(ctx, term, name, func(b text.Batch) error {
		some, err := b.Texts()
		for _, t := range some {
			texts = append(texts, bytes.Clone(t))
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return texts, nil
}

// EachBatch calls take with the batches of one file, and ends with ctx.
func (c *FormatFlags) EachBatch(ctx context.Context, term *Terminal, name string, take func(text.Batch) error) error {
	return c.eachBatch(ctx, term, name, reading{}, func(b text.Batch, _ string) error { return take(b) })
}

// EachRecord calls take with the records of one file, each with the value of a field unless by is
// empty, and with the name of the file in messages. It ends with ctx.
func (c *FormatFlags) EachRecord(ctx context.Context, term *Terminal, name, by string, take func(r text.Record, shown string) error) error {
	return c.eachRecord(ctx, term, name, reading{by: by}, take)
}

// EachCopy calls take with the records of one file of a release, as EachRecord does. Records of
// JSON lines that lack the fields, which rewrite can copy as they are, have no texts.
func (c *FormatFlags) EachCopy(ctx context.Context, term *Terminal, name, by string, take func(r text.Record) error) error {
	return c.eachRecord(ctx, term, name, reading{by: by, copies: true}, func(r text.Record, _ string) error { return take(r) })
}

// CopyOptions are how the copies of a release are read.
func (c *FormatFlags) CopyOptions(f *text.Format) text.Options {
	return text.Options{Fields: c.Field, Invalid: text.Invalid(c.Invalid), KeepMissing: f == text.JSONL}
}

// EachWhole calls take with the records of one file, which is one record in the format text.
func (c *FormatFlags) EachWhole(ctx context.Context, term *Terminal, name string, take func(r text.Record) error) error {
	return c.eachRecord(ctx, term, name, reading{whole: true}, func(r text.Record, _ string) error { return take(r) })
}

func (c *FormatFlags) eachRecord(ctx context.Context, term *Terminal, name string, how reading, take func(r text.Record, shown string) error) error {
	return c.eachBatch(ctx, term, name, how, func(b text.Batch, shown string) error {
		records, err := b.Records()
		for i := 0; err == nil && i < len(records); i++ {
			if err = ctx.Err(); err == nil {
				err = take(records[i], shown)
			}
		}
		return err
	})
}

// reading is how batches are read: by is the field whose value records have, bar shows how much
// is read unless it is nil, whole keeps a file of the format text in one piece, and copies are
// those of a release.
type reading struct {
	by     string
	bar    newBarFunc
	whole  bool
	copies bool
}

func (c *FormatFlags) eachBatch(ctx context.Context, term *Terminal, name string, how reading, take func(b text.Batch, shown string) error) error {
	in, err := c.Source(ctx, term, name, nil, how.bar)
	if err != nil {
		return err
	}
	defer in.Close()
	if how.whole && in.Format.Whole {
		in.Format = text.File
	}
	options := text.Options{Fields: c.Field, Invalid: text.Invalid(c.Invalid)}
	if how.copies {
		options = c.CopyOptions(in.Format)
	}
	options.By = how.by
	batches, err := in.Format.Open(in.Reader, options)
	for err == nil {
		var b text.Batch
		if b, err = batches.Next(); err != nil {
			break
		}
		if err = take(b, in.Shown); err == nil {
			err = ctx.Err()
		}
	}
	if err == io.EOF {
		return nil
	}
	return in.Fault(err, "")
}

// ErrEnough ends the reading of texts whose reader wants no more.
var ErrEnough = errors.New("enough")

// Tokens yields the words of each text of some files, one text after the other, and adds
// the unknown tokens to unknown, unless it is nil. A file of format text is one text.
func (c *FormatFlags) Tokens(ctx context.Context, term *Terminal, files []string, tokenizer *tokenize.Tokenizer, unknown *int) iter.Seq2[[]embedding.ID, error] {
	return func(yield func([]embedding.ID, error) bool) {
		var ids []embedding.ID
		read := func(text []byte) {
			var n int
			if ids, n = tokenizer.Tokenize(ids, text); unknown != nil {
				*unknown += n
			}
		}
		give := func() error {
			if !yield(ids, nil) {
				return ErrEnough
			}
			ids = ids[:0]
			return nil
		}
		for _, name := range files {
			if err := c.EachText(ctx, term, name, read, give); errors.Is(err, ErrEnough) {
				return
			} else if err != nil {
				yield(nil, err)
				return
			}
		}
	}
}

// EachText calls read with the texts of a file or a corpus, in parts if they are whole
// files, and end after each text.
func (c *FormatFlags) EachText(ctx context.Context, term *Terminal, name string, read func(text []byte), end func() error) error {
	if strings.HasSuffix(name, corpus.Extension) || corpus.IsBuiltin(name) {
		return eachOfCorpus(ctx, name, read, end)
	}
	whole := c.FormatOf(name).Whole
	err := c.eachBatch(ctx, term, name, reading{bar: term.ReadingBar(name)}, func(b text.Batch, _ string) error {
		texts, err := b.Texts()
		for i := 0; err == nil && i < len(texts); i++ {
			if read(texts[i]); !whole {
				err = end()
			}
		}
		return err
	})
	if err == nil && whole {
		err = end()
	}
	return err
}

func eachOfCorpus(ctx context.Context, name string, read func(text []byte), end func() error) error {
	c, err := Within(ctx, func() (*corpus.Corpus, error) { return corpus.Find(name) })
	for i := 0; err == nil && i < c.Len(); i++ {
		read([]byte(c.Text(i)))
		if err = ctx.Err(); err == nil {
			err = end()
		}
	}
	return err
}

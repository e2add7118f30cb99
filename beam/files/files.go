// Package files is the pipeline that rewrites files: lines, JSON lines, CSV, TSV and
// Parquet, on any file system that Beam supports.
//
// Each input is cut into parts of whole records or row groups. Each part becomes one
// output file, NAME-000007.csv, a complete file of the format. An output is written once
// and appears whole. Before it gets its name, the folder sotto-parts beside the outputs
// records it, with its digest and that of its input. A recorded part is never drawn again,
// so a retried bundle or a resumed run gives the same output, with or without a ledger. A
// file that is not recorded does not count as an output.
//
// With a ledger, a part is charged once, even if attempts fail before they write anything.
// Before an attempt writes its output, it stores the output's digest in the ledger. From
// then on the charge pays only for that output, and another draw is charged again. A worker
// that has the key of the run's draws makes the same draw again, so that no kill costs
// anything: see package run.
package files

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/beam/sottobeam"
	"github.com/sotto-dp/sotto/files/compress"
	"github.com/sotto-dp/sotto/files/paths"
	"github.com/sotto-dp/sotto/text"
	"github.com/sotto-dp/sotto/text/parquet"
)

// Config configures the pipeline.
type Config struct {
	sottobeam.Config              // Fields are columns and paths here
	Inputs           []string     // files with different names
	Output           string       // the output folder
	Format           string       // a name of Formats; empty: by each file's name
	Invalid          text.Invalid // as in sotto.Stream
	// Again redraws recorded parts whose outputs are missing. Each redraw is a second
	// release and is charged again.
	Again bool
	// Draws is the public name of the run whose key of draws a worker uses, if its machine
	// has that key: [Begin] sets it. The key itself is not in a configuration, because
	// runners store configurations.
	Draws string
	// Of, if not 0, takes the parts whose number modulo Of is Take, so that Of processes
	// share one run. With at least filesEach inputs per process it takes whole files in
	// the same way, and reads no others.
	Take, Of int
}

// filesEach is the number of files per process at which shares of whole files are even
// enough.
const filesEach = 4

// share returns the inputs that hold parts of this process, and the configuration for
// them.
func (c Config) share() ([]string, Config) {
	if c.Of == 0 || len(c.Inputs) < filesEach*c.Of {
		return c.Inputs, c
	}
	var mine []string
	for i, in := range slices.Sorted(slices.Values(c.Inputs)) {
		if i%c.Of == c.Take {
			mine = append(mine, in)
		}
	}
	c.Of, c.Take = 0, 0
	return mine, c
}

// Result is the output of the pipeline.
type Result struct {
	Failed    beam.PCollection // of sottobeam.Failure; the key is FILE:LINE
	Statement beam.PCollection // of one string: the privacy statement as JSON
}

// part is a run of records of a file on its way to a worker. For a format that seeks it
// holds no data: the worker reads the file.
type part struct {
	File         string
	Number, Line int
	Header, Data []byte
}

// Formats are the supported formats of inputs.
var Formats = text.Formats(parquet.Format)

func (c Config) formatOf(name string) *text.Format {
	if c.Format != "" {
		return Formats.Named(c.Format)
	}
	return Formats.Of(name)
}

// checkFormat refuses a name that is not in Formats.
func (c Config) checkFormat() error {
	if c.Format != "" && Formats.Named(c.Format) == nil {
		return fmt.Errorf("unknown format %q (have %s)", c.Format, strings.Join(Formats.Names(), ", "))
	}
	return nil
}

// whole reports whether whole texts are protected.
func (c Config) whole() bool { return c.CorpusDigest != "" }

// options reads whole texts as sotto.Stream does.
func (c Config) options() text.Options {
	return text.Options{Fields: c.Fields, Invalid: c.Invalid, Total: c.whole() && c.Invalid != text.FailInvalid}
}

// Rewrite adds the pipeline to a scope.
func Rewrite(s beam.Scope, cfg Config) (Result, error) {
	s = s.Scope("sotto.Files")
	var err error
	if cfg.Config, err = cfg.Checked(); err != nil {
		return Result{}, err
	}
	if err := cfg.checkNames(); err != nil {
		return Result{}, err
	}
	if cfg.Of < 0 || cfg.Take < 0 || cfg.Take >= max(1, cfg.Of) {
		return Result{}, fmt.Errorf("share %d of %d does not exist: shares count from 0", cfg.Take, cfg.Of)
	}
	inputs, cfg := cfg.share()
	parts := beam.ParDo(s, &partFn{cfg}, beam.Reshuffle(s, beam.CreateList(s, inputs)))
	failed, tallies := beam.ParDo2(s, &writeFn{cfg}, beam.Reshuffle(s, parts))
	return Result{failed, sottobeam.Statement(s, cfg.Config, tallies)}, nil
}

// partFn cuts a file into parts.
type partFn struct{ Config Config }

func (f *partFn) ProcessElement(ctx context.Context, name string, emit func(part)) error {
	mine := func(number int) bool { return f.Config.Of == 0 || number%f.Config.Of == f.Config.Take }
	format := f.Config.formatOf(name)
	in, err := openInput(ctx, name, format)
	if err != nil {
		return err
	}
	defer in.Close()
	parts, err := format.Cut(in.Reader, f.Config.options())
	for err == nil {
		var p text.Part
		if p, err = parts.Next(); err == nil && mine(p.Number) {
			emit(part{name, p.Number, p.Line, p.Header, p.Data})
		}
	}
	if err != io.EOF {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// input is an open file of texts.
type input struct {
	io.Reader
	closers []io.Closer
}

func openInput(ctx context.Context, name string, format *text.Format) (*input, error) {
	if format.Seeks {
		data, err := readAll(ctx, name)
		return &input{Reader: bytes.NewReader(data)}, err
	}
	file, err := openRead(ctx, name)
	if err != nil {
		return nil, err
	}
	plain, err := compress.NewReader(name, file)
	if err != nil {
		_ = file.Close()
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &input{plain, []io.Closer{plain, file}}, nil
}

func (in *input) Close() {
	for _, c := range in.closers {
		_ = c.Close() // read only
	}
}

// writeFn rewrites a part and writes its output once.
type writeFn struct{ Config Config }

func (f *writeFn) Setup() error {
	_, err := sottobeam.Open(f.Config.Config)
	return err
}

func (f *writeFn) ProcessElement(ctx context.Context, p part, failed func(sottobeam.Failure), tally func(sottobeam.Tally)) error {
	w, err := sottobeam.Open(f.Config.Config)
	if err != nil {
		return err
	}
	job := &partJob{worker: w, cfg: f.Config, part: p, failed: failed}
	counts, err := job.run(ctx)
	if err != nil {
		return fmt.Errorf("%s: %w", p.File, err)
	}
	tally(sottobeam.Tally{Counts: counts})
	return nil
}

func (f *writeFn) Teardown() error {
	w, err := sottobeam.Open(f.Config.Config)
	if err != nil {
		return err
	}
	return w.Finish()
}

// stem returns the beginning of the names of an input's outputs, and their extension.
func stem(input string) (stem, extension string) {
	base := compress.Plain(path.Base(filepath.ToSlash(input)))
	extension = path.Ext(base)
	return strings.TrimSuffix(base, extension), extension
}

// name returns the path of a part's output. No other part has it.
func (c Config) name(p part) string {
	stem, extension := stem(p.File)
	return fmt.Sprintf("%s-%06d%s", stem, p.Number, extension)
}

// checkNames refuses inputs whose outputs would have the same name, that are in the
// output folder, or that cannot be cut into parts.
func (c Config) checkNames() error {
	if len(c.Inputs) == 0 {
		return errors.New("there are no inputs")
	}
	if err := c.checkFormat(); err != nil {
		return err
	}
	if !local(c.Output) && strings.ContainsAny(c.Output, signs) {
		return fmt.Errorf("%s: a folder of a remote file system cannot have any of %s in its name", c.Output, signs)
	}
	names := map[string]string{}
	for _, in := range c.Inputs {
		stem, extension := stem(in)
		final := stem + extension
		if runtime.GOOS == "windows" || runtime.GOOS == "darwin" { // file systems that ignore case
			final = strings.ToLower(final)
		}
		if other, ok := names[final]; ok {
			return fmt.Errorf("%s and %s would have the same outputs, %s-000000%s and so on: rename one", other, in, stem, extension)
		}
		names[final] = in
		switch {
		case c.formatOf(in).Whole:
			return fmt.Errorf("%s: format text is one document and cannot be cut into parts: choose lines", in)
		case !local(c.Output) && strings.ContainsAny(final, signs):
			return fmt.Errorf("%s: its outputs cannot have any of %s in their names on a remote file system", in, signs)
		case paths.Same(folderOf(in), c.Output):
			return fmt.Errorf("%s is in the folder of the outputs: choose another", in)
		}
	}
	return c.checkTwice()
}

// folderOf returns the folder of a file.
func folderOf(name string) string {
	if local(name) {
		return filepath.Dir(name)
	}
	return name[:strings.LastIndexByte(name, '/')]
}

func init() {
	for _, t := range []reflect.Type{reflect.TypeFor[part](), reflect.TypeFor[*partFn](), reflect.TypeFor[*writeFn](), reflect.TypeFor[sotto.Counts]()} {
		beam.RegisterType(t)
	}
}

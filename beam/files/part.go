package files

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"sync/atomic"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/beam/sottobeam"
	"github.com/sotto-dp/sotto/files/runkey"
	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/run"
	"github.com/sotto-dp/sotto/text"
)

// leftOut counts the records that could not be read.
var leftOut = beam.NewCounter("sotto", "failures")

// charged is set when this process may have charged an account: not if the budget was refused.
var charged atomic.Bool

// partJob rewrites one part.
type partJob struct {
	worker *sottobeam.Worker
	cfg    Config
	part   part
	whole  []byte // the file, if the format seeks
	format *text.Format
	failed func(sottobeam.Failure)
}

// run rewrites the part into its output unless that is done, and returns the counts of
// the output.
func (j *partJob) run(ctx context.Context) (counts sotto.Counts, err error) {
	j.format = j.cfg.formatOf(j.part.File)
	if j.format.Seeks {
		if j.whole, err = readAll(ctx, j.part.File); err != nil {
			return counts, err
		}
	}
	k, err := j.cfg.open(ctx, j.part)
	if err != nil {
		return counts, err
	}
	input, err := k.inputDigest(j.part, j.whole)
	if err != nil {
		return counts, err
	}
	done, err := k.settle(ctx, input, j.part, j.cfg.Again)
	if err != nil {
		return counts, err
	}
	if done {
		// The counts come from the input; nothing is drawn again.
		in, err := j.readable(ctx)
		if err != nil {
			return counts, err
		}
		return j.worker.Rewriter.Count(ctx, in, j.stream())
	}
	attempt := 1
	if k.record != nil {
		attempt = k.record.Attempt + 1
	}
	for ; ; attempt++ {
		counts, err := j.attempt(ctx, k, attempt, input)
		if !errors.Is(err, errShown) {
			return counts, err
		}
	}
}

// attempt draws the part and writes its output, under the key of the run's draws where this
// machine has it: then the same attempt makes the same draws. Its charges pay for one draw:
// as soon as that draw may be seen, the ledger knows its digest, and any other draw needs
// another attempt, which is charged again. attempt then returns errShown.
func (j *partJob) attempt(ctx context.Context, k *kept, attempt int, input string) (sotto.Counts, error) {
	stream, counts := j.stream(), sotto.Counts{}
	stream.Counts = &counts
	var err error
	if stream.Key, err = j.draws(k, attempt, input); err != nil {
		return counts, err
	}
	paid := "" // the first key that paid for a draw; it gets the digest
	stream.Charge = func(ctx context.Context, batch uint64, p *sotto.Pending) error {
		key := p.Name()
		if key == "" {
			key = j.key(input, attempt, batch)
		}
		free, err := j.worker.Charge(ctx, key, p)
		if j.cfg.Ledger != "" && !errors.As(err, new(*ledger.ExhaustedError)) {
			charged.Store(true)
		}
		if err == nil && !free {
			return errShown
		}
		if paid == "" && p.Draws() > 0 {
			paid = key
		}
		return err
	}
	in, err := j.readable(ctx)
	if err != nil {
		return sotto.Counts{}, err
	}
	var out bytes.Buffer
	if _, err := j.worker.Rewriter.Copy(ctx, &out, in, stream); err != nil {
		return sotto.Counts{}, err
	}
	if err := j.worker.Confirm(); err != nil {
		return sotto.Counts{}, err
	}
	if paid != "" {
		sum := sha256.Sum256(out.Bytes())
		if free, err := j.worker.Show(ctx, paid, sum[:]); err != nil {
			return sotto.Counts{}, err
		} else if !free {
			return sotto.Counts{}, errShown
		}
	}
	return counts, k.put(ctx, attempt, input, out.Bytes())
}

// draws returns the key of an attempt's draws; nil if this machine has no key of the run.
func (j *partJob) draws(k *kept, attempt int, input string) (*noise.Key, error) {
	if j.cfg.Draws == "" {
		return nil, nil
	}
	key, err := runkey.FindDraw(j.cfg.Draws)
	if key == nil || err != nil {
		return nil, err
	}
	statement, err := j.worker.Rewriter.RunSettings()
	if err != nil {
		return nil, err
	}
	settings, err := j.cfg.settings()
	if err != nil {
		return nil, err
	}
	draws, err := run.Draws(key, run.Attempted{Output: k.output, Number: attempt, Settings: append(statement, settings...), Input: input})
	return &draws, err
}

// key returns the name of the charge of one batch whose draws cannot be made again.
func (j *partJob) key(input string, attempt int, batch uint64) string {
	return fmt.Sprintf("%s\x00%s\x00%d\x00%d\x00%d", path.Base(j.part.File), input, j.part.Number, attempt, batch)
}

// stream returns how the texts of the part are read. In a seeded run the part number
// keeps the batches of a file apart.
func (j *partJob) stream() sotto.Stream {
	s := sotto.Stream{Format: j.format, Fields: j.cfg.Fields, Invalid: j.cfg.Invalid, Workers: 1, First: uint64(j.part.Number) << 12, Rest: j.part.Number > 0}
	if j.format.Seeks {
		s.Part = j.part.Number + 1
	}
	return s
}

// readable returns the part without the records that cannot be read, and reports those.
// If records may hold line breaks, a part is kept or left out as a whole. So are rows of whole
// texts, whose list of failures shows nothing of a row, not even its line.
func (j *partJob) readable(ctx context.Context) (io.Reader, error) {
	if j.format.Seeks {
		return bytes.NewReader(j.whole), nil
	}
	data := j.part.Data
	var gone []int // lines of the part that were left out, from 1, in order
	for {
		in := slices.Concat(j.part.Header, data)
		var fault *text.InputError
		if err := j.read(in); !errors.As(err, &fault) {
			return bytes.NewReader(in), err
		}
		leftOut.Inc(ctx, 1)
		if j.cfg.whole() && j.format.Header {
			j.failed(sottobeam.Failure{Key: fmt.Sprintf("%s:part %d", j.part.File, j.part.Number), What: unreadPart})
			return bytes.NewReader(j.part.Header), nil
		}
		line := fault.Line - bytes.Count(j.part.Header, []byte("\n")) // within data, from 1
		j.failed(sottobeam.Failure{Key: fmt.Sprintf("%s:%d", j.part.File, j.part.Line-1+original(line, gone)), What: fault.What})
		if j.format.Breaks {
			return bytes.NewReader(j.part.Header), nil
		}
		data, gone = without(data, line), insert(gone, original(line, gone))
	}
}

// unreadPart is all that is said about a part of whole texts that is left out.
const unreadPart = "the part cannot be read"

// read reads the texts of the part to find faults.
func (j *partJob) read(in []byte) error {
	o := j.cfg.options()
	o.Rest = j.part.Number > 0
	texts, err := j.format.Open(bytes.NewReader(in), o)
	for err == nil {
		var b text.Batch
		if b, err = texts.Next(); err == nil {
			_, err = b.Texts()
		}
	}
	if err == io.EOF {
		return nil
	}
	return err
}

// original returns the number of a line before the removed lines, in order, were left out.
// Faults are not found in order: encodings are checked first.
func original(line int, gone []int) int {
	for _, g := range gone {
		if g <= line {
			line++
		}
	}
	return line
}

func insert(sorted []int, n int) []int {
	at, _ := slices.BinarySearch(sorted, n)
	return slices.Insert(sorted, at, n)
}

// without returns data without one line, counted from 1.
func without(data []byte, line int) []byte {
	from := 0
	for range line - 1 {
		from += bytes.IndexByte(data[from:], '\n') + 1
	}
	to := len(data)
	if i := bytes.IndexByte(data[from:], '\n'); i >= 0 {
		to = from + i + 1
	}
	return append(bytes.Clone(data[:from]), data[to:]...)
}

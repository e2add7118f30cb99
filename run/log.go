package run

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"

	"github.com/sotto-dp/sotto/files/atomicfile"
	"github.com/sotto-dp/sotto/files/runkey"
	"github.com/sotto-dp/sotto/noise"
)

// LogName is the name of the record in its folder.
const LogName = "sotto-run.jsonl"

// Log is the record of a run into a folder: a file of JSON lines there, locked during the
// run. Each attempt at an output has a line before anything of it is drawn, and a second
// line when the output is whole, before it gets its name. So every output that anyone may
// have seen is recorded. The record may be published with the outputs: nothing in it depends
// on the contents of a text, except the counts, which the report has too.
//
// After a power failure the record may have an output whose data is not on the disk. It
// then counts as gone.
type Log struct {
	folder string
	file   *os.File
	header Header
	secret runkey.Secret
	last   map[string]Attempt // by output
}

// Attempt is a line of the record.
type Attempt struct {
	Output    string `json:"output"`
	Number    int    `json:"attempt"`         // counted from 1
	Input     string `json:"input_digest"`    // see inputDigest
	Draws     string `json:"draws"`           // the name of the draws, under a key that is gone after the run
	Temporary string `json:"temporary"`       // the name until the output is whole
	Whole     *Whole `json:"drawn,omitempty"` // nil until then

	content string // SHA-256 of the input
}

// Whole describes a whole output.
type Whole struct {
	SHA256 string          `json:"sha256"`
	Counts json.RawMessage `json:"counts"` // as the caller counts
}

// Open begins a run in a folder, or with resume continues one. A run that has drawn nothing
// does not keep another from beginning in its place. Of the private settings the record has a
// keyed digest.
func Open(folder string, settings, private []byte, resume bool) (_ *Log, err error) {
	name := filepath.Join(folder, LogName)
	l := &Log{folder: folder, last: map[string]Attempt{}}
	if l.file, err = os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644); err != nil {
		return nil, named(name, err)
	}
	defer func() {
		if err != nil {
			_ = l.file.Close()
		}
	}()
	if err := hold(l.file); err != nil {
		return nil, err
	}
	began, err := l.read()
	if err != nil {
		return nil, err
	}
	if began && len(l.last) == 0 {
		if resume {
			_, err = l.header.Resume(name, settings, private)
		}
		began = resume && err == nil
	}
	if !began && l.header.Run != "" {
		if err := runkey.EndDraws(l.header.Run); err != nil {
			return nil, err
		}
		if err := l.file.Truncate(0); err != nil {
			return nil, named(name, err)
		}
	}
	if !began {
		if l.header, l.secret, err = New(settings, private); err != nil {
			return nil, err
		}
		return l, l.append(l.header, true)
	}
	if !resume {
		return nil, Holds(folder)
	}
	l.secret, err = l.header.Resume(name, settings, private)
	return l, err
}

// read reads the record. It removes a truncated last line: what that line announces did
// not begin.
func (l *Log) read() (began bool, err error) {
	in := bufio.NewReader(l.file)
	read := int64(0)
	for first := true; ; first = false {
		line, err := in.ReadBytes('\n')
		if err != nil { // the end, or a truncated line
			if first && !begins(line) {
				return false, fmt.Errorf("%s: %w", l.file.Name(), ErrRecord)
			}
			return !first, l.file.Truncate(read)
		}
		read += int64(len(line))
		var one Attempt
		if first {
			l.header, err = Read(line)
		} else if err = json.Unmarshal(line, &one); err == nil && !one.valid() {
			err = ErrRecord
		}
		if err != nil {
			return false, fmt.Errorf("%s: %w", l.file.Name(), ErrRecord)
		}
		if !first {
			l.last[one.Output] = one
		}
	}
}

// valid refuses a forged line: the temporary file, which is removed, must not be an output, and
// no output is outside the folder.
func (a Attempt) valid() bool {
	return a.Number >= 1 && filepath.IsLocal(filepath.FromSlash(a.Output)) && atomicfile.IsTemporary(a.Output, a.Temporary)
}

// path returns the path of a file beside an output.
func (l *Log) path(output, name string) string {
	return filepath.Join(l.folder, filepath.FromSlash(path.Dir(output)), name)
}

// Sweep removes what killed runs left of the outputs and did not record.
func (l *Log) Sweep(outputs []string) error {
	of, recorded := map[string][]string{}, map[string][]string{} // by folder
	for _, name := range outputs {
		folder := l.path(name, "")
		of[folder] = append(of[folder], path.Base(name))
		if last, ok := l.last[name]; ok {
			recorded[folder] = append(recorded[folder], last.Temporary) // Settle has them
		}
	}
	for folder, names := range of {
		if err := atomicfile.Sweep(folder, names, recorded[folder]...); err != nil {
			return err
		}
	}
	return nil
}

// Settle settles an output of the folder, whose name has slashes where it is in one below it. content is the SHA-256 of its input.
func (l *Log) Settle(ctx context.Context, output, input, content string, again bool) (*Whole, error) {
	last := l.last[output]
	o := Output{Name: l.path(output, path.Base(output)), Input: input, Same: last.Input == l.inputDigest(output, last.Number, content)}
	if last.Number > 0 {
		o.Temporary = l.path(output, last.Temporary)
	}
	if last.Whole != nil {
		o.SHA256 = last.Whole.SHA256
	}
	done, err := Settle(ctx, Local{}, o, again)
	if err != nil || !done {
		return nil, err
	}
	return last.Whole, nil
}

// Next returns the attempt that must draw an output, and the key of its draws. It is the
// last one again, with the same draws, if that was interrupted and everything that the draws
// depend on is as it was, the key of the run too.
func (l *Log) Next(output, content string) (a Attempt, draws noise.Key, err error) {
	last := l.last[output]
	a = Attempt{Output: output, Number: max(1, last.Number), content: content}
	if last.Whole != nil {
		a.Number++
	}
	if draws, err = l.draws(&a); err == nil && last.Number > 0 && last.Whole == nil && last.Draws != a.Draws {
		a.Number++
		draws, err = l.draws(&a)
	}
	return a, draws, err
}

// draws fills in what follows from the number of an attempt.
func (l *Log) draws(a *Attempt) (noise.Key, error) {
	key, err := runkey.Draw(l.header.Run)
	if err != nil {
		return noise.Key{}, err
	}
	draws, err := Draws(key, Attempted{Output: a.Output, Number: a.Number, Settings: l.header.Settings, Input: a.content})
	a.Input, a.Draws = l.inputDigest(a.Output, a.Number, a.content), draws.Name()
	return draws, err
}

// Begun reports whether there was an attempt at an output. Without one it is settled whatever
// its input is.
func (l *Log) Begun(output string) bool { return l.last[output].Number > 0 }

// Interrupted returns the number of the last attempt at an output if that was interrupted,
// else 0.
func (l *Log) Interrupted(output string) int {
	if last := l.last[output]; last.Whole == nil {
		return last.Number
	}
	return 0
}

// Put writes the line of an attempt. The line of a whole output is on the disk when Put
// returns. The line before it need not be: without it the same attempt is made again.
func (l *Log) Put(a Attempt) error {
	if !a.valid() {
		return fmt.Errorf("%s: not an attempt", l.file.Name())
	}
	l.last[a.Output] = a
	return l.append(a, a.Whole != nil)
}

// End ends the run: the key of its draws is removed.
func (l *Log) End() error { return runkey.EndDraws(l.header.Run) }

// Name returns the path of the record.
func (l *Log) Name() string { return l.file.Name() }

// Close releases the record.
func (l *Log) Close() error { return l.file.Close() }

func (l *Log) append(line any, sync bool) error {
	data, err := json.Marshal(line)
	if err == nil {
		_, err = l.file.Write(append(data, '\n'))
	}
	if err == nil && sync {
		err = l.file.Sync()
	}
	return named(l.file.Name(), err)
}

// inputDigest returns the recorded digest of an attempt's input. The digest is keyed,
// because otherwise it would confirm a guess of the text. It differs between attempts,
// because otherwise two digests would show whether two inputs are equal.
func (l *Log) inputDigest(output string, attempt int, content string) string {
	return l.secret.Name(fmt.Sprintf("input\x00%s\x00%d\x00%s", output, attempt, content))
}

package main

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/files/atomicfile"
	"github.com/sotto-dp/sotto/files/runkey"
	"github.com/sotto-dp/sotto/internal/filelock"
)

// recordName is the record's name in the folder.
const recordName = "sotto-run.jsonl"

// record is the state of a run into a folder: a file of JSON lines there, locked during
// the run. Each attempt at an output has a line before anything of it is drawn, and a
// second line when the output is whole, before it gets its name. So every output that
// anyone may have seen is recorded. The record may be published with the outputs: nothing
// in it depends on the contents of a text, except the counts that the report has too.
//
// After a power failure the record may have an output whose data is not on the disk. It
// then counts as gone.
type record struct {
	file     *os.File
	begun    begun
	secret   runkey.Secret
	attempts map[string]attempt // the last attempt of each output
}

// begun is the first line of the record.
type begun struct {
	Run      string          `json:"run"` // random
	Key      string          `json:"key"` // identifies the key of the inputs' digests
	Settings json.RawMessage `json:"settings"`
}

// attempt is a line of the record.
type attempt struct {
	Output    string `json:"output"`
	Attempt   int    `json:"attempt"`         // counted from 1
	Input     string `json:"input_digest"`    // see inputDigest
	Temporary string `json:"temporary"`       // the name until the output is whole
	Drawn     *drawn `json:"drawn,omitempty"` // nil until the output is whole
}

// drawn describes a whole output.
type drawn struct {
	SHA256 string   `json:"sha256"`
	Counts recorded `json:"counts"`
}

// recorded are the counts of one output that the report of a run needs. They follow from
// the number of texts and their numbers of tokens. With --consistent a text is charged
// for its distinct words: the draws then depend on which of its tokens are the same word,
// which no claim for words protects.
type recorded struct {
	Documents        int `json:"documents"`
	Tokens           int `json:"tokens,omitempty"`
	LongestTokens    int `json:"document_tokens_max,omitempty"`
	Draws            int `json:"draws"`
	LongestDraws     int `json:"document_draws_max"`
	ClampedDocuments int `json:"clamped_documents,omitempty"`
	ClampedTokens    int `json:"clamped_tokens,omitempty"`
}

// recordOf leaves out what the statement does not publish.
func recordOf(c sotto.Counts, s sotto.Statement) recorded {
	r := recorded{c.Documents, c.Tokens, c.LongestTokens, c.Draws, c.LongestDraws, c.ClampedDocuments, c.ClampedTokens}
	if s.Tokens == nil {
		r.Tokens, r.LongestTokens = 0, 0
	}
	return r
}

func (r recorded) counts() sotto.Counts {
	return sotto.Counts{
		Documents: r.Documents, Tokens: r.Tokens, LongestTokens: r.LongestTokens, Draws: r.Draws,
		LongestDraws: r.LongestDraws, ClampedDocuments: r.ClampedDocuments, ClampedTokens: r.ClampedTokens,
	}
}

// openRecord begins a run in a folder or resumes one.
func openRecord(folder string, settings []byte, resume bool) (_ *record, err error) {
	name := filepath.Join(folder, recordName)
	r := &record{attempts: map[string]attempt{}}
	if r.file, err = os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644); err != nil {
		return nil, fmt.Errorf("%s: %w", name, plainError(err))
	}
	defer func() {
		if err != nil {
			_ = r.file.Close()
		}
	}()
	if free, err := filelock.Lock(r.file); err != nil || !free {
		return nil, fmt.Errorf("%s: in use by another run", name)
	}
	began, err := r.read()
	if err != nil {
		return nil, err
	}
	if !began {
		r.begun = begun{Run: rand.Text(), Settings: settings}
	}
	if r.secret, err = runkey.Of(r.begun.Run); err != nil {
		return nil, err
	}
	switch {
	case !began:
		r.begun.Key = r.secret.Check()
		return r, r.append(r.begun, true)
	case !resume:
		return nil, wrongUsage("use --resume to continue it; rewriting its files again would release them twice", "%s holds a run", folder)
	case !bytes.Equal(r.begun.Settings, settings):
		return nil, wrongUsage("its first line lists them", "the run in %s was begun with other settings", name)
	case r.begun.Key != r.secret.Check():
		path, err := runkey.Path()
		if err != nil {
			return nil, err
		}
		return nil, fmt.Errorf("%s: the run was begun with another key than %s, so its inputs cannot be compared: resume it as the same user on the same machine, or copy the key", name, path)
	}
	return r, nil
}

// read reads the record. It removes a truncated last line: what that line announces did
// not begin.
func (r *record) read() (began bool, err error) {
	in := bufio.NewReader(r.file)
	read := int64(0)
	for first := true; ; first = false {
		line, err := in.ReadBytes('\n')
		if err != nil { // the end, or a truncated line
			return !first, r.file.Truncate(read)
		}
		read += int64(len(line))
		var one attempt
		if first {
			err = json.Unmarshal(line, &r.begun)
		} else if err = json.Unmarshal(line, &one); err == nil && (one.Attempt < 1 || filepath.Base(one.Temporary) != one.Temporary || !strings.HasPrefix(one.Temporary, "."+one.Output)) { // the temporary file, which is removed, must not be an output
			err = errors.New("no attempt")
		}
		if err != nil || r.begun.Run == "" {
			return false, fmt.Errorf("%s: not a run record of this version", r.file.Name())
		}
		if !first {
			r.attempts[one.Output] = one
		}
	}
}

// put writes the line of an attempt. The line of a drawn attempt is on the disk when put
// returns. The line before it need not be: without it the next attempt has the same
// number, and other charges.
func (r *record) put(one attempt) error {
	r.attempts[one.Output] = one
	return r.append(one, one.Drawn != nil)
}

func (r *record) append(line any, sync bool) error {
	data, err := json.Marshal(line)
	if err == nil {
		_, err = r.file.Write(append(data, '\n'))
	}
	if err == nil && sync {
		err = r.file.Sync()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", r.file.Name(), plainError(err))
	}
	return nil
}

// inputDigest returns the recorded digest of an attempt's input, whose SHA-256 is
// content. The digest is keyed, because otherwise it would confirm a guess of the text.
// It differs between attempts, because otherwise two digests would show whether two
// inputs are equal.
func (r *record) inputDigest(one attempt, content string) string {
	return r.secret.Name(fmt.Sprintf("input\x00%s\x00%d\x00%s", one.Output, one.Attempt, content))
}

// settle completes or removes the last attempt at an output, as the record says. It
// returns the counts of an output that is done, and nil if a new attempt must draw it. It
// never draws under a recorded attempt, since the draws of that attempt may have been
// seen.
func (r *record) settle(folder, output, input, content string, again bool) (*recorded, error) {
	path := filepath.Join(folder, output)
	one, known := r.attempts[output]
	exists, err := there(path)
	if err != nil {
		return nil, err
	}
	if exists && one.Drawn == nil {
		return nil, wrongUsage("", "%s already exists and this run did not write it", path)
	}
	if !known {
		return nil, nil
	}
	temporary := filepath.Join(folder, one.Temporary)
	if one.Drawn == nil { // interrupted
		if err := os.Remove(temporary); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%s: %w", temporary, plainError(err))
		}
		return nil, nil
	}
	if !exists {
		// The attempt was interrupted between the record and the name.
		if sum, err := sumOf(temporary); err == nil && sum == one.Drawn.SHA256 {
			if err := atomicfile.Rename(temporary, path); err != nil {
				return nil, fmt.Errorf("%s: %w", path, plainError(err))
			}
			exists = true
		}
	}
	if !exists {
		if again {
			return nil, nil
		}
		return nil, fmt.Errorf("%s was written by this run and is gone: put it back, or redraw it with --again, which is a second release and is charged again", path)
	}
	sum, err := sumOf(path)
	switch {
	case err != nil:
		return nil, err
	case sum != one.Drawn.SHA256:
		return nil, fmt.Errorf("%s is not what this run wrote: put the original output back, or move this file away and redraw it with --again, which is a second release and is charged again", path)
	case one.Input != r.inputDigest(one, content):
		return nil, wrongUsage("to rewrite the new text, which is charged again, move the output away and use --again", "%s has changed since %s was made", input, path)
	}
	return &one.Drawn.Counts, nil
}

func there(path string) (bool, error) {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return false, nil
	} else if err != nil {
		return false, fmt.Errorf("%s: %w", path, plainError(err))
	}
	return true, nil
}

// Package run writes many files as one run: it records, resumes and settles them.
//
// A run has a [Header] with its settings, and for each output the last attempt at it. An
// output that the record has as whole is never drawn again. One that was interrupted is
// drawn again from the same stream ([Draws]), which repeats the same release: nothing more
// is lost, and a charge that is named by the stream is made once.
//
// What settles an output is the same on every file system: see [Files] and [Settle]. [Log]
// is the record of a folder on this machine.
package run

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/sotto-dp/sotto/files/runkey"
	"github.com/sotto-dp/sotto/internal/filelock"
)

// Header identifies a run. It may be published with the outputs.
type Header struct {
	Run      string          `json:"run"` // random
	Key      string          `json:"key"` // identifies the key of the inputs' digests
	Settings json.RawMessage `json:"settings"`
	// Private is a keyed digest of settings that may be private: who knows the rest of a file
	// could find what is missing by a digest without a key.
	Private string `json:"private_digest"`
}

// Refusal says why a run does not begin or go on.
type Refusal struct {
	What   string
	Remedy Remedy
	Usage  bool // what was requested or the inputs are wrong, not a file of the run
}

func (r *Refusal) Error() string { return r.What + ": " + string(r.Remedy) }

// Remedy is what can be done about a refusal. A front end that has options for it words it
// with their names.
type Remedy string

// The remedies.
const (
	Resume      Remedy = "resume it to continue; rewriting its files again would release them twice"
	SeeSettings Remedy = "its first line lists them"
	SameFlags   Remedy = "resume it with those of its beginning"
	PutBack     Remedy = "put the output back, or name its input too"
	MoveFile    Remedy = "it may be an original: move it away"
	// A redrawn output is a second release and is charged again.
	RedrawGone    Remedy = "put it back, or redraw it, which is a second release and is charged again"
	RedrawChanged Remedy = "put the original output back, or move this file away and redraw it, which is a second release and is charged again"
	RedrawText    Remedy = "to rewrite the new text, which is charged again, move the output away and redraw it"
)

// Holds refuses a place that holds a run, which nobody asked to resume.
func Holds(where string) error {
	return &Refusal{where + " holds a run", Resume, true}
}

// ErrRecord is returned for a file that is no record.
var ErrRecord = errors.New("not a run record of this version")

// New returns the header of a new run, and the secret that only its user can derive. Of private
// settings the header has no more than whether they are the same.
func New(settings, private []byte) (Header, runkey.Secret, error) {
	h := Header{Run: rand.Text(), Settings: settings}
	secret, err := runkey.Of(h.Run)
	if err != nil {
		return Header{}, secret, err
	}
	h.Key, h.Private = secret.Check(), privateDigest(secret, private)
	return h, secret, nil
}

func privateDigest(secret runkey.Secret, private []byte) string {
	return secret.Name("settings\x00" + string(private))
}

// Read reads a header.
func Read(data []byte) (h Header, err error) {
	if json.Unmarshal(data, &h) != nil || h.Run == "" || h.Key == "" || h.Private == "" {
		return h, ErrRecord
	}
	return h, nil
}

// begins reports whether data may be the beginning of a header that was not written in full.
func begins(data []byte) bool {
	const first = `{"run":"`
	n := min(len(data), len(first))
	return string(data[:n]) == first[:n]
}

// Resume returns the secret of a run that is continued. It refuses other settings than
// those that the run began with, and another user.
func (h Header) Resume(record string, settings, private []byte) (secret runkey.Secret, err error) {
	if !bytes.Equal(h.Settings, settings) {
		return secret, &Refusal{"the run in " + record + " was begun with other settings", SeeSettings, true}
	}
	if secret, err = runkey.Of(h.Run); err != nil {
		return secret, err
	}
	if h.Key != secret.Check() {
		path, err := runkey.Path()
		if err != nil {
			return secret, err
		}
		return secret, fmt.Errorf("%s: the run was begun with another key than %s, so its inputs cannot be compared: resume it as the same user on the same machine, or copy the key", record, path)
	}
	if h.Private != privateDigest(secret, private) {
		return secret, &Refusal{"the run in " + record + " was begun with other flags, or with other contents of files that they name", SameFlags, true}
	}
	return secret, nil
}

// Hold locks a record until it is closed, and refuses one that another process holds.
func Hold(record string) (io.Closer, error) { return lock(record, filelock.Lock) }

// Share is Hold for one of several processes that hold a record together.
func Share(record string) (io.Closer, error) { return lock(record, filelock.Share) }

func lock(record string, how func(*os.File) (free bool, err error)) (io.Closer, error) {
	f, err := os.OpenFile(record, os.O_RDWR, 0)
	if err != nil {
		return nil, named(record, err)
	}
	if err := take(f, how); err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

func hold(record *os.File) error { return take(record, filelock.Lock) }

func take(record *os.File, how func(*os.File) (free bool, err error)) error {
	if free, err := how(record); err != nil || !free {
		return fmt.Errorf("%s: in use by another run", record.Name())
	}
	return nil
}

package files

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"github.com/sotto-dp/sotto/files/runkey"
	"github.com/sotto-dp/sotto/run"
)

// recordsFolder is the subfolder of the output folder with the records of the parts, and
// with outputs that have no name yet.
const recordsFolder = "sotto-parts"

// record describes the output of a part. It is written when the output is whole and
// before the output gets its name, so every named output is recorded. It may be published: it
// shows nothing of a text, not even that two inputs are equal (see recorded).
type record struct {
	Version   int    `json:"version"`
	Output    string `json:"output"`
	Attempt   int    `json:"attempt"`
	Run       string `json:"run"` // identifies the run
	Input     string `json:"input_digest"`
	Temporary string `json:"temporary"` // in recordsFolder, until the output has its name
	SHA256    string `json:"sha256"`
}

// recordVersion is the version of records. Those of before had digests that were equal for
// equal inputs.
const recordVersion = 2

// kept is a part's output and its record.
type kept struct {
	folder, output string
	record         *record // nil if there is none
	secret         runkey.Secret
}

func (k *kept) name() string              { return k.folder + "/" + k.output }
func (k *kept) recordName() string        { return k.folder + "/" + recordsFolder + "/" + k.output + ".json" }
func (k *kept) temporary(t string) string { return k.folder + "/" + recordsFolder + "/" + t }

// open reads the record of a part's output, if there is one.
func (c Config) open(ctx context.Context, p part) (*kept, error) {
	k := &kept{folder: strings.TrimSuffix(c.Output, "/"), output: c.name(p), secret: runkey.From(c.Run)}
	return k, k.read(ctx)
}

func (k *kept) read(ctx context.Context) error {
	k.record = nil
	ok, err := exists(ctx, k.recordName())
	if err != nil || !ok {
		return err
	}
	data, err := readAll(ctx, k.recordName())
	if err != nil {
		return err
	}
	var r record
	if json.Unmarshal(data, &r) != nil || r.Version != recordVersion || r.Output != k.output || r.Attempt < 1 || r.SHA256 == "" || path.Base(r.Temporary) != r.Temporary {
		return fmt.Errorf("%s is not a part record of this version", k.recordName())
	}
	k.record = &r
	return nil
}

// settle reports whether the output is done: see [run.Settle].
func (k *kept) settle(ctx context.Context, input string, p part, again bool) (done bool, err error) {
	o := run.Output{Name: k.name(), Input: p.File}
	if r := k.record; r != nil {
		if r.Run != k.secret.Check() {
			return false, fmt.Errorf("%s belongs to another run: give that run's name to continue it", k.name())
		}
		o.Temporary, o.SHA256, o.Same = k.temporary(r.Temporary), r.SHA256, r.Input == k.recorded(r.Attempt, input)
	}
	return run.Settle(ctx, places{}, o, again)
}

// put writes an output: under a temporary name, then its record, then under its name. If
// another worker recorded its output first, that output is used.
func (k *kept) put(ctx context.Context, attempt int, input string, data []byte) error {
	temporary, err := stage(ctx, k.temporary(k.output), data)
	if err != nil {
		return err
	}
	r := record{Version: recordVersion, Output: k.output, Attempt: attempt, Run: k.secret.Check(), Input: k.recorded(attempt, input), Temporary: path.Base(filepath.ToSlash(temporary)), SHA256: sumOf(data)}
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	write := first
	if k.record != nil { // of an output that is gone
		write = overwrite
	}
	if err := write(ctx, k.recordName(), append(line, '\n')); err != nil {
		return err
	}
	if err := k.read(ctx); err != nil {
		return err
	}
	if k.record == nil || k.record.Temporary != r.Temporary {
		return remove(ctx, temporary)
	}
	return publish(ctx, temporary, k.name())
}

// recorded returns the digest of an input that a record shows. It is keyed with the name of the
// run, which is a secret, so that it confirms no guess of a text. It differs between outputs and
// between attempts, so that it does not show whether two inputs are equal.
func (k *kept) recorded(attempt int, input string) string {
	return k.secret.Name(fmt.Sprintf("input of a part\x00%s\x00%d\x00%s", k.output, attempt, input))
}

// inputDigest returns the keyed digest of the input of a part, by which attempts at it are told
// apart. It is not published.
func (k *kept) inputDigest(p part, whole []byte) (string, error) {
	place := fmt.Sprintf("%d\x00%d\x00", p.Number, len(p.Header))
	return k.secret.Digest(bytes.NewReader(bytes.Join([][]byte{[]byte(place), p.Header, p.Data, whole}, nil)))
}

func sumOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// errShown means that a draw of this attempt was or may have been shown.
var errShown = errors.New("the attempt was shown")

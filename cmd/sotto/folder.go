package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/internal/paths"
	"github.com/sotto-dp/sotto/internal/whole"
)

// folder is a run of many files into one folder. Its record, a file of JSON
// lines there, is locked while the run lasts. A file's line is on the disk
// before its output gets its name: an output that stands has its line, and is
// never drawn for again. Nothing in the record depends on what a text says,
// except the counts that the report tells too.
type folder struct {
	path   string
	record *os.File
	begin  begun
	done   map[string]finished // by the name of the output
}

// recordName is the record's name in the folder.
const recordName = "sotto-run.jsonl"

// begun is the record's first line.
type begun struct {
	// Run is random. It names the charges of the run, so that a file that was
	// interrupted is not charged for twice: nothing of it was released.
	Run      string          `json:"run"`
	Settings json.RawMessage `json:"settings"`
}

// finished is the record's line on one output.
type finished struct {
	Output   string       `json:"output"`
	Modified time.Time    `json:"input_modified"`
	Counts   sotto.Counts `json:"counts"`
}

// isFolder tells whether an output is a folder: one that stands, or a name that
// ends like one.
func isFolder(output string) bool {
	if output == "" {
		return false
	}
	info, err := os.Stat(output)
	return err == nil && info.IsDir() || os.IsPathSeparator(output[len(output)-1])
}

// alsoUses returns the files that a run writes into its folder.
func (c *rewriteCmd) alsoUses() []paths.Use {
	if !isFolder(c.Output) {
		return nil
	}
	files, err := expand(c.File)
	if err != nil {
		return nil // said where the files are listed
	}
	uses := []paths.Use{{Flag: "-o", Name: filepath.Join(c.Output, recordName), Writes: true}}
	seen := map[string]bool{recordName: true} // two inputs of one name are refused later
	for _, name := range files {
		if base := filepath.Base(name); !seen[base] {
			seen[base] = true
			uses = append(uses, paths.Use{Flag: "-o", Name: filepath.Join(c.Output, base), Writes: true})
		}
	}
	return uses
}

// rewriteInto rewrites each file into one of its own name in the output folder.
func (c *rewriteCmd) rewriteInto(ctx context.Context, term *terminal, r *sotto.Rewriter, payer *payer, files []string) error {
	outputs := map[string]string{} // input by output
	for _, name := range files {
		if name == "-" {
			return wrongUsage("", "standard input has no name to give to a file of %s", c.Output)
		}
		base := filepath.Base(name)
		if other, ok := outputs[base]; ok {
			return wrongUsage("", "%s and %s would both become %s", other, name, filepath.Join(c.Output, base))
		}
		if base == recordName {
			return wrongUsage("", "%s is the record of a run, not a text", name)
		}
		outputs[base] = name
	}
	settings, err := json.Marshal(struct {
		sotto.Statement
		Format     string   `json:"format"`
		Fields     []string `json:"fields"`
		Consistent bool     `json:"consistent"`
		Account    string   `json:"account"`
		Seed       *uint64  `json:"insecure_seed"`
	}{r.Statement(sotto.Counts{}), c.Format, c.Field, c.Consistent, c.Account, c.InsecureSeed})
	if err != nil {
		return err
	}
	f, err := openFolder(c.Output, settings, c.Resume, outputs)
	if err != nil {
		return err
	}
	defer f.record.Close()

	var counts sotto.Counts
	for _, name := range files {
		done, err := c.rewriteOne(ctx, term, r, payer, name, f)
		if err != nil {
			return err
		}
		counts.Add(done)
	}
	statement := r.Statement(counts)
	if c.Report != "" {
		if err := writeReport(term, c.Report, statement); err != nil {
			return err
		}
	}
	if c.JSON {
		return printJSON(term, statement)
	}
	return nil
}

// rewriteOne rewrites one file of the run, unless it is done.
func (c *rewriteCmd) rewriteOne(ctx context.Context, term *terminal, r *sotto.Rewriter, payer *payer, name string, f *folder) (sotto.Counts, error) {
	info, err := os.Stat(name)
	if err != nil {
		return sotto.Counts{}, fmt.Errorf("%s: %w", name, plainError(err))
	}
	base, modified := filepath.Base(name), info.ModTime().UTC()
	if done, err := f.finished(base, name, modified); done != nil || err != nil {
		return done.countsOf(), err
	}
	path := filepath.Join(f.path, base)
	out, err := createOutput(term, path)
	if err != nil {
		return sotto.Counts{}, err
	}
	defer out.discard()
	charge := payer.charge(func(batch uint64) string {
		sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%d\x00%d", f.begin.Run, base, modified.UnixNano(), batch))
		return hex.EncodeToString(sum[:])
	})
	counts, err := c.rewriteFile(ctx, term, r, name, out, charge)
	if err != nil {
		return counts, err
	}
	if err := out.finish(); err != nil {
		return counts, fmt.Errorf("%s: %w", path, plainError(err))
	}
	if err := f.finish(finished{Output: base, Modified: modified, Counts: counts}); err != nil {
		return counts, err
	}
	if err := out.commit(); err != nil {
		return counts, fmt.Errorf("%s: %w", path, plainError(err))
	}
	return counts, nil
}

// openFolder begins a run or goes on with one, and removes what an interrupted
// one left half done.
func openFolder(path string, settings []byte, resume bool, outputs map[string]string) (_ *folder, err error) {
	if err := os.MkdirAll(path, 0o755); err != nil {
		return nil, fmt.Errorf("%s: %w", path, plainError(err))
	}
	f := &folder{path: path, done: map[string]finished{}}
	record := filepath.Join(path, recordName)
	f.record, err = os.OpenFile(record, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", record, plainError(err))
	}
	defer func() {
		if err != nil {
			_ = f.record.Close()
		}
	}()
	if free, err := whole.Lock(f.record); err != nil || !free {
		return nil, fmt.Errorf("%s: another run has it", record)
	}
	began, err := f.read()
	switch {
	case err != nil:
		return nil, err
	case !began:
		f.begin = begun{Run: rand.Text(), Settings: settings}
		return f, f.append(f.begin)
	case !resume:
		return nil, wrongUsage("--resume goes on with it; each file rewritten again would be released twice", "%s holds a run", path)
	case !bytes.Equal(f.begin.Settings, settings):
		return nil, wrongUsage("its first line tells them", "the run in %s was begun with other settings", record)
	}
	return f, f.sweep(outputs)
}

// read takes in the record, up to a last line that was cut short, which goes:
// its output was never named.
func (f *folder) read() (began bool, err error) {
	in := bufio.NewReader(f.record)
	read := int64(0)
	for first := true; ; first = false {
		line, err := in.ReadBytes('\n')
		if err != nil { // the end, or a line without one
			return !first, f.record.Truncate(read)
		}
		read += int64(len(line))
		var one finished
		if first {
			err = json.Unmarshal(line, &f.begin)
		} else if err = json.Unmarshal(line, &one); err == nil {
			f.done[one.Output] = one
		}
		if err != nil {
			return false, fmt.Errorf("%s: is not the record of a run", f.record.Name())
		}
	}
}

func (f *folder) append(line any) error {
	data, err := json.Marshal(line)
	if err == nil {
		_, err = f.record.Write(append(data, '\n'))
	}
	if err == nil {
		err = f.record.Sync()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", f.record.Name(), plainError(err))
	}
	return nil
}

// finish puts a file on record; its output gets its name after that.
func (f *folder) finish(one finished) error {
	f.done[one.Output] = one
	return f.append(one)
}

// finished returns what is on record of an output that stands, nil where none
// does, and refuses one that is not the run's or not of this input.
func (f *folder) finished(output, input string, modified time.Time) (*finished, error) {
	path := filepath.Join(f.path, output)
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, fmt.Errorf("%s: %w", path, plainError(err))
	}
	one, ok := f.done[output]
	switch {
	case !ok:
		return nil, wrongUsage("", "%s stands already and is not of this run", path)
	case !one.Modified.Equal(modified):
		return nil, wrongUsage("remove it to rewrite the new text, which spends again", "%s has changed since %s was made", input, path)
	}
	return &one, nil
}

func (one *finished) countsOf() sotto.Counts {
	if one == nil {
		return sotto.Counts{}
	}
	return one.Counts
}

// unfinished is the name that an output has until it is whole.
var unfinished = regexp.MustCompile(`^\.(.+?)\d+$`)

// sweep removes what an interrupted run left of these outputs.
func (f *folder) sweep(outputs map[string]string) error {
	entries, err := os.ReadDir(f.path)
	if err != nil {
		return fmt.Errorf("%s: %w", f.path, plainError(err))
	}
	for _, e := range entries {
		m := unfinished.FindStringSubmatch(e.Name())
		if m == nil || !e.Type().IsRegular() {
			continue
		}
		if _, ours := outputs[m[1]]; !ours {
			continue
		}
		if err := os.Remove(filepath.Join(f.path, e.Name())); err != nil {
			return fmt.Errorf("%s: %w", e.Name(), plainError(err))
		}
	}
	return nil
}

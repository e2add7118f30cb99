package main

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/files/paths"
)

// isFolder reports whether an output is a folder: an existing one, or a name that ends in
// a slash.
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
		return nil // reported where the files are listed
	}
	uses := []paths.Use{{Flag: "-o", Name: filepath.Join(c.Output, recordName), Writes: true}}
	seen := map[string]bool{recordName: true} // equal names of inputs are refused later
	for _, name := range files {
		if base := filepath.Base(name); !seen[base] {
			seen[base] = true
			uses = append(uses, paths.Use{Flag: "-o", Name: filepath.Join(c.Output, base), Writes: true})
		}
	}
	return uses
}

// intoFolder writes each file under its own name to the output folder.
func (c *rewriteCmd) intoFolder(ctx context.Context, term *terminal, r *sotto.Rewriter, payer *payer, files []string) error {
	outputs := map[string]string{} // from output to input
	for _, name := range files {
		if name == "-" {
			return wrongUsage("give -o FILE", "standard input cannot be written into the folder %s: it has no file name", c.Output)
		}
		base := filepath.Base(name)
		if other, ok := outputs[base]; ok {
			return wrongUsage("", "%s and %s would both be written to %s", other, name, filepath.Join(c.Output, base))
		}
		if base == recordName {
			return wrongUsage("", "%s is a run record, not a text", name)
		}
		outputs[base] = name
	}
	settings, err := json.Marshal(struct {
		Statement  sotto.Statement `json:"statement"` // not embedded: it has its own MarshalJSON
		Format     string          `json:"format"`
		Fields     []string        `json:"fields"`
		Invalid    string          `json:"invalid"`
		Consistent bool            `json:"consistent"`
		Account    string          `json:"account"`
		Seed       *uint64         `json:"insecure_seed"`
	}{r.Statement(sotto.Counts{}), c.Format, c.Field, c.Invalid, c.Consistent, c.Account, c.InsecureSeed})
	if err != nil {
		return err
	}
	if err := os.MkdirAll(c.Output, 0o755); err != nil {
		return fmt.Errorf("%s: %w", c.Output, plainError(err))
	}
	record, err := openRecord(c.Output, settings, c.Resume)
	if err != nil {
		return err
	}
	defer record.file.Close()

	var counts sotto.Counts
	for _, name := range files {
		done, err := c.oneInto(ctx, term, r, payer, name, record)
		if err != nil {
			return err
		}
		counts.Add(done.counts())
	}
	statement := r.Statement(counts)
	if c.Report != "" {
		if err := writeReport(ctx, term, c.Report, statement); err != nil {
			return err
		}
	}
	if c.JSON {
		if err := printJSON(term, statement); err != nil {
			return err
		}
	}
	return c.summarise(ctx, term, r, statement)
}

// oneInto writes one file of the run, unless it is done.
func (c *rewriteCmd) oneInto(ctx context.Context, term *terminal, r *sotto.Rewriter, payer *payer, name string, record *record) (none recorded, err error) {
	in, err := os.Open(name)
	if err != nil {
		return none, fmt.Errorf("%s: %w", name, plainError(err))
	}
	defer in.Close()
	content, err := contentOf(in)
	if err != nil {
		return none, err
	}
	base := filepath.Base(name)
	path := filepath.Join(c.Output, base)
	if done, err := record.settle(c.Output, base, name, content, c.Again); done != nil || err != nil {
		if done == nil {
			done = &none
		}
		return *done, err
	}
	if last := record.attempts[base]; last.Attempt > 0 && last.Drawn == nil {
		fmt.Fprintf(term.err, "sotto: %s: attempt %d was interrupted and may have been seen; it is drawn and charged again\n", path, last.Attempt)
	}
	out, err := createOutput(ctx, term, path)
	if err != nil {
		return none, err
	}
	defer out.discard()
	if out.pending == nil {
		return none, fmt.Errorf("%s: is now a device or a pipe", path)
	}
	one := attempt{Output: base, Attempt: record.attempts[base].Attempt + 1, Temporary: filepath.Base(out.pending.Name())}
	one.Input = record.inputDigest(one, content)
	if err := record.put(one); err != nil {
		return none, err
	}
	counts, err := c.copy(ctx, term, r, copied{name, in, out, payer.charge(one.charges(record)), payer.streamsAlone()})
	if err != nil {
		return none, err
	}
	if err := out.finish(); err != nil {
		return none, fmt.Errorf("%s: %w", path, plainError(err))
	}
	if now, err := contentOf(in); err != nil || now != content {
		return none, firstOf(err, fmt.Errorf("%s: changed while it was read", name))
	}
	one.Drawn = &drawn{Counts: recordOf(counts, r.Statement(counts))}
	if one.Drawn.SHA256, err = sumOf(out.pending.Name()); err != nil {
		return none, err
	}
	if err := record.put(one); err != nil {
		return none, err
	}
	if err := out.commit(); err != nil {
		return none, fmt.Errorf("%s: %w", path, plainError(err))
	}
	return one.Drawn.Counts, nil
}

// charges returns the names of an attempt's charges, by batch. They contain a random
// value that is stored nowhere, so that no later attempt, and no copy of the folder, can
// draw for what this attempt paid.
func (one attempt) charges(record *record) func(batch uint64) string {
	once := rand.Text()
	return func(batch uint64) string {
		return record.secret.Name(fmt.Sprintf("%s\x00%s\x00%d\x00%s\x00%d", one.Output, one.Input, one.Attempt, once, batch))
	}
}

// contentOf returns the SHA-256 of an open input, and seeks back to its start.
func contentOf(in *os.File) (string, error) {
	_, err := in.Seek(0, io.SeekStart)
	h := sha256.New()
	if err == nil {
		_, err = io.Copy(h, in)
	}
	if err == nil {
		_, err = in.Seek(0, io.SeekStart)
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", in.Name(), plainError(err))
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// sumOf returns the SHA-256 of a file.
func sumOf(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, plainError(err))
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", fmt.Errorf("%s: %w", name, plainError(err))
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

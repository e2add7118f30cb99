package files

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/sotto-dp/sotto/beam/sottobeam"
	"github.com/sotto-dp/sotto/files/runkey"
	"github.com/sotto-dp/sotto/run"
	"github.com/sotto-dp/sotto/text"
)

// RunName is the name of the run record in the output folder, a [run.Header]. The run's
// name is derived from it and from a key of the user's, which stays where the run was begun:
// see package runkey.
const RunName = "sotto-run.json"

// Begun is a run that this process began or continues. It must be closed.
type Begun struct {
	Config  Config // with the run's names
	lock    io.Closer
	created bool // by this process
}

// Begin writes the run record into the output folder, or with resume continues the run
// recorded there. Of several processes that begin in one local folder, one goes on, and a
// run that goes on is not resumed; of processes that share a run, one of each share goes on.
// The account is opened first, so that a wrong one leaves no record.
func Begin(ctx context.Context, cfg Config, resume bool) (_ *Begun, err error) {
	if err := cfg.CheckAccount(ctx); err != nil {
		return nil, err
	}
	name := cfg.at(RunName)
	settings, err := cfg.settings()
	if err != nil {
		return nil, err
	}
	there, err := exists(ctx, name)
	if err != nil {
		return nil, err
	}
	if there && !resume {
		return nil, run.Holds(cfg.Output)
	}
	created := ""
	if !there {
		if created, err = create(ctx, name, settings); err != nil {
			return nil, err
		}
	}
	b := &Begun{Config: cfg}
	if local(name) {
		if b.lock, err = cfg.hold(ctx); err != nil {
			return nil, err
		}
		defer func() {
			if err != nil {
				_ = b.Close()
			}
		}()
	}
	data, err := readAll(ctx, name)
	if err != nil {
		return nil, err
	}
	header, err := run.Read(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if b.created = header.Run == created; !b.created && !resume {
		return nil, run.Holds(cfg.Output) // another process was first
	}
	secret, err := header.Resume(name, settings, nil)
	if err != nil {
		return nil, err
	}
	if cfg.InsecureSeed == nil {
		b.Config.Draws = cfg.draws(header.Run)
		if _, err := runkey.Draw(b.Config.Draws); err != nil {
			return nil, err
		}
	}
	b.Config.Run = secret.Name("run of a pipeline")
	return b, nil
}

// create writes a new run record, and returns the run's name. If another process wrote one
// first, that one stays.
func create(ctx context.Context, name string, settings []byte) (string, error) {
	header, _, err := run.New(settings, nil)
	if err != nil {
		return "", err
	}
	data, err := json.Marshal(header)
	if err != nil {
		return "", err
	}
	return header.Run, first(ctx, name, append(data, '\n'))
}

// settings returns what a run must be resumed with.
func (c Config) settings() ([]byte, error) {
	same := c.Config
	same.Run = ""
	return json.Marshal(struct {
		sottobeam.Config
		Format  string
		Invalid text.Invalid
		Inputs  []string
	}{same, c.Format, c.Invalid, c.Inputs})
}

// draws returns the name of the key of the draws. A process that shares a run has a key of its
// own, and removes it: nobody else knows when the last process on its machine ends.
func (c Config) draws(run string) string {
	if c.Of == 0 {
		return run
	}
	return fmt.Sprintf("%s/%d of %d", run, c.Take, c.Of)
}

// at returns the path of a file in the output folder.
func (c Config) at(name string) string { return strings.TrimSuffix(c.Output, "/") + "/" + name }

// End ends a run whose pipeline has ended without an error: the key of its draws is removed
// from this machine.
func (b *Begun) End() error {
	if b.Config.Draws == "" {
		return nil
	}
	return runkey.EndDraws(b.Config.Draws)
}

// Undo removes the record of a run that this process began and that ended with an error before
// any part was drawn, so that another can begin in its place. It is for a pipeline whose workers
// were in this process. What it cannot remove stays: that run can be resumed.
func (b *Begun) Undo() {
	cfg := b.Config
	if !b.created || b.lock == nil || cfg.Of > 0 || charged.Load() {
		return
	}
	entries, err := cfg.beside()
	recorded := func(e fs.DirEntry) bool { return strings.HasSuffix(e.Name(), ".json") }
	if err != nil || slices.ContainsFunc(entries, recorded) || Clean(cfg) != nil || b.End() != nil {
		return
	}
	_ = os.Remove(cfg.at(recordsFolder))
	_ = os.Remove(cfg.at(RunName))
}

// Close releases the run for another process.
func (b *Begun) Close() error {
	if b.lock == nil {
		return nil
	}
	return b.lock.Close()
}

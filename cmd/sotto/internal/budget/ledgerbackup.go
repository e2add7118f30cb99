package budget

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/files/atomicfile"
	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/ledger/open"
)

type ledgerBackup struct {
	ledgerFlags
	Copy string `arg:"" path:"update" help:"File to make. It must not exist."`
	JSON bool   `name:"json" group:"output" help:"Print one JSON document."`
}

// Run copies the ledger, and gives the copy its name once it is verified. The copy has
// the answers of the ledger, so that only its owner may read it.
func (c *ledgerBackup) Run(ctx context.Context, term *cli.Terminal) error {
	exists := fmt.Errorf("%s: the file exists: backup does not overwrite it", c.Copy)
	if _, err := os.Lstat(c.Copy); err == nil {
		return exists
	} else if !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: %w", c.Copy, cli.PlainError(err))
	}
	if err := term.MayWrite(c.Copy); err != nil {
		return err
	}
	if err := sweep(c.Copy); err != nil {
		return fmt.Errorf("%s: %w", c.Copy, cli.PlainError(err))
	}
	pending, err := atomicfile.CreatePrivate(c.Copy)
	if err != nil {
		return fmt.Errorf("%s: %w", c.Copy, cli.PlainError(err))
	}
	defer pending.Cleanup() //nolint:errcheck // nothing is left behind
	if err := open.Backup(ctx, c.Ledger, pending.Name()); err != nil {
		return err
	}
	v, err := recompute(ctx, pending.Name())
	if err != nil {
		return fmt.Errorf("the copy: %w", err)
	}
	made, err := os.Stat(pending.Name())
	if err != nil {
		return err
	}
	if err := pending.CloseUnlessThere(); err != nil {
		return fmt.Errorf("%s: %w", c.Copy, cli.PlainError(err))
	}
	if now, err := os.Stat(c.Copy); err != nil || !os.SameFile(made, now) {
		return exists
	}
	return cli.Made("the copy is made", printVerified(term, v, c.JSON))
}

// sweep removes what killed backups left of a copy, which has as much of the ledger as it.
func sweep(name string) error {
	folder, file := filepath.Dir(name), filepath.Base(name)
	if err := atomicfile.Sweep(folder, []string{file}); err != nil {
		return err
	}
	return atomicfile.SweepBeside(folder, file, "-journal", "-wal", "-shm")
}

// recompute verifies a ledger.
func recompute(ctx context.Context, place string) (ledger.Verification, error) {
	l, err := open.Ledger(ctx, place, open.Read)
	if err != nil {
		return ledger.Verification{}, err
	}
	defer l.Close() //nolint:errcheck // it was read only
	return l.Verify(ctx, ledger.Hash{})
}

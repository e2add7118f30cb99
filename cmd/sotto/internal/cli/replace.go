package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/sotto-dp/sotto/files/atomicfile"
)

// Replace writes a small file that others read, whole or not at all, with the owner and group
// of the one that it replaces. ready runs when all but the new name is done; if it fails, the
// file stays as it was.
func Replace(ctx context.Context, term *Terminal, name string, data []byte, ready func() error) error {
	if Special(name) {
		if err := ready(); err != nil {
			return err
		}
		return WriteWhole(ctx, term, name, data)
	}
	p, err := prepare(term, name, data)
	if err != nil {
		return fmt.Errorf("%s: %w", name, PlainError(err))
	}
	defer p.Cleanup() //nolint:errcheck // nothing is left behind
	if err := ready(); err != nil {
		return err
	}
	if err := p.CloseAtomicallyReplace(); err != nil {
		return fmt.Errorf("%s: %w", name, PlainError(err))
	}
	return nil
}

// prepare writes a file that lacks only its name.
func prepare(term *Terminal, name string, data []byte) (*atomicfile.File, error) {
	if err := errors.Join(term.MayWrite(name), sweepOutput(name)); err != nil {
		return nil, err
	}
	p, err := atomicfile.Create(Target(name))
	if err != nil {
		return nil, err
	}
	if _, err = p.Write(data); err == nil {
		err = p.TakeOver()
	}
	if err == nil {
		return p, nil
	}
	_ = p.Cleanup()
	switch {
	case errors.Is(err, atomicfile.ErrOwner):
		err = fmt.Errorf("%w, so that others could not read it any more\n       run the command as root", atomicfile.ErrOwner)
	case errors.Is(err, atomicfile.ErrLinks):
		err = fmt.Errorf("%w\n       remove the other names, or use symbolic links", err)
	}
	return nil, err
}

package run

import (
	"context"
	"fmt"
)

// Files is a file system of outputs. A name may have any form that it understands.
type Files interface {
	Exists(ctx context.Context, name string) (bool, error)
	// Sum returns the SHA-256 of a file, in hexadecimal digits.
	Sum(ctx context.Context, name string) (string, error)
	// Publish gives a whole file its name.
	Publish(ctx context.Context, temporary, name string) error
	// Remove removes a file; one that is gone is no error.
	Remove(ctx context.Context, name string) error
}

// Output is an output as the record has it.
type Output struct {
	Name      string
	Temporary string // its name until it was whole; empty if there was no attempt
	SHA256    string // empty if the last attempt was interrupted
	Input     string // the name of its input
	Same      bool   // the input is the one that it was made of
}

// Settle completes or removes the last attempt at an output, as the record says, and
// reports whether the output is done: if not, it must be drawn. It overwrites nothing that
// the run did not write. With again it gives up a whole output that is gone.
func Settle(ctx context.Context, files Files, o Output, again bool) (done bool, err error) {
	there, err := files.Exists(ctx, o.Name)
	switch {
	case err != nil:
		return false, err
	case o.SHA256 == "" && there:
		return false, &Refusal{o.Name + " already exists and this run did not write it", MoveFile, true}
	case o.SHA256 == "" && o.Temporary != "":
		return false, files.Remove(ctx, o.Temporary)
	case o.SHA256 == "":
		return false, nil
	}
	if !there {
		// The attempt may have been interrupted between the record and the name.
		if there, err = publish(ctx, files, o); err != nil {
			return false, err
		}
	}
	if !there {
		if again {
			return false, nil
		}
		return false, &Refusal{What: o.Name + " was written by this run and is gone", Remedy: RedrawGone}
	}
	sum, err := files.Sum(ctx, o.Name)
	switch {
	case err != nil:
		return false, err
	case sum != o.SHA256:
		return false, &Refusal{What: o.Name + " is not what this run wrote", Remedy: RedrawChanged}
	case !o.Same:
		return false, &Refusal{fmt.Sprintf("%s has changed since %s was made", o.Input, o.Name), RedrawText, true}
	}
	return true, nil
}

// publish gives a whole output its name, if it is still there under its temporary name.
func publish(ctx context.Context, files Files, o Output) (done bool, err error) {
	there, err := files.Exists(ctx, o.Temporary)
	if err != nil || !there {
		return false, err
	}
	sum, err := files.Sum(ctx, o.Temporary)
	if err != nil || sum != o.SHA256 {
		return false, err
	}
	return true, files.Publish(ctx, o.Temporary, o.Name)
}

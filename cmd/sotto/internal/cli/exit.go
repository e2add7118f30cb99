package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Exit codes, part of the documented interface.
const (
	ExitFailed  = 1
	ExitUsage   = 2
	ExitRefuted = 3
	ExitBudget  = 4
)

// Complain prints an error after the program's name, which errors of the package with
// that name already have.
func Complain(w io.Writer, fault string) {
	fmt.Fprintf(w, "sotto: %s\n", strings.TrimPrefix(fault, "sotto: "))
}

// UsageError is an error in the command line; hint suggests what to do instead.
type UsageError struct {
	Err  error
	Hint string
}

func (e *UsageError) Error() string { return e.Err.Error() }

func (e *UsageError) Unwrap() error { return e.Err }

// ExitError ends the program with its exit code.
type ExitError struct {
	Code int
	Err  error
}

func (e *ExitError) Error() string { return fmt.Sprint(e.Err) }

// FinalError is reported as it is, also after a signal and if the reader of a pipe has gone. It
// hides the cause of these.
type FinalError struct{ message string }

func (e *FinalError) Error() string { return e.message }

// Final returns a FinalError, or nil for nil.
func Final(err error) error {
	if err == nil {
		return nil
	}
	return &FinalError{err.Error()}
}

// Made returns the error of a command that did its work but could not print the result. A
// script that took it for a failure would do the work twice.
func Made(what string, err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, context.Canceled) {
		err = errors.New("interrupted before the result was printed")
	}
	return Final(fmt.Errorf("%s: %w", what, err))
}

// WrongUsage returns a UsageError.
func WrongUsage(hint, format string, args ...any) error {
	return &UsageError{Err: fmt.Errorf(format, args...), Hint: hint}
}

package cli

import (
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

// WrongUsage returns a UsageError.
func WrongUsage(hint, format string, args ...any) error {
	return &UsageError{Err: fmt.Errorf(format, args...), Hint: hint}
}

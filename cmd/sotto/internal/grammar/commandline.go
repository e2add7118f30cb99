package grammar

import (
	"context"
	"errors"
	"syscall"

	"github.com/alecthomas/kong"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
)

// line is a command line that was read and checked.
type line struct {
	parsed    *kong.Context
	Variables *Environment // those that configure the command
	exited    int          // the exit code if help or the version was printed, else -1
}

// Parse reads and checks a command line, with the variables that configure its command. It
// is the only place that does. A test refuses others, which would skip one of the checks or
// have another grammar than users meet.
func Parse(ctx context.Context, term *cli.Terminal, args []string) (*line, error) {
	ctx = cli.WithInput(ctx, term.In)
	l := &line{Variables: &Environment{}, exited: -1}
	parser, err := newParser(args, term, kong.Help(printHelp), kong.Exit(func(code int) { l.exited = code }), kong.BindTo(ctx, (*context.Context)(nil)), kong.Resolvers(l.Variables), kong.Bind(l.Variables))
	if err != nil {
		return nil, err
	}
	l.parsed, err = parser.Parse(args)
	switch {
	case l.exited >= 0:
		return l, nil
	case errors.Is(err, syscall.EPIPE):
		return nil, err
	case err != nil:
		return nil, l.Variables.explain(parseError(err))
	}
	if err = l.Variables.check(l.parsed.Selected()); err != nil {
		return nil, err
	}
	if err = refuseTwice(l.parsed); err != nil {
		return nil, err
	}
	if err = refuseEmpty(l.parsed); err != nil {
		return nil, err
	}
	if err = refuseOther(l.parsed.Selected()); err != nil {
		return nil, l.Variables.explain(err)
	}
	return l, l.Variables.explain(term.Claim(l.parsed.Selected()))
}

// Command returns the command with its flags, a pointer to a struct.
func (l *line) Command() any { return l.parsed.Selected().Target.Addr().Interface() }

// run runs the command.
func (l *line) run(ctx context.Context) error {
	return l.Variables.explain(cli.AfterSignal(ctx, l.parsed.Run()))
}

// Invoke runs one command line. It returns the exit code if help or the version was
// printed, and otherwise -1 and the error of the command.
func Invoke(ctx context.Context, term *cli.Terminal, args []string) (code int, err error) {
	l, err := Parse(ctx, term, args)
	if err != nil {
		return -1, err
	}
	if l.exited >= 0 {
		return l.exited, nil
	}
	return -1, hintEpsilon(l.run(ctx), l.parsed.Selected())
}

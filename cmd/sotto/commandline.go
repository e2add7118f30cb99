package main

import (
	"context"
	"errors"
	"syscall"

	"github.com/alecthomas/kong"
)

// line is a command line that was read and checked.
type line struct {
	parsed    *kong.Context
	variables *environment // those that configure the command
	exited    int          // the exit code if help or the version was printed, else -1
}

// parse reads and checks a command line, with the variables that configure its command. It
// is the only place that does. A test refuses others, which would skip one of the checks or
// have another grammar than users meet.
func parse(ctx context.Context, term *terminal, args []string) (*line, error) {
	ctx = withInput(ctx, term.in)
	l := &line{variables: &environment{}, exited: -1}
	parser, err := newParser(args, term, kong.Help(printHelp), kong.Exit(func(code int) { l.exited = code }), kong.BindTo(ctx, (*context.Context)(nil)), kong.Resolvers(l.variables), kong.Bind(l.variables))
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
		return nil, l.variables.explain(parseError(err))
	}
	if err = l.variables.check(l.parsed.Selected()); err != nil {
		return nil, err
	}
	if err = refuseEmpty(l.parsed); err != nil {
		return nil, err
	}
	return l, l.variables.explain(term.claim(l.parsed.Selected()))
}

// command returns the command with its flags, a pointer to a struct.
func (l *line) command() any { return l.parsed.Selected().Target.Addr().Interface() }

// run runs the command.
func (l *line) run(ctx context.Context) error {
	return l.variables.explain(afterSignal(ctx, l.parsed.Run()))
}

// commands returns the part of the grammar that args can reach, for help and completion.
func commands(args ...string) (*kong.Application, error) {
	parser, err := newParser(args, &terminal{})
	if err != nil {
		return nil, err
	}
	return parser.Model, nil
}

// newParser returns a parser of the part of the grammar that args can reach.
func newParser(args []string, term *terminal, options ...kong.Option) (*kong.Kong, error) {
	parser, err := kong.New(grammar(args), append(options,
		kong.Name("sotto"),
		kong.Description("Rewrites text under differential privacy, and proves its guarantees."),
		values(),
		kong.ExplicitGroups(flagGroups),
		kong.Writers(term.out, term.err),
		kong.Bind(term),
	)...)
	if err == nil {
		hideRefused(parser.Model)
	}
	return parser, err
}

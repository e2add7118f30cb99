package python

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/charging"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/grammar"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/opening"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/release"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/worker"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
)

// session is an open rewriter or embedder.
type session struct {
	rewriter *sotto.Rewriter // nil for an embedder
	embedder *sotto.Embedder // nil for a rewriter
	payer    *charging.Payer // nil without an account
	bill     worker.Bill     // of the account
	entry    mechanism.Entry
	claim    privacy.Claim
}

// openOptions are the options of the operation open.
type openOptions struct {
	Command string              `json:"command"` // rewrite or embed
	Flags   map[string][]string `json:"flags"`   // values of flags of the command, by name
}

// workerFlags are the flags of each command that a session takes, beside the parameters
// of mechanisms. Others concern files, of which a session has none.
var workerFlags = map[string][]string{
	"rewrite": {"mechanism", "notion", "epsilon", "param", "calibrate", "embeddings", "words", "accept",
		"unit", "corpus", "model", "pieces", "beam", "document-epsilon", "document-delta", "document-tokens", "over",
		"consistent", "require-certificate", "account", "ledger", "insecure-seed", "never", "unknown"},
	"embed": {"mechanism", "notion", "epsilon", "param", "calibrate", "embeddings", "words", "accept",
		"of", "raw", "insecure-seed", "never"},
}

// openSession opens what the flags of a command describe, as the command does.
func openSession(ctx context.Context, options json.RawMessage) (*session, error) {
	var o openOptions
	if err := json.Unmarshal(options, &o); err != nil {
		return nil, cli.WrongUsage("", "worker: the options of open are malformed")
	}
	term := &cli.Terminal{Out: io.Discard, Err: io.Discard}
	target, err := o.parse(ctx, term)
	if err != nil {
		return nil, err
	}
	switch c := target.(type) {
	case *release.RewriteCmd:
		return rewriteSession(ctx, term, c)
	case *release.EmbedCmd:
		return embedSession(ctx, term, c)
	}
	return nil, cli.WrongUsage("", "worker opens rewrite or embed, got %q", o.Command)
}

// parse returns the command with its flags, as the command line would have set them.
func (o *openOptions) parse(ctx context.Context, term *cli.Terminal) (any, error) {
	may := workerFlags[o.Command]
	if may == nil {
		return nil, nil
	}
	args := []string{o.Command}
	for name, values := range o.Flags {
		if !slices.Contains(may, name) && !isParameterFlag(name) {
			return nil, &privacy.ParameterError{Who: o.Command, Name: "parameter", Value: name, Have: slices.Concat(may, parameterFlagNames())}
		}
		for _, value := range values {
			args = append(args, "--"+name+"="+value)
		}
	}
	slices.Sort(args[1:]) // errors must not depend on the order of a map
	l, err := grammar.Parse(ctx, term, args)
	var usage *cli.UsageError
	if errors.As(err, &usage) {
		return nil, &cli.UsageError{Err: usage.Err} // without its hint at help
	}
	if err != nil {
		return nil, err
	}
	return l.Command(), nil
}

func isParameterFlag(name string) bool { return slices.Contains(parameterFlagNames(), name) }

func parameterFlagNames() (names []string) {
	for field := range reflect.TypeFor[opening.ParameterFlags]().Fields() {
		names = append(names, strings.Split(field.Tag.Get("name"), ",")[0])
	}
	return names
}

func rewriteSession(ctx context.Context, term *cli.Terminal, c *release.RewriteCmd) (_ *session, err error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	cfg, err := c.Opening(ctx, term, "rewrite")
	if err != nil {
		return nil, err
	}
	if err := c.TextFlags.Open(ctx, cfg.Corpus); err != nil {
		return nil, err
	}
	s := &session{}
	if s.rewriter, err = sotto.Open(ctx, cfg); err != nil {
		return nil, err
	}
	s.entry, s.claim = s.rewriter.Entry(), s.rewriter.Claim()
	// What the client puts beside the texts is not known.
	s.payer, err = c.OpenPayer(ctx, charging.Payment{Claim: s.claim, Table: s.rewriter.TableDigest()})
	return s, err
}

func embedSession(ctx context.Context, term *cli.Terminal, c *release.EmbedCmd) (*session, error) {
	cfg, err := c.Config(ctx, term, "embed")
	if err != nil {
		return nil, err
	}
	cfg.InsecureSeed, cfg.Raw = c.InsecureSeed, c.Raw
	s := &session{}
	if s.embedder, err = sotto.OpenEmbedder(ctx, cfg, sotto.Of(c.Of)); err != nil {
		return nil, err
	}
	s.entry = s.embedder.Entry()
	s.claim = s.embedder.Statement(sotto.Counts{}).Claim
	return s, nil
}

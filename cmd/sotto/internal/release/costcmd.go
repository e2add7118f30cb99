package release

import (
	"context"
	"fmt"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/charging"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/opening"
	"github.com/sotto-dp/sotto/ledger/open"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/request"
	"github.com/sotto-dp/sotto/text"
)

type CostCmd struct {
	request.Opening
	request.Vocabulary
	request.InLanguage
	request.Listed
	jsonFlag
	cli.InputFlags
	request.Cap
	request.Latent
	request.Protected
	request.Encoding
	request.Users
	request.Distinct
	request.Marks
	request.Within
	Of   string `oneof:"documents,words" placeholder:"WHAT" group:"input" help:"Cost of sotto embed: documents (one vector per text) or words (one per token). Without it the cost is that of sotto rewrite."`
	Fast bool   `group:"advanced" help:"Leave out what a best guess recovers, which reads the row of every word of the table."`
	charging.AccountFlags
}

// Run counts what a run with the same flags would draw. It opens the ledger for reading,
// and the mechanism never draws for the texts.
func (c *CostCmd) Run(ctx context.Context, term *cli.Terminal) error {
	if c.Of != "" {
		return c.embedding(ctx, term)
	}
	run := RewriteCmd{InputFlags: c.InputFlags, AccountFlags: c.AccountFlags, Request: request.Request{Opening: c.Opening, Vocabulary: c.Vocabulary, InLanguage: c.InLanguage, Listed: c.Listed,
		Cap: c.Cap, Latent: c.Latent, Protected: c.Protected, Encoding: c.Encoding, Users: c.Users, Distinct: c.Distinct, Marks: c.Marks, Within: c.Within}}
	if err := run.check(); err != nil {
		return err
	}
	if err := run.Request.Check("cost"); err != nil {
		return err
	}
	files, err := c.Files("", true)
	if err != nil {
		return err
	}
	if err := run.checkParts(files); err != nil {
		return err
	}
	if err := run.checkVectors(files); err != nil {
		return err
	}
	if err := run.checkMarks(files); err != nil {
		return err
	}
	if err := run.openSpans(ctx); err != nil {
		return err
	}
	if err := run.texts.open(ctx, c.TextVectors); err != nil {
		return err
	}
	defer run.texts.close()
	from := run.texts.sources(opening.Sources(term.Progress()))
	cfg, err := run.Config(ctx, "cost", from)
	if err != nil {
		return err
	}
	r, err := sotto.Open(ctx, cfg)
	if err != nil {
		return err
	}
	payer, err := c.PayerOf(ctx, charging.Payment{Claim: r.Claim(), Table: r.TableDigest(), Alone: run.alone(files)}, open.Read)
	if err != nil {
		return err
	}
	if payer != nil {
		defer payer.Close()
	}
	quote := payer.Quote()
	answer, err := c.rewriting(ctx, term, &run, r, files, quote, payer.StreamsAlone())
	if err != nil {
		return err
	}
	if r.Claim().Unit == privacy.Text {
		c.WarnOfLines(term.Err, files, "text")
	}
	if err := answer.Ask(ctx, quote); err != nil {
		return err
	}
	return answer.Print(term, c.Account, c.JSON)
}

// rewriting returns the figures of a run of rewrite.
func (c *CostCmd) rewriting(ctx context.Context, term *cli.Terminal, run *RewriteCmd, r *sotto.Rewriter, files []string, quote *charging.Quote, alone bool) (*charging.Cost, error) {
	if err := run.beginTexts(r); err != nil {
		return nil, err
	}
	var counts sotto.Counts
	for _, name := range files {
		one, err := run.count(ctx, term, r, copied{name: name, alone: alone}, quote, true)
		if err != nil {
			return nil, err
		}
		counts.Add(one)
	}
	if u := run.texts.users; u != nil && u.Nameless() {
		fmt.Fprintln(term.Err, run.nameless())
	}
	padding, err := run.padding(ctx, quote)
	if err != nil {
		return nil, err
	}
	counts.Add(padding)
	statement := r.Statement(counts)
	answer := &charging.Cost{Cost: statement.Cost(), Reader: statement.Reader(), Table: r.Table()}
	answer.EpsilonRecord = charging.OfRecord(answer.Cost, counts)
	again := opening.Sources(term.Progress())
	again.Encode = nil // no text is encoded for the time
	if answer.Seconds, err = secondsOf(ctx, timing{run.Request, again, run.texts.book}, r, counts.Draws, run.words.Distinct()); err != nil {
		return nil, err
	}
	if answer.Unknown = r.Unknown(&run.words); answer.Unknown == nil {
		answer.Unknown = run.content.Unknown()
	}
	if answer.Unchanged, answer.Sampled, err = r.Unchanged(ctx, &run.words); err != nil {
		return nil, err
	}
	if !c.Fast {
		answer.Recovered, err = r.Recovered(ctx, &run.words, term.Progress())
	}
	return answer, err
}

// embedding is Run for vectors.
func (c *CostCmd) embedding(ctx context.Context, term *cli.Terminal) error {
	if c.Payment != (request.Payment{}) || c.Distinct != (request.Distinct{}) || c.Cap != (request.Cap{}) || c.Latent != (request.Latent{}) || c.Unit != "" || c.Users != (request.Users{}) {
		return cli.WrongUsage("sotto embed has none of these flags", "--of cannot be used with flags of sotto rewrite alone")
	}
	if err := c.CheckFormat(); err != nil {
		return err
	}
	embed := request.Embedding{Opening: c.Opening, Vocabulary: c.Vocabulary, InLanguage: c.InLanguage, Listed: c.Listed, Encoding: c.Encoding, Represented: request.Represented{Of: c.Of, Corpus: c.Corpus}}
	cfg, err := embed.Config(ctx, "embed", opening.Sources(term.Progress()))
	if err != nil {
		return err
	}
	files, err := c.Files("", true)
	if err != nil {
		return err
	}
	e, err := sotto.OpenEmbedder(ctx, cfg)
	if err != nil {
		return err
	}
	var counts sotto.Counts
	err = c.count(ctx, term, files, func(ctx context.Context, in *cli.Source, s sotto.Stream) error {
		one, err := e.Count(ctx, in.Reader, s)
		counts.Add(one)
		return err
	})
	if err != nil {
		return err
	}
	answer := &charging.Cost{Cost: e.Statement(counts).Cost()}
	if c.Of == string(sotto.Tokens) {
		answer.Table = cfg.Table
	}
	if answer.Seconds, err = secondsOfVectors(ctx, e, answer.Units); err != nil {
		return err
	}
	return answer.Print(term, "", c.JSON)
}

// count reads all files.
func (c *CostCmd) count(ctx context.Context, term *cli.Terminal, files []string, read func(context.Context, *cli.Source, sotto.Stream) error) error {
	for _, name := range files {
		in, err := c.Source(ctx, term, name, nil, term.ReadingBar(""))
		if err != nil {
			return err
		}
		err = read(ctx, in, sotto.Stream{Format: in.Format, Fields: c.Field, Invalid: text.Invalid(c.Invalid)})
		in.Close()
		if err != nil {
			return in.Fault(err, "")
		}
	}
	return nil
}

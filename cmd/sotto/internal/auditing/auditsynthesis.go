package auditing

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/opening"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/synthesis"
)

// attacked is the finding about a release of synthesize, as JSON writes it.
type attacked struct {
	Mechanism string        `json:"mechanism"`
	Verdict   audit.Verdict `json:"verdict"`
	Claim     privacy.Claim `json:"claim"`
	Method    audit.Method  `json:"method"`
	synthesis.Membership
	Draws int `json:"draws"` // releases in all
}

// synthesis attacks releases of synthesize with canaries. Sampling can refute the claim but
// never certifies it; the proof is in synthesis.md.
func (c *AuditCmd) synthesis(ctx context.Context, term *cli.Terminal) error {
	o, err := c.synthesisOptions()
	if err != nil {
		return err
	}
	if o.Corpus, err = opening.Corpus(ctx, c.Corpus); err != nil {
		return err
	}
	o.Progress = term.Progress()
	p, err := synthesis.New(ctx, o)
	if err != nil {
		return err
	}
	m, err := p.Attack(ctx, synthesis.Attack{Releases: c.Draws, Alarm: c.Alarm, Progress: term.Progress()})
	if err != nil {
		return err
	}
	f := attacked{Mechanism: synthesis.Name, Verdict: audit.Undecided, Claim: p.Claim(), Method: audit.Sampling, Membership: m, Draws: 2 * m.Releases}
	if m.EpsilonLow > f.Claim.Epsilon {
		f.Verdict = audit.Refuted
	}
	assumption := ""
	if m.Assumption == synthesis.AssumesGaussian {
		assumption = fmt.Sprintf("this assumes that the noise is Gaussian: the histograms are at least %.4f standard deviations apart; without the assumption epsilon is at least %.4f\n", m.MuLow, m.EventLow)
	}
	if c.JSON {
		err = cli.PrintJSON(term, f)
	} else {
		_, err = fmt.Fprintf(term.Out, "%s: %s\nepsilon is at least %.4f, the claim is %g (confidence %g; %d releases with and %d without the canary)\n%s"+
			"the best attack reports the canary in %.4f of the releases with it, and in %.4f of those without it\nsampling can refute a claim, and never certifies one: synthesis/synthesis.md has the proof\n",
			f.Mechanism, f.Verdict, m.EpsilonLow, f.Claim.Epsilon, m.Confidence, m.Releases, m.Releases, assumption, m.Caught, m.Mistaken)
	}
	if err != nil {
		return err
	}
	return conclude(f.Verdict)
}

// verifyStatement recomputes the report of a release.
func (c *AuditCmd) verifyStatement(ctx context.Context, term *cli.Terminal, data []byte) error {
	if c.EncoderProgram != "" && c.Corpus == "" {
		return cli.WrongUsage("", "--encoder-program needs --corpus, the corpus that was built with it")
	}
	if c.About != "" && c.Corpus == "" {
		return cli.WrongUsage("", "--about needs --corpus, the corpus of the release without these words")
	}
	if len(data) > opening.MaxReport {
		return fmt.Errorf("%s: not a report of %s", c.Verify, synthesis.Name)
	}
	s, err := synthesis.ReadStatement(data)
	if err == nil {
		err = s.Verify()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", c.Verify, err)
	}
	compared := "the corpus was not compared: give it with --corpus"
	if c.Corpus != "" {
		compared = "the corpus is that of the report, and so are the clusters that were used"
		if err := c.verifyCorpus(ctx, term, s); err != nil {
			return err
		}
	}
	bound := c.Corpus != ""
	not := s.NotVerified(bound, false)
	if s.Probes != "" && c.EncoderProgram == "" {
		not = append(not, "what the encoder answered for public texts, encoder_probes")
	}
	if c.JSON {
		return cli.PrintJSON(term, map[string]any{"mechanism": s.Mechanism, "holds": true, "claim": s.Claim, "corpus_compared": bound, "clusters_compared": bound, "not_verified": not})
	}
	_, err = fmt.Fprintf(term.Out, "%s: the report holds: its noise gives the claimed guarantee, %s\nthe claim assumes %s\n%s\nnot verified: %s\nno report proves that the noise was drawn\n",
		c.Verify, s.Claim, strings.Join(s.Claim.Assumes.Names(), ", "), compared, strings.Join(not, "; "))
	return err
}

// verifyCorpus compares a report with the corpus that is given.
func (c *AuditCmd) verifyCorpus(ctx context.Context, term *cli.Terminal, s *synthesis.Statement) error {
	if c.About != "" && s.Corpus.About == "" {
		return cli.WrongUsage("leave out --about", "%s: the release was made without words for labels", c.Verify)
	}
	book, err := opening.Corpus(ctx, c.Corpus)
	if err != nil {
		return err
	}
	var table *embedding.Table
	if c.Embeddings != "" {
		if table, err = opening.Table(ctx, c.Embeddings); err != nil {
			return err
		}
	}
	along, err := c.AlongOf(ctx, book, s.Corpus.About, c.Verify, table, c.progress(term))
	if err != nil {
		return err
	}
	if err := s.VerifyCorpus(ctx, along); err != nil {
		return fmt.Errorf("%s: %w", c.Verify, err)
	}
	if c.EncoderProgram == "" {
		return nil
	}
	encoder, err := c.encoder(ctx, book)
	if err != nil {
		return err
	}
	own, err := corpus.Probes(ctx, encoder)
	if err == nil {
		err = opening.FinishEncoder(encoder)
	}
	if err != nil {
		return err
	}
	if err := corpus.SameProbes(s.Probes, own); err != nil {
		return fmt.Errorf("%s: %w", c.Verify, err)
	}
	return nil
}

// synthesisOptions reads the parameters: epsilon, delta, and --param per-user and labels.
func (c *AuditCmd) synthesisOptions() (o synthesis.Options, err error) {
	if c.Epsilon == nil {
		return o, cli.WrongUsage("try --epsilon 1", "audit %s needs --epsilon", synthesis.Name)
	}
	if err := c.checkTexts(); err != nil {
		return o, err
	}
	if c.Certificate != "" {
		return o, cli.WrongUsage("leave out --certificate", "--certificate cannot be used with %s: an attack certifies nothing", synthesis.Name)
	}
	o.Epsilon = *c.Epsilon
	values := c.Values()
	labels := 1
	for _, name := range slices.Sorted(maps.Keys(values)) {
		switch name {
		case "delta":
			o.Delta, err = strconv.ParseFloat(values[name], 64)
		case "per-user":
			o.PerUser, err = strconv.Atoi(values[name])
		case "labels":
			labels, err = strconv.Atoi(values[name])
		default:
			return o, privacy.UnknownParameter(synthesis.Name, name, []string{"delta", "per-user", "labels"})
		}
		if err != nil {
			return o, cli.WrongUsage("", "--param %s must be a number, got %q", name, values[name])
		}
	}
	column, err := synthesis.Bins("label", fmt.Sprintf("1..%d", labels))
	if err != nil {
		return o, cli.WrongUsage("", "%v", err)
	}
	o.Columns = []synthesis.Column{column}
	return o, nil
}

package auditing

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/opening"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/statement"
	"github.com/sotto-dp/sotto/typed"
)

// verifyMarks recomputes a report of marks: each type's channel over its codebook, the
// channel of the words of other types, and all that the report states of them.
func (c *AuditCmd) verifyMarks(ctx context.Context, term *cli.Terminal, v *verified) error {
	of := v.marks
	codebooks, err := c.codebooksOf(ctx, of.Types)
	if err != nil {
		return err
	}
	cfg := sotto.Marks{Distinct: v.report.Claim.Unit == privacy.DistinctMark, Epsilon: of.Epsilon, Accept: privacy.Refuted, Cache: cli.UserCache(),
		Codebooks: codebooks, Epsilons: map[string]float64{}, Only: slices.Sorted(maps.Keys(of.Types)), Strict: of.Untyped == nil}
	if cfg.Only == nil {
		cfg.Only = []string{}
	}
	for name, t := range of.Types {
		cfg.Epsilons[name] = t.Epsilon
	}
	if of.Untyped != nil {
		if cfg.Table, err = c.Table(ctx); err != nil {
			return err
		}
	}
	if err := v.restateMarks(ctx, cfg); err != nil {
		return err
	}
	entry, _ := catalog.Default(mechanism.UseMarks, "")
	for _, name := range cfg.Only {
		if err := verifyType(ctx, entry, name, of.Types[name], codebooks[name]); err != nil {
			return err
		}
	}
	if err := c.verifyUntyped(ctx, term, of.Untyped, cfg); err != nil {
		return err
	}
	return v.printMarks(term, c.JSON)
}

// codebooksOf returns the codebook of each type: one that is given, or an embedded one of the
// stated name.
func (c *AuditCmd) codebooksOf(ctx context.Context, types map[string]statement.TypeFigures) (map[string]*typed.Codebook, error) {
	all := map[string]*typed.Codebook{}
	for _, name := range slices.Sorted(maps.Keys(types)) {
		t := types[name]
		codebook, ok := typed.Embedded(t.Codebook)
		if file := c.TypeCodebook[name]; file != "" {
			var err error
			if codebook, err = opening.Codebook(ctx, name, file); err != nil {
				return nil, err
			}
			ok = true
		}
		switch {
		case !ok:
			return nil, cli.WrongUsage("give it with --type-codebook "+name+"=FILE", "the codebook of type %s is not an embedded one", name)
		case codebook.Digest() != t.SHA256:
			return nil, fmt.Errorf("the codebook of type %s is another one (sha256 %.12s, not %.12s): give it with --type-codebook %s=FILE", name, codebook.Digest(), t.SHA256, name)
		}
		if all[name] = codebook; codebook.Name() != t.Codebook {
			return nil, fmt.Errorf("the codebook of type %s has another name than the report states", name)
		}
	}
	return all, nil
}

// restateMarks compares the report with what its types state when they are opened again.
// Whether a value has one draw in a text or in all texts is tried.
func (v *verified) restateMarks(ctx context.Context, cfg sotto.Marks) error {
	verify := func() error {
		r, err := sotto.Open(ctx, cfg)
		if err != nil {
			return fmt.Errorf("the report's types cannot be opened: %v", err)
		}
		return r.Verify(v.report)
	}
	err := verify()
	if err != nil && v.marks.Once {
		cfg.Kept = typed.NewMap()
		if verify() == nil {
			return nil
		}
	}
	return err
}

// verifyType recomputes the certificate of a type, which must be of the stated epsilon.
func verifyType(ctx context.Context, entry mechanism.Entry, name string, t statement.TypeFigures, codebook *typed.Codebook) error {
	claim := privacy.Claim{Notion: privacy.Pure, Epsilon: t.Epsilon}
	if t.Certificate.Mechanism != entry.Name || t.Certificate.Request.Epsilon != t.Epsilon {
		return fmt.Errorf("type %s: its certificate is of another mechanism or epsilon", name)
	}
	if err := t.Certificate.Covers(claim); err != nil {
		return fmt.Errorf("type %s: %w", name, err)
	}
	r, err := entry.NewRetriever(ctx, codebook, t.Certificate.Request.Spec())
	if err != nil {
		return fmt.Errorf("type %s: %w", name, err)
	}
	if err := t.Certificate.VerifyTexts(ctx, r, codebook, nil); err != nil {
		return fmt.Errorf("type %s: %w", name, err)
	}
	return nil
}

// verifyUntyped recomputes the certificate of the words of marks without a codebook.
func (c *AuditCmd) verifyUntyped(ctx context.Context, term *cli.Terminal, of *statement.UntypedFigures, cfg sotto.Marks) error {
	if of == nil {
		return nil
	}
	if of.Certificate == nil || of.Certificate.Request == nil || of.Certificate.Mechanism != of.Mechanism {
		return fmt.Errorf("untyped: it has no certificate of its mechanism")
	}
	if err := of.Certificate.Covers(of.Claim); err != nil {
		return fmt.Errorf("untyped: %w", err)
	}
	entry, ok := catalog.Find(of.Mechanism)
	if !ok || entry.New == nil {
		return fmt.Errorf("untyped: no mechanism for words of this name is in the catalogue")
	}
	spec := of.Certificate.Request.Spec()
	spec.Cache = cfg.Cache
	m, err := entry.New(ctx, cfg.Table, spec)
	if err != nil {
		return fmt.Errorf("untyped: %w", err)
	}
	channel, ok := m.(mechanism.Channel)
	if !ok {
		return fmt.Errorf("untyped: %s cannot be certified", of.Mechanism)
	}
	if err := of.Certificate.Verify(ctx, channel, cfg.Table, c.progress(term)); err != nil {
		return fmt.Errorf("untyped: %w", err)
	}
	return nil
}

// printMarks prints that a report of marks holds, and for marks of which types.
func (v *verified) printMarks(term *cli.Terminal, asJSON bool) error {
	not := []string{notIdentified, "the numbers of texts, marks and draws", "which types occur, and that marks are all that identifies", "that the codebooks are public", "the version", "that the noise was drawn"}
	if v.report.Patterns != "" {
		not = append(not, "that these patterns marked the texts")
	}
	if asJSON {
		return cli.PrintJSON(term, map[string]any{"holds": true, "claim": v.report.Claim, "types": v.report.Types, "untyped": v.report.Untyped, "not_verified": not})
	}
	var types []string
	for _, name := range slices.Sorted(maps.Keys(v.report.Types)) {
		types = append(types, fmt.Sprintf("%s (epsilon %g)", name, v.report.Types[name].Epsilon))
	}
	of := "no marks"
	if len(types) > 0 {
		of = "marks of the types " + strings.Join(types, ", ")
	}
	if u := v.report.Untyped; u != nil {
		of += fmt.Sprintf("; of marks of other types only their words are drawn (%s), and no number bounds such a mark", u.Claim)
	}
	_, err := fmt.Fprintf(term.Out, "holds: %s over %d types, every figure recomputed\nclaim: %s\nfor: %s\nit assumes %s; a whole text has no bound, and what is not marked has no guarantee\nnot verified: %s\n",
		v.report.Mechanism, len(v.report.Types), v.report.Claim, of, strings.Join(v.report.Claim.Assumes.Names(), ", "), strings.Join(not, "; "))
	return err
}

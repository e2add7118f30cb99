package release

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/typed"
)

// noteTypes notes the types without a codebook of the spans that were read last. The names of
// types are public, and are noted only if they are names.
func (c *RewriteCmd) noteTypes(r *sotto.Rewriter) {
	if !c.Typed {
		return
	}
	spans := slices.Clone(c.spans.spans)
	for _, t := range c.spans.tagged {
		spans = append(spans, t.Types())
	}
	if c.lines != nil {
		for i := range c.lines.Rows() {
			if row, err := c.lines.Row(i, nil); err == nil {
				spans = append(spans, row)
			}
		}
	}
	for _, name := range r.UnknownTypes(spans) {
		if name = typed.Normal(name); name == "" {
			name = "(no name)"
		}
		if !slices.Contains(c.unknown, name) {
			c.unknown = append(c.unknown, name)
		}
	}
}

// unknownTypes returns a line about the types that have no codebook, empty if all marks have
// one.
func (c *RewriteCmd) unknownTypes() string {
	names := slices.Sorted(slices.Values(c.unknown))
	if len(names) == 0 {
		return ""
	}
	const most = 20
	if len(names) > most {
		names = append(names[:most], fmt.Sprintf("and %d more", len(names)-most))
	}
	return "sotto: no codebook for the types " + strings.Join(names, ", ") + ": the words of such marks were drawn one by one; name one with --type-codebook TYPE=FILE"
}

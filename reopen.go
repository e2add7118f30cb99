package sotto

import (
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/statement"
)

// Reopened returns the configuration of an opening that a statement states, with which
// [Rewriter.Verify] and [Embedder.Verify] need theirs opened. The caller provides the table
// and the corpus, because a statement has only their digests, and the size of the sets if
// this version chooses another one.
func Reopened(o statement.Opening) Config {
	return Config{
		Unit: o.Unit, Mechanism: o.Mechanism, Epsilon: o.Spec.Epsilon, Parameters: o.Spec.Parameters, Published: o.Spec.Published,
		Accept: privacy.Refuted, Unknown: o.Placeholder, PerUser: o.PerUser, Raw: o.Raw,
	}
}

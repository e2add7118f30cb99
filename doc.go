// Package sotto rewrites text so that differential privacy protects the words, the whole
// texts or the users, and states exactly what it guarantees.
//
// # Default
//
// Open a [Rewriter] with an epsilon and rewrite:
//
//	r, err := sotto.Open(ctx, sotto.Config{Epsilon: 10})
//	release, err := r.Rewrite(ctx, "my doctor in Boston agreed")
//
// This uses the embedded English table and the mechanism `neighbours`: each token becomes
// one of the k words most similar to it with a fixed high probability, and any word
// otherwise. The guarantee is word-level epsilon-differential privacy per token. It uses
// no distance. [Config].Notion "metric" selects metric differential privacy instead.
//
// [Config] is the short way. [Words], [Texts] and [Marks] have all that can be set for [Open],
// [Vectors] what can be set for [OpenEmbedder].
//
// # Guarantee
//
// A [Release] carries its [privacy.Claim] and a [Statement] that can be stored beside the
// text. Every token of the input, known or not, goes through the mechanism. After the
// noise nothing reads the input again. Randomness is secure unless [Config].InsecureSeed
// is set, which the statement records.
//
// # Limits
//
// The guarantee is per token. A text of n tokens has n times its loss. Not protected are
// the number of tokens, the decisions of the tokenizer, anything passed through beside
// the rewritten fields, and the time a draw takes. Rewriting the same text again costs
// again.
package sotto

import "github.com/sotto-dp/sotto/statement"

// Version is the version of the program, part of every certificate.
const Version = statement.Version

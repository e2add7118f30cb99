// Package vectors trains tables of word vectors on public text.
//
// [Train] reads a corpus twice. The first pass counts words and chooses the
// vocabulary. The second counts pairs of words at most a window apart; a pair at
// distance d has weight window+1-d, the expectation of word2vec's random windows
// (Mikolov, Chen, Corrado and Dean 2013) as an integer. The counts become positive
// pointwise mutual information with smoothed contexts and a shift (Levy and Goldberg
// 2014; Levy, Goldberg and Dagan 2015), and the leading singular vectors of that
// matrix, by randomised subspace iteration (Halko, Martinsson and Tropp 2011, algorithm
// 4.4), times a power of the singular values, are the word vectors.
//
// Texts are cut by the rules of package text, so pairs consist of the words that a rewriter
// would read. Counts are sums of integers, and the factorisation computes every number in a
// fixed order, so the table does not depend on the number of threads. It may differ in the
// last places between processors of different kinds.
//
// Memory does not depend on the length of the corpus, except for the first pass, which
// needs about 200 bytes per distinct word and thread. Pairs are sorted in blocks on disk and
// merged, and the factorisation reads them from there.
package vectors

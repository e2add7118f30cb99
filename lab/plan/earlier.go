package plan

const (
	oneURL  = "since then a URL is one word"
	learner = "since then the learner also reads terms and pairs of terms"
)

// earlier has, for plans whose committed rows of the full size differ from what the code now
// makes, what changed since. TestRowsAreMadeAgain makes rows of all other plans again. A plan
// leaves this list when its rows are made again.
var earlier = map[string]string{
	"restored":                   oneURL,
	"synthetic-corpora-shuffled": learner,
}

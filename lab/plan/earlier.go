package plan

// earlier has, for plans whose committed rows of the full size differ from what the code now
// makes, what changed since. TestRowsAreMadeAgain makes rows of all other plans again. A plan
// leaves this list when its rows are made again.
var earlier = map[string]string{}

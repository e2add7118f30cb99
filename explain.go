package sotto

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/shortcut"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/text/tokenize"
)

type Explained struct {
	Word             string   `json:"word"`              // an entry of the table
	Given            string   `json:"given,omitempty"`   // the word as given, if it was left out of the table and is read as Word
	Known            bool     `json:"known"`             // false if the table lacks the word; all such words have one entry
	Unchanged        float64  `json:"unchanged"`         // probability that the word does not change
	ExpectedDistance float64  `json:"expected_distance"` // mean distance to the replacement
	Outputs          []Output `json:"outputs"`           // most probable first
	Rest             float64  `json:"rest"`              // probability of all unlisted outputs
	Others           int      `json:"others"`            // number of unlisted outputs
	// Neighbours is the number of outputs in the word's set, if the channel has sets. The
	// outputs in the set are the most probable ones and have equal probability. All others
	// have equal probability too. Inside is the probability that the output is in the set.
	Neighbours int     `json:"neighbours,omitempty"`
	Inside     float64 `json:"inside,omitempty"`
}

// Output is one possible replacement.
type Output struct {
	Word        string  `json:"word"`
	Probability float64 `json:"probability"`
}

// NoChannelError reports a mechanism that adds noise to a vector, so that its output
// distribution has no closed form.
type NoChannelError struct{ Name string }

func (e *NoChannelError) Error() string {
	return fmt.Sprintf("%s adds noise to a vector: its output distribution has no closed form", e.Name)
}

// Explain returns the distribution of each token of word, with at most top outputs each;
// 0 means all. It returns a *NoChannelError for a mechanism without such distributions,
// and a *privacy.ParameterError for a word without a token.
func (r *Rewriter) Explain(word string, top int) ([]Explained, error) {
	channel, ok := r.Mechanism().(mechanism.Channel)
	if !ok {
		return nil, &NoChannelError{Name: r.Entry().Name}
	}
	tokenizer := r.words.Vocabulary.Tokenizer()
	defer r.words.Vocabulary.Done(tokenizer)
	ids, _ := tokenizer.Tokenize(nil, []byte(word))
	if len(ids) == 0 {
		return nil, privacy.Wrong("explain", "word", "it has no token", "give a word of at least one")
	}
	if err := r.Table().Hold(); err != nil { // for distances
		return nil, err
	}
	var all []Explained
	for _, id := range ids {
		all = append(all, explain(channel, r.Table(), id, top))
	}
	for i, given := range listed(r.Table(), tokenizer, word, ids) {
		all[i].Given = given
	}
	return all, nil
}

// listed returns the words that were left out of a table, by the positions of the tokens
// that they became. Words that are written with signs are not found.
func listed(table *embedding.Table, tokenizer *tokenize.Tokenizer, word string, ids []embedding.ID) map[int]string {
	if table.Never() == nil {
		return nil
	}
	found := map[int]string{}
	var apart []embedding.ID
	for field := range strings.FieldsSeq(word) {
		at := len(apart)
		apart, _ = tokenizer.Tokenize(apart, []byte(field))
		if len(apart) != at+1 {
			continue
		}
		for _, spelling := range []string{field, strings.ToLower(field)} {
			if as, _ := table.Lookup(spelling); table.Listed(spelling) && as == apart[at] {
				found[at] = field
			}
		}
	}
	if !slices.Equal(apart, ids) { // the tokens depend on their neighbours
		return nil
	}
	return found
}

func explain(channel mechanism.Channel, table *embedding.Table, id embedding.ID, top int) Explained {
	weights := channel.Weights(nil, id)
	total := uint64(0)
	for _, w := range weights {
		total += w
	}
	distances := make([]float64, table.Len())
	table.SquaredDistances(distances, []embedding.ID{id}, 0, table.Len())
	e := Explained{Word: table.Word(id), Known: id != table.Unknown(), Unchanged: float64(weights[id]) / float64(total), Outputs: []Output{}}
	order := make([]int, 0, len(weights))
	for y, w := range weights {
		e.ExpectedDistance += float64(float64(w) / float64(total) * table.Step() * math.Sqrt(distances[y]))
		if w > 0 {
			order = append(order, y)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(weights[b], weights[a]), cmp.Compare(distances[a], distances[b]), a-b)
	})
	if top > 0 && top < len(order) {
		rest := uint64(0)
		for _, y := range order[top:] {
			rest += weights[y]
		}
		e.Rest, e.Others, order = float64(rest)/float64(total), len(order)-top, order[:top]
	}
	for _, y := range order {
		e.Outputs = append(e.Outputs, Output{table.Word(embedding.ID(y)), float64(weights[y]) / float64(total)})
	}
	if l, ok := channel.(shortcut.Levelled); ok {
		levels := l.Levels()
		e.Neighbours, e.Inside = levels.Size, min(1, float64(levels.Size)*levels.Inside)
	}
	return e
}

package metric

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/sotto-dp/sotto/embedding"
)

// SimLex returns the Spearman correlation of people's similarity of word pairs with
// the cosine of their vectors, over the pairs whose words are both in the table;
// pairs is their number. r holds tab-separated values with the columns
// word1, word2 and SimLex999 (Hill, Reichart, Korhonen 2015, or a file like it).
func SimLex(r io.Reader, table *embedding.Table, unit *Unit) (correlation float64, pairs int, err error) {
	lines := csv.NewReader(r)
	lines.Comma = '\t'
	head, err := lines.Read()
	if err != nil {
		return 0, 0, fmt.Errorf("metric: %w", err)
	}
	first, second, score := slices.Index(head, "word1"), slices.Index(head, "word2"), slices.Index(head, "SimLex999")
	if first < 0 || second < 0 || score < 0 {
		return 0, 0, errors.New("metric: the head line lacks word1, word2 or SimLex999")
	}
	var people, vectors []float64
	for {
		row, err := lines.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return 0, 0, fmt.Errorf("metric: %w", err)
		}
		x, known := table.Lookup(row[first])
		y, too := table.Lookup(row[second])
		if !known || !too {
			continue
		}
		v, err := strconv.ParseFloat(row[score], 64)
		if err != nil {
			return 0, 0, fmt.Errorf("metric: %w", err)
		}
		people, vectors = append(people, v), append(vectors, unit.Cosine(x, y))
	}
	if len(people) < 2 {
		return 0, len(people), errors.New("metric: fewer than two pairs are in the table")
	}
	return Spearman(people, vectors), len(people), nil
}

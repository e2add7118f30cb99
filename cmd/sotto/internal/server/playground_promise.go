package server

import (
	"fmt"
	"math"
	"strconv"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/segment"
	"github.com/sotto-dp/sotto/privacy"
)

// promise states in one sentence what a claim means to someone who reads a private text.
// The odds are between any two words of the table, given everything the reader knows. The
// table is nil for whole texts.
func promise(c privacy.Claim, table *embedding.Table) string {
	if c.Unit == privacy.Text {
		return promiseText(c)
	}
	word, words := "word", 0
	if table != nil {
		words = table.Len()
		if table.Segmentation().Kind() == segment.Pieces {
			word = "piece"
		}
	}
	return promiseWord(c, word, words)
}

// promiseWord is promise for a claim about single words, which may be called pieces.
func promiseWord(c privacy.Claim, word string, words int) string {
	of := "each " + word + " of the text"
	if c.Unit == privacy.Word {
		of = "each distinct " + word + " of the text, at all its positions at once"
	}
	if none := nextToNone(c, of, word+"s"); none != "" {
		return none
	}
	but := except(c)
	switch c.Notion {
	case privacy.Pure, privacy.Approximate:
		if c.Epsilon > hopeless {
			return fmt.Sprintf("For %s the odds between two of the %s %ss may change by a factor of up to e^%s%s: that is next to no guarantee.", of, grouped(words), word, privacy.Above(c.Epsilon, 4), but)
		}
		return fmt.Sprintf("For %s, seeing its replacement changes the odds between any two of the %s %ss by a factor of at most %s%s.", of, grouped(words), word, odds(c.Epsilon), but)
	case privacy.Metric, privacy.MetricApproximate:
		return fmt.Sprintf("For %[1]s, seeing its replacement changes the odds between two %[2]ss by a factor of at most %[3]s per unit of %[4]s distance between them%[5]s: near %[2]ss hide each other well, distant ones do not.", of, word, odds(c.Epsilon), c.Distance, but)
	}
	return c.String()
}

// promiseText is promise for a claim about whole texts.
func promiseText(c privacy.Claim) string {
	if none := nextToNone(c, "the whole text", "texts"); none != "" {
		return none
	}
	but := except(c)
	if c.Epsilon > hopeless {
		return fmt.Sprintf("For the whole text the odds between two texts may change by a factor of up to e^%s%s: that is next to no guarantee.", privacy.Above(c.Epsilon, 4), but)
	}
	return fmt.Sprintf("Seeing the copy changes the odds between any two texts, whatever their words, length or language, by a factor of at most %s%s.", odds(c.Epsilon), but)
}

// nextToNone is the sentence for a claim without a guarantee, or with next to none; otherwise
// it is empty.
func nextToNone(c privacy.Claim, of, units string) string {
	switch {
	case c.Notion == privacy.None || math.IsInf(c.Epsilon, 1):
		return fmt.Sprintf("There is no guarantee: some outputs tell two %s apart with certainty.", units)
	case c.Delta >= 0.5:
		return fmt.Sprintf("For %s there is next to no guarantee: with a probability of up to %s anything may be revealed.", of, privacy.Above(c.Delta, 3))
	}
	return ""
}

// except is the exception that a delta makes.
func except(c privacy.Claim) string {
	if c.Delta == 0 {
		return ""
	}
	return ", except with a probability of at most " + privacy.Above(c.Delta, 3)
}

// hopeless is an epsilon from which odds are not worth printing: e^20 is half a billion.
const hopeless = 20

// odds formats e^epsilon, rounded up to three digits or a whole number.
func odds(epsilon float64) string {
	v := math.Exp(epsilon)
	switch {
	case v < 10:
		return strconv.FormatFloat(math.Ceil(v*100)/100, 'f', -1, 64)
	case v < 100:
		return strconv.FormatFloat(math.Ceil(v*10)/10, 'f', -1, 64)
	case v < 1e9:
		return grouped(int(math.Ceil(v)))
	}
	return "e^" + privacy.Above(epsilon, 4)
}

// grouped formats a whole number with commas.
func grouped(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

package auditing

import (
	"bufio"
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/privacy"
)

// limit is the output of limits --json.
type limit struct {
	Epsilon    float64  `json:"epsilon"`
	Delta      float64  `json:"delta"`
	Vocabulary int      `json:"vocabulary"`
	Unchanged  float64  `json:"unchanged_limit"`
	Claimed    *float64 `json:"claimed_unchanged"`
	Possible   bool     `json:"possible"`
	Notion     string   `json:"notion"`
	Commonest  *float64 `json:"commonest_share,omitempty"`
}

func (c *LimitsCmd) Run(ctx context.Context, term *cli.Terminal) error {
	if c.Epsilon == nil && c.Unit == "text" {
		return cli.WrongUsage("try sotto limits --unit text --epsilon 4", "limits needs --epsilon")
	}
	if c.Epsilon == nil {
		return cli.WrongUsage("try sotto limits --epsilon 0.05 --vocabulary 10000 --unchanged 0.81", "limits needs --epsilon")
	}
	switch c.Unit {
	case "", "word":
		if c.Linked != nil {
			return cli.WrongUsage("", "--linked needs --unit text")
		}
	case "text":
		return c.texts(term)
	default:
		return cli.WrongUsage("", "--unit must be word or text, got %s", strconv.Quote(c.Unit))
	}
	if c.Unchanged != nil && !(*c.Unchanged >= 0 && *c.Unchanged <= 1) {
		return privacy.Bad("limits", "unchanged", *c.Unchanged, "in [0, 1]")
	}
	l := limit{Epsilon: *c.Epsilon, Delta: c.Delta, Claimed: c.Unchanged, Possible: true, Notion: "pure"}
	if c.Delta > 0 {
		l.Notion = "approximate"
	}
	var err error
	switch c.Notion {
	case "", "pure":
		err = c.wordLevel(ctx, &l)
	case "metric":
		l.Notion = "metric"
		err = c.metric(ctx, term, &l)
	default:
		err = cli.WrongUsage("", "--notion must be pure or metric, got %q", c.Notion)
	}
	if err != nil {
		return err
	}
	// A claim is a counted share, so it is impossible only beyond rounding.
	if l.Claimed != nil && *l.Claimed > l.Unchanged*(1+1e-9) {
		l.Possible = false
	}
	if err := l.print(term, c.JSON); err != nil {
		return err
	}
	if !l.Possible {
		return &cli.ExitError{Code: cli.ExitRefuted}
	}
	return nil
}

func (c *LimitsCmd) wordLevel(ctx context.Context, l *limit) (err error) {
	if c.Frequencies != "" {
		shares, err := readShares(ctx, c.Frequencies)
		if err != nil {
			return err
		}
		if c.Vocabulary != nil && *c.Vocabulary != len(shares) {
			return cli.WrongUsage("", "--vocabulary is %d, but the file of frequencies has %d words", *c.Vocabulary, len(shares))
		}
		commonest := 0.0
		for _, s := range shares {
			commonest = max(commonest, s)
		}
		l.Vocabulary, l.Commonest = len(shares), &commonest
		l.Unchanged, err = audit.UnchangedLimitFrequencies(l.Epsilon, l.Delta, shares)
		return err
	}
	if c.Vocabulary != nil {
		l.Vocabulary = *c.Vocabulary
	} else {
		table, err := c.Table(ctx)
		if err != nil {
			return err
		}
		l.Vocabulary = table.Len()
	}
	l.Unchanged, err = audit.UnchangedLimit(l.Epsilon, l.Delta, l.Vocabulary)
	return err
}

func (c *LimitsCmd) metric(ctx context.Context, term *cli.Terminal, l *limit) error {
	if c.Delta != 0 || c.Frequencies != "" || c.Vocabulary != nil {
		return cli.WrongUsage("choose the table with --embeddings and --words", "--notion metric cannot be used with --delta, --frequencies or --vocabulary")
	}
	table, err := c.Table(ctx)
	if err != nil {
		return err
	}
	l.Vocabulary = table.Len()
	l.Unchanged, err = audit.MetricUnchangedLimit(ctx, l.Epsilon, table, term.Progress().Stage("limit"))
	return err
}

func (l limit) print(term *cli.Terminal, asJSON bool) error {
	if asJSON {
		return cli.PrintJSON(term, l)
	}
	promise := fmt.Sprintf("(epsilon = %g)-differential privacy per word", l.Epsilon)
	switch l.Notion {
	case "approximate":
		promise = fmt.Sprintf("(epsilon = %g, delta = %g)-differential privacy per word", l.Epsilon, l.Delta)
	case "metric":
		promise = fmt.Sprintf("metric differential privacy with epsilon = %g per unit of distance", l.Epsilon)
	}
	drawn := "all words equally likely"
	if l.Commonest != nil {
		drawn = fmt.Sprintf("words drawn by the given frequencies, the commonest %.4g of all", *l.Commonest)
	}
	var err error
	if l.Claimed != nil && !l.Possible {
		_, err = fmt.Fprintf(term.Out, "impossible: %v of the words unchanged is %s times what any mechanism can reach\n\n", *l.Claimed, times(*l.Claimed, l.Unchanged))
	} else if l.Claimed != nil {
		_, err = fmt.Fprintf(term.Out, "possible: the limit does not contradict %v of the words unchanged\n\n", *l.Claimed)
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(term.Out, "With %s over %d words, %s,\na mechanism leaves at most %s of the words as they are.\n", promise, l.Vocabulary, drawn, atMost(l.Unchanged, l.Claimed))
	if err == nil && l.Claimed != nil && !l.Possible {
		_, err = fmt.Fprintln(term.Out, "A larger share means that some counted words did not go through the mechanism, or that the guarantee does not hold.")
	}
	return err
}

// readShares reads one number per line, its last field: a share if all are at most 1 and
// sum to 1, else a count.
func readShares(ctx context.Context, path string) ([]float64, error) {
	f, err := cli.OpenInput(ctx, path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var values []float64
	sum, whole := 0.0, true
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		fields := strings.Fields(lines.Text())
		if len(fields) == 0 {
			continue
		}
		v, err := strconv.ParseFloat(fields[len(fields)-1], 64)
		if err != nil || !(v >= 0) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("limits: line %d of --frequencies must end in a number of 0 or more", n)
		}
		values, sum, whole = append(values, v), sum+v, whole && v == math.Trunc(v)
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if len(values) == 0 || sum == 0 {
		return nil, fmt.Errorf("limits: the file of frequencies holds no word")
	}
	if whole { // counts
		for i := range values {
			values[i] /= sum
		}
	}
	return values, nil
}

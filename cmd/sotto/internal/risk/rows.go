package risk

import (
	"encoding/csv"
	"fmt"
	"math"
	"strconv"
	"text/tabwriter"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/tune"
)

// column is a further column of a table, with a cell for each row.
type column struct {
	heading string
	cell    func(row int) string
}

func headings(more []column) (text string) {
	for _, c := range more {
		text += c.heading + "\t"
	}
	return text
}

func cells(more []column, row int) (text string) {
	for _, c := range more {
		text += c.cell(row) + "\t"
	}
	return text
}

const rowHead = "mechanism\tepsilon\tmetric epsilon\tpure epsilon\tunchanged\tmoved\tattack success\tsupport\tstanding\t"

const rowFoot = "Losses are exact and rounded up; shares and distances are means over the words of the table, all equally likely."

func printRows(term *cli.Terminal, rows []tune.Row, more ...column) error {
	w := tabwriter.NewWriter(term.Out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, rowHead+headings(more))
	sampled := false
	for i, r := range rows {
		certified, pure, attack, support := loss(r.CertifiedEpsilon), loss(r.PureEpsilon), "", "-"
		unchanged, moved := fmt.Sprintf("%.4f", r.Unchanged), fmt.Sprintf("%.3f", r.ExpectedDistance)
		if r.AttackSuccess != nil {
			attack = fmt.Sprintf("%.4f", *r.AttackSuccess)
		}
		if r.Support != nil {
			support = fmt.Sprintf("%.3f", *r.Support)
		}
		if s := r.Sampled; s != nil {
			sampled = true
			certified, pure, attack = "-", "-", fmt.Sprintf(">= %.4f", math.Floor(r.AttackLow*1e4)/1e4)
			unchanged = fmt.Sprintf("%.4f (%.4f-%.4f)", r.Unchanged, s.Unchanged[0], s.Unchanged[1])
			moved = fmt.Sprintf("%.3f (%.3f-%.3f)", r.ExpectedDistance, s.ExpectedDistance[0], s.ExpectedDistance[1])
		}
		fmt.Fprintf(w, "%s\t%.6g\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", r.Mechanism, r.Epsilon, certified, pure, unchanged, moved, attack, support, r.Standing, cells(more, i))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if _, err := fmt.Fprintln(term.Out, "\n"+rowFoot); err != nil || !sampled {
		return err
	}
	for _, r := range rows {
		if s := r.Sampled; s != nil {
			_, err := fmt.Fprintf(term.Out, "Figures with an interval come from %d draws (confidence %g each). A dash means unknown: sampling certifies nothing.\n", s.Draws, s.Confidence)
			return err
		}
	}
	return nil
}

func loss(v *float64) string {
	if v == nil {
		return "infinite"
	}
	return privacy.Above(math.Ceil(*v*1e4)/1e4, 6)
}

func printComparison(term *cli.Terminal, c comparison) error {
	if err := printRows(term, plainRows(c.Rows), riskColumns(&c)...); err != nil {
		return err
	}
	if err := printSample(term, c.Sample); err != nil {
		return err
	}
	if err := printComparedExposed(term, c.Rows); err != nil {
		return err
	}
	w := tabwriter.NewWriter(term.Out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\nlimit of any mechanism\tepsilon\tunchanged at most\t")
	for _, l := range c.Limits {
		fmt.Fprintf(w, "%s\t%.6g\t%.4f\t\n", l.Notion, l.Epsilon, min(1, math.Ceil(l.Unchanged*1e4)/1e4))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if err := printLeftOut(term, c.LeftOut); err != nil || c.EqualAttack == nil {
		return err
	}
	equal := c.EqualAttack
	if _, err := fmt.Fprintf(term.Out, "\nAt equal risk, attack success %g:\n", equal.AttackSuccess); err != nil {
		return err
	}
	var rows []tune.Row
	for _, r := range equal.Rows {
		rows = append(rows, r.Row)
	}
	if err := printRows(term, rows); err != nil {
		return err
	}
	for _, r := range equal.Rows {
		lines := ""
		if !r.Reached {
			lines = r.Verdict + "\n"
		}
		if with := paramFlags(r.Parameters); with != "" {
			lines += fmt.Sprintf("%s at epsilon %v is with%s\n", r.Mechanism, r.Epsilon, with)
		}
		if _, err := fmt.Fprint(term.Out, lines); err != nil {
			return err
		}
	}
	return printLeftOut(term, equal.LeftOut)
}

func printLeftOut(term *cli.Terminal, left []leftOut) error {
	for _, l := range left {
		if _, err := fmt.Fprintf(term.Out, "left out: %s\n", l.Why); err != nil {
			return err
		}
	}
	return nil
}

// printCSV writes the rows, those at equal attack success last. An empty cell is unknown,
// inf is infinite.
func printCSV(term *cli.Terminal, c comparison) error {
	w := csv.NewWriter(term.Out)
	head := []string{"comparison", "mechanism", "epsilon", "certified_epsilon", "pure_epsilon",
		"unchanged", "unchanged_low", "unchanged_high", "expected_distance", "expected_distance_low", "expected_distance_high",
		"attack_success", "attack_success_low", "support", "distinct_outputs", "standing"}
	if c.Sample != nil {
		head = append(head, riskNames...)
	}
	_ = w.Write(head) // the writer keeps errors until Error
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	optional := func(v *float64, none string) string {
		if v == nil {
			return none
		}
		return number(*v)
	}
	write := func(kind string, r tune.Row, more ...string) {
		none, stay, move := "inf", [2]float64{r.Unchanged, r.Unchanged}, [2]float64{r.ExpectedDistance, r.ExpectedDistance}
		if s := r.Sampled; s != nil {
			none, stay, move = "", s.Unchanged, s.ExpectedDistance
		}
		_ = w.Write(append([]string{kind, r.Mechanism, number(r.Epsilon), optional(r.CertifiedEpsilon, none), optional(r.PureEpsilon, none),
			number(r.Unchanged), number(stay[0]), number(stay[1]), number(r.ExpectedDistance), number(move[0]), number(move[1]),
			optional(r.AttackSuccess, ""), number(r.AttackLow), optional(r.Support, ""), optional(r.DistinctOutputs, ""), r.Standing.String()}, more...))
	}
	for _, r := range c.Rows {
		write("equal-epsilon", r.Row, r.cells(c.Sample)...)
	}
	if c.EqualAttack != nil {
		for _, r := range c.EqualAttack.Rows {
			write("equal-attack", r.Row, (*sampleRow)(nil).cells(c.Sample)...)
		}
	}
	w.Flush()
	return w.Error()
}

// comparison is the output of compare --json.
type comparison struct {
	Rows        []comparedRow   `json:"rows"`
	Sample      *comparedSample `json:"sample,omitempty"`
	Limits      []tune.Limit    `json:"limits"`
	LeftOut     []leftOut       `json:"left_out"`
	EqualAttack *equalAttack    `json:"equal_attack,omitempty"`
}

type equalAttack struct {
	AttackSuccess float64       `json:"attack_success"`
	Rows          []tune.Result `json:"rows"`
	LeftOut       []leftOut     `json:"left_out"`
}

// riskColumns are the columns with the results of the attack.
func riskColumns(c *comparison) []column {
	if c.Sample == nil {
		return nil
	}
	return []column{
		{"alone", func(i int) string { return share(c.Rows[i].Recovered) }},
		{"in context", func(i int) string { return share(c.Rows[i].RecoveredInContext) }},
		{"rare", func(i int) string { return share(c.Rows[i].RecoveredRare) }},
		{"linked", func(i int) string { return share(c.Rows[i].Linked) }},
	}
}

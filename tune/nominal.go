package tune

import (
	"crypto/sha256"
	"fmt"
	"math"
	"strconv"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
)

// nominal searches over the parameter of that name, which fixes a channel
// without a certificate: figures are read first, and only the row that is found
// is certified. If the target is a loss, certificates come first.
type nominal struct {
	*search
	parameter mechanism.Parameter
	thin      *embedding.Table // for rough losses
	figures   map[float64]Averages
	opened    map[float64]mechanism.Certifier // certified
	pairs     []pair
}

// roughWords is of how many words, about, rough losses are.
const roughWords = 1500

// hasNominal reports whether a member has the parameter nominal and spec leaves
// it free.
func hasNominal(entry mechanism.Entry, spec mechanism.Spec) bool {
	p, ok := entry.Parameter(mechanism.RoleNominal)
	return ok && !spec.Published && !spec.Parameters.Gives(p)
}

func newNominal(s *search) *nominal {
	p, _ := s.entry.Parameter(mechanism.RoleNominal)
	n := &nominal{search: s, parameter: p, thin: s.table, figures: map[float64]Averages{}, opened: map[float64]mechanism.Certifier{}}
	if every := s.table.Len() / roughWords; every > 1 && s.fig.certified {
		if thin, err := s.table.Every(every); err == nil {
			n.thin = thin
		}
	}
	return n
}

// uncertified opens the channel at a value without certifying it.
func (n *nominal) uncertified(value float64, table *embedding.Table) (mechanism.Mechanism, error) {
	spec := n.at(value)
	spec.Published = true
	return open(n.ctx, n.entry, table, spec)
}

func (n *nominal) roughly(value float64) (mechanism.Mechanism, error) {
	return n.uncertified(value, n.thin)
}

// certified opens the channel at a value with its certificate; four times the
// value is more than it can certify.
func (n *nominal) certified(value float64) (mechanism.Certifier, error) {
	if c, ok := n.opened[value]; ok {
		return c, nil
	}
	spec := n.at(4 * value)
	spec.Parameters = spec.Parameters.With(n.parameter, value)
	m, err := open(n.ctx, n.entry, n.table, spec)
	if err != nil {
		return nil, err
	}
	n.opened[value] = m.(mechanism.Certifier)
	return n.opened[value], nil
}

// exact returns the part of the row at a value that the target is read from.
func (n *nominal) exact(value float64) (Row, error) {
	row := Row{Mechanism: n.entry.Name, Epsilon: value, Standing: n.entry.Standing}
	if n.fig.certified {
		c, err := n.certified(value)
		if err != nil {
			return row, err
		}
		loss := known(c)
		row.lose(loss)
		n.remember(c.(mechanism.Channel), loss, n.fig.read(row))
		return row, nil
	}
	m, err := n.uncertified(value, n.table)
	if err != nil {
		return row, err
	}
	f, err := Measure(n.ctx, m.(mechanism.Channel), n.table, stages(n.entry, n.at(value))("figures"))
	n.figures[value] = f
	row.show(f)
	return row, err
}

// pair is two words between whose rows a certificate was attained, and the ratio of
// the certified value to the largest loss between them: their distance's
// reciprocal, or 1.
type pair struct {
	a, b  embedding.ID
	scale float64
}

// remember stores the pair at which a certificate is attained.
func (n *nominal) remember(c mechanism.Channel, loss mechanism.Loss, value float64) {
	w := loss.MetricWitness
	if n.fig.name == "pure" {
		w = loss.PureWitness
	}
	if l := lossBetween(c, w.Input, w.Neighbour); l > 0 && !math.IsInf(l, 1) && !math.IsInf(value, 1) {
		n.pairs = append(n.pairs, pair{w.Input, w.Neighbour, value / l})
	}
}

// foreseen returns the largest loss between the stored pairs at another value: a lower
// bound on the certificate there, and equal to it if one of them is still the worst.
func (n *nominal) foreseen(value float64) (float64, error) {
	m, err := n.uncertified(value, n.table)
	if err != nil {
		return 0, err
	}
	most := 0.0
	for _, p := range n.pairs {
		most = max(most, p.scale*lossBetween(m.(mechanism.Channel), p.a, p.b))
	}
	return most, nil
}

// lossBetween returns the largest of ln P(y|a)/P(y|b) over all outputs y, either way.
func lossBetween(c mechanism.Channel, a, b embedding.ID) float64 {
	rows := [2][]uint64{c.Weights(nil, a), c.Weights(nil, b)}
	var totals [2]float64
	for i, row := range rows {
		for _, w := range row {
			totals[i] += float64(w)
		}
	}
	low, high := math.Inf(1), 0.0
	for y, w := range rows[0] {
		if v := rows[1][y]; w > 0 || v > 0 {
			r := float64(w) / float64(v)
			low, high = min(low, r), max(high, r)
		}
	}
	shift := math.Log(totals[1] / totals[0])
	return max(math.Log(high)+shift, -math.Log(low)-shift)
}

// complete returns the whole row at a value, with the least epsilon of six digits
// that it certifies.
func (n *nominal) complete(value float64) (Row, error) {
	c, err := n.certified(value)
	if err != nil {
		return Row{}, err
	}
	f, ok := n.figures[value]
	if !ok {
		if f, err = Measure(n.ctx, c, n.table, stages(n.entry, n.at(value))("figures")); err != nil {
			return Row{}, err
		}
	}
	row := Row{Mechanism: n.entry.Name, Standing: n.entry.Standing, Claim: c.Claim()}
	row.show(f)
	row.lose(known(c))
	row.Epsilon = value
	if row.CertifiedEpsilon != nil && *row.CertifiedEpsilon > 0 {
		row.Epsilon = six(*row.CertifiedEpsilon * (1 + 5.1e-6)) // half of a sixth digit is at most 5e-6
	}
	row.Claim.Epsilon = row.Epsilon
	return row, nil
}

// keptSearch and keepSearch keep what a search found, as Compare keeps rows.
func keptSearch(entry mechanism.Entry, table *embedding.Table, spec mechanism.Spec, target Target) (r Result, ok bool) {
	ok = mechanism.Recall(spec.Cache, searchKey(entry, table, spec, target), &r)
	return r, ok && r.Mechanism == entry.Name
}

func keepSearch(entry mechanism.Entry, table *embedding.Table, spec mechanism.Spec, target Target, r Result) {
	mechanism.Remember(spec.Cache, searchKey(entry, table, spec, target), r)
}

// searchForm is raised when a result changes what it keeps.
const searchForm = 2

func searchKey(entry mechanism.Entry, table *embedding.Table, spec mechanism.Spec, target Target) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%v %s %v", spec.Parameters, target.Figure, target.Value))
	return fmt.Sprintf("%s-search%d.%d-%s-%x", table.Digest(), rowForm, searchForm, entry.Name, sum[:12])
}

// six rounds to six digits, so that what is printed is what was measured.
func six(v float64) float64 {
	f, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 6, 64), 64) // its own text
	return f
}

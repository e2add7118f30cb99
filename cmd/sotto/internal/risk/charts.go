package risk

import (
	"cmp"
	"slices"

	"github.com/sotto-dp/sotto/internal/chart"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/tune"
)

// frontierOf draws rows as six charts: unchanged rate and expected distance, each against
// certified metric epsilon, pure epsilon and attack success. Without a certificate, rings
// mark the claimed epsilon, or an attack success that some attacker reaches. Grey lines are
// limits: an attacker who guesses that no word changed is right as often as words stay
// unchanged.
func frontierOf(title string, rows []tune.Row, limits []tune.Limit) chart.Sheet {
	exact := func(read func(tune.Row) *float64, notion privacy.Notion) axis {
		return func(r tune.Row) (float64, bool) {
			if v := read(r); v != nil {
				return *v, true
			}
			if r.Sampled != nil && r.Claim.Notion == notion && (notion != privacy.Metric || r.Claim.Distance == "euclidean") {
				return r.Claim.Epsilon, true
			}
			return 0, false
		}
	}
	metric := exact(func(r tune.Row) *float64 { return r.CertifiedEpsilon }, privacy.Metric)
	pure := exact(func(r tune.Row) *float64 { return r.PureEpsilon }, privacy.Pure)
	attack := func(r tune.Row) (float64, bool) { return r.AttackLow, r.AttackLow > 0 }
	stay := func(r tune.Row) float64 { return r.Unchanged }
	move := func(r tune.Row) float64 { return r.ExpectedDistance }
	limit := func(notion privacy.Notion) [][2]float64 {
		var xy [][2]float64
		for _, l := range limits {
			if l.Notion == notion {
				xy = append(xy, [2]float64{l.Epsilon, l.Unchanged})
			}
		}
		return xy
	}
	guess := [][2]float64{}
	for _, r := range rows {
		guess = append(guess, [2]float64{r.AttackLow, r.AttackLow})
	}
	guess = slices.DeleteFunc(guess, func(p [2]float64) bool { return p[0] <= 0 })
	sheet := chart.Sheet{Title: title, Columns: 3, Width: 400, Height: 300, Legend: true}
	for _, y := range []struct {
		title, label string
		read         func(tune.Row) float64
		limits       bool
	}{{"Words that stay", "unchanged rate", stay, true}, {"How far words move", "expected distance", move, false}} {
		for _, x := range []struct {
			label string
			read  axis
			log   bool
			limit [][2]float64
		}{
			{"metric epsilon", metric, true, limit(privacy.Metric)},
			{"pure epsilon", pure, true, limit(privacy.Pure)},
			{"attack success", attack, false, guess},
		} {
			c := chart.Chart{Title: y.title, X: x.label, Y: y.label, LogX: x.log}
			if y.limits && len(x.limit) > 0 {
				slices.SortFunc(x.limit, func(a, b [2]float64) int { return cmp.Compare(a[0], b[0]) })
				c.Series = append(c.Series, chart.Series{Name: "no mechanism goes above", Style: chart.Limit, XY: x.limit})
			}
			c.Series = append(c.Series, curves(rows, x.read, y.read)...)
			sheet.Charts = append(sheet.Charts, c)
		}
	}
	return sheet
}

// axis returns a row's coordinate, or false if it is not known.
type axis func(tune.Row) (float64, bool)

// curves makes one series for each mechanism, through its
// rows in their order.
func curves(rows []tune.Row, x axis, y func(tune.Row) float64) []chart.Series {
	var all []chart.Series
	for _, r := range rows {
		at := slices.IndexFunc(all, func(s chart.Series) bool { return s.Name == r.Mechanism })
		if at < 0 {
			at = len(all)
			all = append(all, chart.Series{Name: r.Mechanism, Style: chart.Marked, Colour: at})
			if r.Sampled != nil {
				all[at].Style = chart.Hollow
			}
		}
		if v, ok := x(r); ok {
			all[at].XY = append(all[at].XY, [2]float64{v, y(r)})
		}
	}
	return all
}

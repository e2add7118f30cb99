package tune

import (
	"errors"
	"math"

	"github.com/sotto-dp/sotto/internal/falseposition"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
)

// begin finds an epsilon that the member accepts: some have a lower or upper
// limit.
func (s *search) begin() error {
	first := error(nil)
	starts := []float64{1, 2, 4, 8, 16, mostEpsilon, 0.5, 0.25, 0.1, leastEpsilon}
	if s.fig.certified {
		starts = append([]float64{six(min(mostEpsilon, max(leastEpsilon, s.target)))}, starts...)
	}
	for _, epsilon := range starts {
		_, err := s.look(epsilon)
		if err == nil {
			s.inside = epsilon
			return nil
		}
		if !refused(err) {
			return err
		}
		if first == nil {
			first = err
		}
	}
	return first
}

// step multiplies an epsilon by a factor, within the range and the member's
// limits. At a limit it returns epsilon unchanged.
func (s *search) step(epsilon, factor float64) (float64, error) {
	in, out := epsilon, min(mostEpsilon, max(leastEpsilon, six(epsilon*factor)))
	for {
		_, err := s.look(out)
		if err == nil {
			return out, nil
		}
		if !refused(err) {
			return 0, err
		}
		if math.Abs(math.Log(out/in)) < 1e-3 {
			return in, nil
		}
		out = six(math.Sqrt(in * out))
	}
}

// refused reports whether an error means that the member does not accept an epsilon.
func refused(err error) bool {
	var p *privacy.ParameterError
	return errors.As(err, &p) && p.Name == "epsilon"
}

// solve finds where rough figures plus a correction meet the target, a little on
// the private side, by the Illinois variant of false position in ln epsilon.
func (s *search) solve(correction float64) (float64, error) {
	const aside = tolerance / 8
	value := func(epsilon float64) (float64, error) {
		v, err := s.expect(epsilon, correction)
		return max(-1e3, min(1e3, v+aside)), err
	}
	low, high := s.inside, s.inside
	fl, err := value(low)
	fh := fl
	for err == nil && fh < 0 {
		low, fl = high, fh
		if high, err = s.step(low, s.stride); high == low || err != nil {
			return low, err
		}
		fh, err = value(high)
	}
	for err == nil && fl >= 0 {
		high, fh = low, fl
		if low, err = s.step(high, 1/s.stride); low == high || err != nil {
			return high, err
		}
		fl, err = value(low)
	}
	if err != nil {
		return 0, err
	}
	at := falseposition.Bracket{Low: math.Log(low), High: math.Log(high), Below: fl, Above: fh}
	for range 60 {
		width := at.High - at.Low
		if width < 2e-4 || at.Below > -aside/4 {
			break
		}
		mid := six(math.Exp(at.Next(32)))
		if mid <= low || mid >= high {
			break
		}
		fm, err := value(mid)
		if err != nil {
			return 0, err
		}
		if width < 0.01 && (fm == at.Below || fm == at.Above) {
			break // a member that has only some settings
		}
		at.Take(math.Log(mid), fm)
		if fm < 0 {
			low = mid
		} else {
			high = mid
		}
	}
	return low, nil
}

// expect reports how far the figure at epsilon should be ahead of the target: by the pairs
// of words that certificates were attained at, or else by rough figures.
func (s *search) expect(epsilon, correction float64) (float64, error) {
	if s.nominal == nil || len(s.nominal.pairs) == 0 {
		v, err := s.look(epsilon)
		return v + correction, err
	}
	v, err := s.nominal.foreseen(epsilon)
	return s.fig.ahead(v, s.target), err
}

// look reports how far the rough figure at epsilon is ahead of the target.
func (s *search) look(epsilon float64) (float64, error) {
	if v, ok := s.rough[epsilon]; ok {
		return v, nil
	}
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	m, err := s.open(epsilon)
	if err != nil {
		return 0, err
	}
	row := Row{}
	stage := stages(s.entry, s.at(epsilon))
	c, ok := m.(mechanism.Certifier)
	switch {
	case !ok && s.fig.exactOnly:
		return 0, &SampledError{s.entry.Name, s.fig.words}
	case !ok:
		f, err := sample(s.ctx, m, s.table, roughDraws, nil)
		if err != nil {
			return 0, err
		}
		row.Unchanged, row.ExpectedDistance = f.share, f.mean
	case s.fig.certified:
		loss, err := losses(s.ctx, c, stage("certificate"))
		if err != nil {
			return 0, err
		}
		row.CertifiedEpsilon, row.PureEpsilon = finite(loss.MetricHigh), finite(loss.PureHigh)
	default:
		every := max(1, s.table.Len()/roughRows)
		f, err := measure(s.ctx, c, s.table, every, nil)
		if err != nil {
			return 0, err
		}
		// With only some rows, the best guess is most often the word itself.
		attack := f.Unchanged
		if every == 1 {
			attack = f.AttackSuccess
		}
		row.Unchanged, row.ExpectedDistance, row.AttackSuccess = f.Unchanged, f.ExpectedDistance, &attack
	}
	v := s.fig.ahead(s.fig.read(row), s.target)
	s.rough[epsilon] = v
	return v, nil
}

package additive

import (
	"math"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/internal/parameters"
	"github.com/sotto-dp/sotto/privacy"
)

// Clip is the ball that private vectors are scaled into: x min(1, radius/norm).
type Clip struct {
	Radius float64
	l1     bool // the norm is l1, else l2
}

// Unclipped leaves vectors as they are.
var Unclipped = Clip{Radius: math.Inf(1)}

// factor returns the number to multiply v by. Components multiplied by it, with at
// most four roundings each and all towards zero after that, are in the ball: the
// norm of up to 4,096 components errs by less than 2^-41 of it, which is less than
// half of clipSlack, and the square of a float32 neither overflows nor underflows
// float64.
func (c Clip) factor(v []float32) float64 {
	if n, most := c.norm(v), c.Radius*(1-clipSlack); n > most {
		return most / n
	}
	return 1
}

// Apply scales v into the ball: the exact norm of its float32 components is at
// most the radius, for every v of finite components. See factor; each product is
// rounded to float32 towards zero.
func (c Clip) Apply(v []float32) {
	if math.IsInf(c.Radius, 1) {
		return
	}
	factor := c.factor(v)
	if factor == 1 {
		return
	}
	for k, x := range v {
		exact := float64(x) * factor
		v[k] = float32(exact)
		if math.Abs(float64(v[k])) > math.Abs(exact) {
			v[k] = math.Nextafter32(v[k], 0)
		}
	}
}

func (c Clip) norm(v []float32) float64 {
	if !c.l1 {
		return Norm(v)
	}
	sum := 0.0
	for _, x := range v {
		sum += math.Abs(float64(x))
	}
	return sum
}

// ClipParameter is the radius of the ball. Noise of this size is a float32.
var ClipParameter = mechanism.Parameter{Name: "clip", Kind: mechanism.Number, Role: mechanism.RoleClip, Default: "median norm of the table's vectors", Accepts: mechanism.Between(1e-20, 1e9),
	Help: "norm to which vectors are clipped"}

// Space holds the public figures that a member for vectors needs.
type Space struct {
	Dim    int
	median func(l1 bool) float64 // norm
	of     string                // whose median it is
}

func spaceOf(table *embedding.Table) Space {
	return Space{table.Dim(), func(l1 bool) float64 { return MedianNorm(table, l1) }, "the table's vectors"}
}

// ReadClip reads the parameter clip, by default the median norm of the public
// table (a quantile of public data, so it reveals nothing).
func ReadClip(p *parameters.Reader, table *embedding.Table, l1 bool) Clip {
	return ReadClipIn(p, spaceOf(table), l1)
}

// ReadClipIn is ReadClip for any space.
func ReadClipIn(p *parameters.Reader, s Space, l1 bool) Clip {
	if c, given := p.Optional(ClipParameter); given {
		return Clip{c, l1}
	}
	c := s.median(l1)
	if ClipParameter.Check(p.Who, c) != nil {
		p.Fail(privacy.Missing(p.Who, ClipParameter.Name, "the median norm of "+s.of+" is no scale to clip at"))
	}
	p.Set(ClipParameter, c)
	p.Note("clip-from", "median norm of "+s.of)
	return Clip{c, l1}
}

func MedianNorm(table *embedding.Table, l1 bool) float64 {
	norms := make([]float64, table.Len())
	var v []float32
	for x := range norms {
		v = table.Vector(v[:0], embedding.ID(x))
		norms[x] = Clip{l1: l1}.norm(v)
	}
	slices.Sort(norms)
	return norms[len(norms)/2]
}

// ReadDelta reads the parameter delta, by default 1e-6.
func ReadDelta(p *parameters.Reader) float64 {
	return p.Number(DeltaParameter)
}

// DeltaParameter is the delta of an (epsilon, delta) promise.
var DeltaParameter = mechanism.Parameter{Name: "delta", Kind: mechanism.Number, Role: mechanism.RoleDelta, Default: "1e-06", Accepts: mechanism.Inside(0, 1), Help: "delta of the guarantee"}

const clipSlack = 0x1p-40

func Norm(v []float32) float64 {
	square := 0.0
	for _, x := range v {
		square += float64(float64(x) * float64(x)) // exact: fusing changes nothing
	}
	return math.Sqrt(square)
}

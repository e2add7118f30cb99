package packing

import (
	"context"
	"fmt"
	"math"
)

// complete is a channel that is filled and certified.
type complete struct {
	from   *filled
	header compiledHeader
	parts  compiledParts
}

// finish certifies a channel and sets b.done to it.
func (b *packingBuild) finish(ctx context.Context, f *filled) error {
	if b.done != nil && b.done.from == f {
		return nil
	}
	// A later search that failed leaves the kernel in the matrix.
	if err := b.d.plain(ctx); err != nil {
		return err
	}
	n := b.table.Len()
	parts := compiledParts{base: make([]float32, n), starts: make([]uint32, n+1)}
	kept := 0.0
	for x := range n {
		parts.base[x] = float32(f.floors.base[x])
		kept += f.floors.base[x]
		for _, l := range f.lifts[b.d.class[x]] {
			parts.outputs = append(parts.outputs, uint32(l.output))
			parts.amounts = append(parts.amounts, l.amount)
		}
		parts.starts[x+1] = uint32(len(parts.outputs))
	}
	done := &complete{from: f, header: b.compiled.compiledHeader, parts: parts}
	done.header.Value = kept / float64(b.d.n())
	c, err := Read(done.encode(*b.bound))
	if err != nil {
		return err
	}
	loss, err := newPacked(b.table, c, nil).certify(ctx, b.d, b.progress("certifying"))
	if err != nil {
		return err
	}
	if loss.MetricHigh > b.epsilon {
		return fmt.Errorf("packing: the channel certifies %g, want at most %g", loss.MetricHigh, b.epsilon)
	}
	done.header.know(loss)
	b.done = done
	b.limit.followed()
	return nil
}

// encode returns the channel's file, with the bound on the unchanged rate known by now.
func (c *complete) encode(bound float64) []byte {
	h := c.header
	if !math.IsInf(bound, 1) {
		h.Bound = bound
	}
	return encodeCompiled(h, c.parts)
}

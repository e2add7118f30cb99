package synthesis

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/privacy/identity"
)

// MaxSize bounds the number of texts that are drawn.
const MaxSize = 1 << 31

// Row is a row of the output. Its slices are valid during the call that gets it.
type Row struct {
	Labels []string // a value for each column
	Text   []byte   // a text of the corpus, or one that Options.Model wrote
	Weight float64  // of Weighted; 1 of Draw
}

// textCells returns the share of each cell that has public texts, and 0 for the others.
func (r *Release) textCells() []float64 {
	shares := make([]float64, len(r.projected)-1) // without Other
	clusters := r.clusters()
	for i := range shares {
		if len(clusters.texts[i%clusters.Len()]) > 0 {
			shares[i] = r.projected[i]
		}
	}
	return shares
}

// Weighted calls each with every text of every cell whose projected count is positive:
// by label, then cluster, then text. The weight is the cell's count over the number of its
// texts.
func (r *Release) Weighted(ctx context.Context, each func(Row) error) error {
	clusters, write := r.clusters(), r.texts()
	var row Row
	var tally identity.Tally
	for i, share := range r.textCells() {
		if share == 0 {
			continue
		}
		texts := clusters.texts[i%clusters.Len()]
		row.Labels = r.plan.label(row.Labels[:0], i/clusters.Len())
		row.Weight = share / float64(len(texts))
		for _, t := range texts {
			if err := ctx.Err(); err != nil {
				return err
			}
			row.Text = write(row.Text[:0], i%clusters.Len(), t)
			tally.Add(row.Labels, row.Text, row.Weight)
			if err := each(row); err != nil {
				return err
			}
		}
	}
	r.drew(&tally)
	return nil
}

// texts returns a function that appends the output text for a text of a cluster.
func (r *Release) texts() func(dst []byte, cluster int, text int32) []byte {
	if r.plan.o.Model != nil {
		return newWriter(r.plan, r.clusters().texts).append
	}
	return func(dst []byte, _ int, text int32) []byte { return r.plan.o.Corpus.AppendText(dst, int(text)) }
}

// Size returns the number of texts that Draw draws by default.
func (r *Release) Size() int64 { return total(r.textCells()) }

func total(shares []float64) int64 {
	sum := 0.0
	for _, x := range shares {
		sum += x
	}
	return int64(math.Round(min(sum, MaxSize)))
}

// Draw calls each with size texts in random order. A size of 0 means the sum of the
// projected counts of cells with texts. Each cell contributes texts of its cluster in
// proportion to its count. If that number is larger than the cluster, every text occurs
// equally often and the remainder is drawn without replacement. A nil src is as in
// Plan.Release.
func (r *Release) Draw(ctx context.Context, size int64, src rand.Source, each func(Row) error) error {
	shares := r.textCells()
	if size == 0 {
		size = total(shares)
	}
	if size < 0 || size > MaxSize {
		return privacy.Bad(Name, "size", size, "0 to 2^31")
	}
	src = r.plan.source(src, 1)
	drawn, err := r.sample(ctx, apportion(shares, size), src)
	if err != nil {
		return err
	}
	clusters, write := r.clusters(), r.texts()
	row := Row{Weight: 1}
	var tally identity.Tally
	for _, one := range drawn {
		if err := ctx.Err(); err != nil {
			return err
		}
		row.Labels = r.plan.label(row.Labels[:0], int(one.cell)/clusters.Len())
		row.Text = write(row.Text[:0], int(one.cell)%clusters.Len(), one.text)
		tally.Add(row.Labels, row.Text, row.Weight)
		if err := each(row); err != nil {
			return err
		}
	}
	r.drew(&tally)
	return nil
}

func (r *Release) drew(tally *identity.Tally) {
	drawn := tally.Drawn()
	r.drawn = &drawn
}

// place is a drawn text and its cell.
type place struct{ cell, text int32 }

// sample draws as many texts from each cell as numbers say, and shuffles them.
func (r *Release) sample(ctx context.Context, numbers []int64, src rand.Source) ([]place, error) {
	clusters := r.clusters()
	var drawn []place
	var rest []int32
	for i, n := range numbers {
		if n == 0 {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		texts := clusters.texts[i%clusters.Len()]
		for range n / int64(len(texts)) {
			for _, t := range texts {
				drawn = append(drawn, place{int32(i), t})
			}
		}
		rest = append(rest[:0], texts...)
		for k := range int(n % int64(len(texts))) {
			j := k + int(noise.Below(src, uint64(len(rest)-k)))
			rest[k], rest[j] = rest[j], rest[k]
			drawn = append(drawn, place{int32(i), rest[k]})
		}
	}
	noise.Shuffle(src, drawn)
	return drawn, nil
}

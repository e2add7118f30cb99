package derived

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/files/paths"
	"github.com/sotto-dp/sotto/learn"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy/provenance"
	"github.com/sotto-dp/sotto/text"
)

// releasedVectors is what learning needs of a privacy statement about vectors.
type releasedVectors struct {
	Mechanism  string                     `json:"mechanism"`
	Parameters map[string]json.RawMessage `json:"parameters"`
	Given      []string                   `json:"given"`
	provenance.Reported
	Embeddings struct {
		SHA256 string `json:"sha256"`
	} `json:"embeddings"`
	Corpus *struct {
		Name   string `json:"name"`
		SHA256 string `json:"sha256"`
	} `json:"corpus"`
	Of      sotto.Of          `json:"of"`
	Vectors int               `json:"vectors"`
	Debias  *mechanism.Debias `json:"debias"`
	Raw     bool              `json:"raw"`
}

// source says how the mechanism of the statement is opened again.
func (r *releasedVectors) source() (*learn.VectorSource, error) {
	s := &learn.VectorSource{Mechanism: r.Mechanism, Parameters: map[string]string{}, Table: r.Embeddings.SHA256}
	if r.Corpus != nil { // its encoder may read a table, which it names itself
		s.Table, s.Corpus, s.Name = "", r.Corpus.SHA256, r.Corpus.Name
	}
	if json.Unmarshal(r.Parameters["epsilon"], &s.Epsilon) != nil || json.Unmarshal(r.Parameters[mapDigest], &s.Map) != nil {
		return nil, fmt.Errorf("the report lacks the parameters of unit vectors")
	}
	for _, name := range r.Given {
		s.Parameters[name] = strings.Trim(string(r.Parameters[name]), `"`)
	}
	return s, nil
}

// mapDigest is the setting that names the public map of unit vectors, bookDigest the one that
// names the codebook of directions, which the continuous form lacks.
const (
	mapDigest  = "whitening-sha256"
	bookDigest = "codebook-sha256"
)

// labelledVectors reads the vectors and the labels.
func (c *LearnCmd) labelledVectors(ctx context.Context, term *cli.Terminal, r *releasedVectors) (*learn.Vectors, error) {
	v := &learn.Vectors{Dim: len(r.Debias.Offset), Noise: r.Debias.Noise, Signal: r.Debias.Signal}
	if r.Debias.Residual != nil {
		v.Residual = r.Debias.Residual.Mean
	} else if _, ok := r.Parameters[bookDigest]; ok {
		return nil, fmt.Errorf("%s: the report lacks debias.residual, the bias by its codebook: intervals would not cover", c.Report)
	}
	var err error
	if v.Rows, err = readVectors(c.Vectors, v.Dim); err != nil {
		return nil, err
	}
	if r.Raw {
		for i, x := range v.Rows {
			v.Rows[i] = float32(float64(x)*r.Debias.Scale + r.Debias.Offset[i%v.Dim])
		}
	}
	if at := notDrawn(v.Rows, r.Debias); at >= 0 {
		return nil, fmt.Errorf("%s: vector %d is not one that the release draws: the file does not match %s", cli.ShownInput(c.Vectors), at+1, c.Report)
	}
	labels, err := c.readLabels(ctx, term)
	if err != nil {
		return nil, err
	}
	if len(labels)*v.Dim != len(v.Rows) || len(labels) != r.Vectors {
		return nil, fmt.Errorf("%s: %d labels for %d vectors, and %d vectors in the report: the numbers must be equal", cli.ShownInput(c.input()), len(labels), len(v.Rows)/max(1, v.Dim), r.Vectors)
	}
	if v.Classes, v.Class, err = c.classes(ctx, term, labels); err != nil {
		return nil, err
	}
	return v, nil
}

// classes returns the labels that records may have, and that of each record.
func (c *LearnCmd) classes(ctx context.Context, term *cli.Terminal, labels []string) ([]string, []int, error) {
	classes, of := cli.ClassesOf(labels)
	switch {
	case c.Labels != "":
		set, err := cli.ReadLabelSet(ctx, c.Labels)
		if err != nil {
			return nil, nil, err
		}
		if slices.Contains(set, "") && !slices.Contains(labels, "") {
			return nil, nil, cli.WrongUsage("leave out the comma at the end, or the second of two", "--labels has an empty label, and no record has one")
		}
		all, places := cli.ClassesOf(append(slices.Clone(set), labels...))
		if named, _ := cli.ClassesOf(set); len(named) < len(all) {
			return nil, nil, fmt.Errorf("%s: %s not in --labels: give all that the randomised response was over", cli.ShownInput(c.input()), cli.Plural(len(all)-len(named), "label"))
		}
		classes, of = all, places[len(set):]
	case c.LabelLoss > 0:
		fmt.Fprintf(term.Err, "sotto: warning: the labels are those that %s has: if the randomised response was over more, shares and means are biased; give all with --labels\n", cli.ShownInput(c.input()))
	}
	if len(classes) < 2 {
		return nil, nil, fmt.Errorf("%s: all labels are the same: there is nothing to learn", cli.ShownInput(c.input()))
	}
	return classes, of, nil
}

// AlsoUses returns the file of labels.
func (c *LearnCmd) AlsoUses() []paths.Use {
	if c.Labels == "" || !cli.IsLabelFile(c.Labels) {
		return nil
	}
	return []paths.Use{{Flag: "--labels", Name: c.Labels, Public: true}}
}

// notDrawn returns the first vector that is no unit vector, scaled as a report states; -1 if all
// are. Vectors in clear, and those of other releases, are of other lengths.
func notDrawn(rows []float32, d *mechanism.Debias) int {
	dim := len(d.Offset)
	for at := 0; at+dim <= len(rows); at += dim {
		square := 0.0
		for i, x := range rows[at : at+dim] {
			y := (float64(x) - d.Offset[i]) / d.Scale
			square += y * y
		}
		if !(math.Abs(square-1) < 1e-3) {
			return at / dim
		}
	}
	return -1
}

// readLabels reads the column of labels, which takes the place of texts here: exactly one
// per record, as embed wrote one vector per record.
func (c *LearnCmd) readLabels(ctx context.Context, term *cli.Terminal) (labels []string, err error) {
	of := c.FormatFlags
	of.Field = []string{c.Label}
	err = of.EachRecord(ctx, term, c.input(), "", func(r text.Record, shown string) error {
		if len(r.Texts) != 1 {
			return fmt.Errorf("%s: record %d has %d labels, want one", shown, len(labels)+1, len(r.Texts))
		}
		labels = append(labels, string(r.Texts[0]))
		return nil
	})
	return labels, err
}

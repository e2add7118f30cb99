package derived

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/opening"
	"github.com/sotto-dp/sotto/privacy/provenance"
)

// revealed is what learn says about the privacy of its results.
type revealed struct {
	// Privacy states what the results reveal.
	Privacy string `json:"privacy"`
	// Warning is given where nothing protects what a model was fitted to.
	Warning    string         `json:"warning,omitempty"`
	Provenance readProvenance `json:"provenance"`
}

// readProvenance is what the results were computed from; nil for a result that there is not.
type readProvenance struct {
	Model       provenance.Inputs `json:"model"`
	Figures     provenance.Inputs `json:"figures,omitempty"`
	Predictions provenance.Inputs `json:"predictions,omitempty"`
}

// clearInput is a file of which something was read as it is.
func clearInput(name string, what ...string) provenance.Input {
	return provenance.Input{Kind: provenance.Clear, Name: cli.ShownInput(name), What: what}
}

// fitted returns what a model was fitted to that reads texts.
func (c *LearnCmd) fitted(f *opening.Features) provenance.Inputs {
	what := []string{"texts", "labels"}
	if c.Weight != "" {
		what = append(what, "weights")
	}
	texts := clearInput(c.input(), what...)
	if f.Source.Claim != nil {
		texts = provenance.Reported{Claim: f.Source.Claim, Randomness: f.Randomness}.Of(texts.Name, what...)
		if !f.Labelled {
			texts.NotCovered = what[1:]
		}
	}
	return append(provenance.Inputs{texts, opening.PublicInput(f.Corpus)}, c.AboutFlag.Inputs()...)
}

// fittedVectors returns what a model was fitted to that reads released vectors. Their
// labels are in the file of the private texts, unless they went through a mechanism of
// their own.
func (c *LearnCmd) fittedVectors(r provenance.Reported) provenance.Inputs {
	labels := clearInput(c.input(), "labels")
	if c.LabelLoss > 0 {
		labels.Kind, labels.Epsilon = provenance.Released, c.LabelLoss
	}
	return provenance.Inputs{r.Of(cli.ShownInput(c.Vectors), "vectors"), labels}
}

// revealsModel returns what is said about a model. measured is the file of the figures,
// empty if there are none.
func revealsModel(model provenance.Inputs, measured string) revealed {
	r := revealed{Privacy: model.Of(provenance.Model), Warning: model.Warning(provenance.Model)}
	r.Provenance.Model = model
	if measured != "" {
		r.Provenance.Figures = model.Add(clearInput(measured, "texts", "labels"))
		r.Privacy += "; " + r.Provenance.Figures.Of(provenance.Figures)
	}
	return r
}

// revealsPredictions returns what is said about the predictions of a model for a file.
func revealsPredictions(model provenance.Inputs, file string) revealed {
	r := revealed{Warning: model.Warning(provenance.Model)}
	r.Provenance = readProvenance{Model: model, Predictions: model.Add(clearInput(file, "texts"))}
	r.Privacy = r.Provenance.Predictions.Of(provenance.Predictions)
	return r
}

// warn prints the warning, if there is one.
func (r *revealed) warn(term *cli.Terminal) {
	if r.Warning != "" {
		fmt.Fprintln(term.Err, "sotto: warning:", r.Warning)
	}
}

// WithoutFolders returns the provenance as a model file keeps it: the folders of the files
// are no concern of whoever has the model.
func WithoutFolders(in provenance.Inputs) provenance.Inputs {
	kept := slices.Clone(in)
	for i := range kept {
		if kept[i].Name != "" {
			kept[i].Name = filepath.Base(kept[i].Name)
		}
	}
	return kept
}

// input returns the name of the file of texts.
func (c *LearnCmd) input() string {
	if len(c.File) == 0 {
		return "-"
	}
	return c.File[0]
}

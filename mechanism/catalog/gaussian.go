package catalog

import (
	"context"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/internal/additive"
	"github.com/sotto-dp/sotto/privacy"
)

var gaussianEntry = mechanism.Entry{
	Name:         "gaussian",
	Summary:      "clipped vector plus classical Gaussian noise, then the nearest word; epsilon at most 1",
	Paper:        "Dwork, Roth 2014, Theorem A.1 (classical Gaussian mechanism); a baseline of the TrLaplace paper",
	Notion:       privacy.Approximate,
	Standing:     privacy.Proved,
	Reviewed:     "93185aafe63d6e1e",
	Analysis:     mechanism.ClassicalGaussian,
	Stops:        mechanism.Steps(0.125, 1, 0.125),
	Cost:         mechanism.Pass,
	Parameters:   []mechanism.Parameter{additive.DeltaParameter, additive.ClipParameter, additive.SensitivityParameter},
	New:          additive.Of(gaussianNoise).Words,
	NewPerturber: additive.Of(gaussianNoise).Vectors,
}

func gaussianNoise(ctx context.Context, table *embedding.Table, spec mechanism.Spec, on additive.Use) (additive.Noise, error) {
	if spec.Epsilon > 1 {
		return additive.Noise{}, privacy.Bad("gaussian", "epsilon", spec.Epsilon, "at most 1, where the classical proof ends (gaussian-analytic takes any)")
	}
	return additive.Gaussian(ctx, "gaussian", privacy.ClassicalGaussianRatio, table, spec, on)
}

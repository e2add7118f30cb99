package experiment

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"github.com/sotto-dp/sotto/autoencoder"
	"github.com/sotto-dp/sotto/lab/result"
)

// Epoch times one epoch of training on private vectors, on all processors: drawing
// the noise for every word of the training texts (on one), and learning from them,
// by a classifier or by an auto-encoder (the parameter learner). All figures except the
// number of vectors depend on the machine. Parameters: those of a model, table,
// mechanism, epsilon, train (number of texts), learner.
func Epoch(ctx context.Context, b *Bench, p result.Params, seed uint64) (result.Outcome, error) {
	table, err := b.Table(p.Get("table"))
	if err != nil {
		return result.Outcome{}, err
	}
	var m *autoencoder.Model
	if p.Get("learner") == "auto-encoder" {
		if m, err = b.autoencoder(ctx, p); err != nil {
			return result.Outcome{}, err
		}
		table = m.Table()
	}
	perturber, evidence, err := b.perturber(table, p)
	if err != nil {
		return leftOut(err)
	}
	train, err := b.Corpus(p.Get("set"), "train", number(p, "train"), table)
	if err != nil {
		return result.Outcome{}, err
	}
	r := &readings{corpus: train, table: table, perturber: perturber, seed: seed}
	start := time.Now()
	vectors, err := r.epoch(0)
	if err != nil {
		return result.Outcome{}, err
	}
	divide(vectors, rootMeanSquare(vectors))
	drawn := time.Since(start).Seconds()
	o, threads := classifierOptions(p, seed), runtime.GOMAXPROCS(0)
	o.Epochs = 1
	start = time.Now()
	switch p.Get("learner") {
	case "classifier":
		set, err := b.Set(p.Get("set"))
		if err != nil {
			return result.Outcome{}, err
		}
		_, err = autoencoder.TrainClassifier(ctx, autoencoder.Labelled{Options: o, Threads: threads, Classes: len(set.Labels), Dimensions: table.Dim(), Labels: train.Labels, Vectors: r.epoch})
		if err != nil {
			return result.Outcome{}, err
		}
	case "auto-encoder":
		_, err = m.Tune(ctx, o, threads, func(int) (autoencoder.Lines, error) {
			return autoencoder.Lines{Vectors: vectors, Words: train.Texts()}, nil
		})
		if err != nil {
			return result.Outcome{}, err
		}
	default:
		return result.Outcome{}, fmt.Errorf("experiment: no learner is called %q", p.Get("learner"))
	}
	learnt := time.Since(start).Seconds()
	return result.Outcome{Evidence: evidence, Values: map[string]float64{
		"vectors": float64(len(train.Words)), "noise_seconds": drawn, "learn_seconds": learnt, "epoch_seconds": drawn + learnt,
	}}, nil
}

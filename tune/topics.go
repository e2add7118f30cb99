package tune

import (
	"context"
	"errors"
	"slices"

	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/progress"
)

// Topics are public texts with labels, in parts. Classifiers of the texts of the codebook
// measure how often a release keeps the label of its text.
type Topics struct{ Parts []TopicPart }

// TopicPart is a part of the texts, and a classifier that was fitted to the other parts.
// Labels are numbered from 0.
type TopicPart struct {
	Vectors   []int8 // of the texts, as those of the codebook: Dim components for each
	Labels    []int  // of the texts
	Predicted []int  // of the texts, by the classifier
	Codebook  []int  // of each text of the codebook, by the classifier
}

// textsPerSearch is the number of texts whose sets are held at once.
const textsPerSearch = 64

// kept returns the mean over texts of the chance that the release is of the text's
// label, and the share of texts that are themselves: Inside for each text of the set
// that is, and Outside for each other text of the codebook.
func (t *Topics) kept(ctx context.Context, codebook Codebook, levels mechanism.Levels, report progress.Func) (kept, clear *float64, err error) {
	var share, right float64
	texts, all := 0, 0
	for _, p := range t.Parts {
		if len(p.Codebook) != codebook.Len() || len(p.Predicted) != len(p.Labels) || len(p.Vectors) != len(p.Labels)*codebook.Dim() {
			return nil, nil, errors.New("tune: the topics must be one per text of the codebook")
		}
		all += len(p.Labels)
	}
	if all == 0 {
		return nil, nil, errors.New("tune: topics have no texts")
	}
	var sets []uint32
	for _, p := range t.Parts {
		of := map[int]int{} // texts of the codebook for each label
		for _, label := range p.Codebook {
			of[label]++
		}
		for at := 0; at < len(p.Labels); at += textsPerSearch {
			if err := ctx.Err(); err != nil {
				return nil, nil, err
			}
			end := min(at+textsPerSearch, len(p.Labels))
			sets, err = codebook.Nearest(sets[:0], p.Vectors[at*codebook.Dim():end*codebook.Dim()], levels.Size)
			if err != nil {
				return nil, nil, err
			}
			for i, set := range slices.Collect(slices.Chunk(sets, levels.Size)) {
				label, inside := p.Labels[at+i], 0
				for _, y := range set {
					if p.Codebook[y] == label {
						inside++
					}
				}
				share += float64(float64(inside)*levels.Inside) + float64(float64(of[label]-inside)*levels.Outside)
				if p.Predicted[at+i] == label {
					right++
				}
			}
			texts += end - at
			report.At(texts, all)
		}
	}
	share, right = share/float64(all), right/float64(all)
	return &share, &right, nil
}

// Codebook is a codebook that gives the vectors of its texts.
type Codebook interface {
	mechanism.Codebook
	// Vector appends the vector of text i.
	Vector(dst []int8, i int) []int8
}

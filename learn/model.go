package learn

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/sotto-dp/sotto/privacy/provenance"
)

// Model is a linear classifier. It is safe for concurrent use.
type Model struct {
	Classes []string
	// Dim is the number of features.
	Dim int
	// Weights has Dim weights and a bias per class.
	Weights []float32
	// Terms has a weight per term of the vocabulary and class, nil if terms have none.
	Vocabulary *Vocabulary
	Terms      []float32
	// Prior is the fraction of each class among the training labels.
	Prior []float64
	// Ridge is the chosen penalty.
	Ridge float64
	// Knowledge is what Options.Knowledge counts for, in [0, 1]. It is not written.
	Knowledge float64
	// Channel is the channel of the releases, zero for plain rows.
	Channel Channel
	// Origins reports whether origins of releases were modelled.
	Origins bool
	// Source describes the features and the releases, for users of the model.
	Source Source
}

// Source describes the features of a model and its training data.
type Source struct {
	// Name is the name of the corpus whose encoder makes the features, Corpus its digest.
	Name   string `json:"name,omitempty"`
	Corpus string `json:"corpus,omitempty"`
	// Table is the digest of the table for the features of first words.
	Table string `json:"table,omitempty"`
	// Smooth is the number of nearest public texts over which the features of a text are
	// averaged; 0 means no averaging.
	Smooth int `json:"smooth,omitempty"`
	// About is the digest of the words for labels by which the corpus is cut.
	About string `json:"about,omitempty"`
	// Claim is the claim of the report, unchanged.
	Claim    json.RawMessage `json:"claim,omitempty"`
	Examples int             `json:"examples,omitempty"`
	// Provenance is what the model was fitted to; empty in models of versions that did
	// not record it.
	Provenance provenance.Inputs `json:"provenance,omitempty"`
	// Vectors is set if features are the unit vectors of a mechanism.
	Vectors *VectorSource `json:"vectors,omitempty"`
}

// VectorSource describes how texts become the unit vectors of a mechanism.
type VectorSource struct {
	Mechanism  string            `json:"mechanism"`
	Epsilon    float64           `json:"epsilon"`
	Parameters map[string]string `json:"parameters"`
	// Table is the digest of the table of word vectors, or Corpus that of the corpus whose
	// encoder made vectors of whole texts, and Name its name. Map is the digest of the public map
	// from averages or vectors of texts to unit vectors.
	Table  string `json:"table,omitempty"`
	Corpus string `json:"corpus,omitempty"`
	Name   string `json:"name,omitempty"`
	Map    string `json:"map"`
}

// The versions of the JSON form: a model with weights of terms has the second.
const (
	plainFormat = 1
	termsFormat = 2
)

type modelFile struct {
	Format  int         `json:"format"`
	Classes []string    `json:"classes"`
	Weights [][]float32 `json:"weights"` // one row per class
	Bias    []float32   `json:"bias"`
	Prior   []float64   `json:"prior"`
	Terms   *termsFile  `json:"terms,omitempty"`
	Ridge   float64     `json:"ridge"`
	Channel *Channel    `json:"channel,omitempty"`
	Origins bool        `json:"origins,omitempty"`
	Source  Source      `json:"source"`
}

// termsFile is a vocabulary with its weights.
type termsFile struct {
	Hashes  []uint32    `json:"hashes"`
	Inverse []float32   `json:"inverse"` // document frequencies
	Weights [][]float32 `json:"weights"` // one row per class
}

// Predict returns the most likely class of a text by its features; of equally likely ones,
// the first.
func (m *Model) Predict(r Row) string {
	best, most := 0, math.Inf(-1)
	for c := range m.Classes {
		if s := m.score(c, r); s > most {
			best, most = c, s
		}
	}
	return m.Classes[best]
}

// Chances appends the probability of each class for the features of a text.
func (m *Model) Chances(dst []float64, r Row) []float64 {
	at, most := len(dst), math.Inf(-1)
	for c := range m.Classes {
		dst = append(dst, m.score(c, r))
		most = max(most, dst[at+c])
	}
	sum := 0.0
	for c := at; c < len(dst); c++ {
		dst[c] = math.Exp(dst[c] - most)
		sum += dst[c]
	}
	for c := at; c < len(dst); c++ {
		dst[c] /= sum
	}
	return dst
}

func (m *Model) score(class int, r Row) float64 {
	w := m.Weights[class*(m.Dim+1) : (class+1)*(m.Dim+1)]
	s := float64(w[m.Dim])
	for k, x := range r.Features[:m.Dim] {
		s += float64(w[k]) * float64(x)
	}
	if m.Terms != nil {
		for i, at := range r.Terms {
			s += float64(m.Terms[int(at)*len(m.Classes)+class]) * float64(r.Value[i])
		}
	}
	return s
}

// Write writes the model as JSON.
func (m *Model) Write(w io.Writer) error {
	file := modelFile{
		Format: plainFormat, Classes: m.Classes, Prior: m.Prior, Ridge: m.Ridge,
		Origins: m.Origins, Source: m.Source,
	}
	if !m.Channel.IsNone() {
		file.Channel = &m.Channel
	}
	for c := range m.Classes {
		own := m.Weights[c*(m.Dim+1) : (c+1)*(m.Dim+1)]
		file.Weights, file.Bias = append(file.Weights, own[:m.Dim]), append(file.Bias, own[m.Dim])
	}
	if m.Terms != nil {
		file.Format, file.Terms = termsFormat, &termsFile{Hashes: m.Vocabulary.hashes, Inverse: m.Vocabulary.inverse, Weights: make([][]float32, len(m.Classes))}
		for i, x := range m.Terms {
			own := &file.Terms.Weights[i%len(m.Classes)]
			*own = append(*own, x)
		}
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(file)
}

// mostModel bounds the size of a model that Read accepts, in bytes.
const mostModel = 256 << 20

// Read reads a model written by Write.
func Read(r io.Reader) (*Model, error) {
	var file modelFile
	d := json.NewDecoder(io.LimitReader(r, mostModel))
	if err := d.Decode(&file); err != nil {
		return nil, errors.New("learn: not a model: not a JSON object of the right form")
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("learn: not a model: more than one JSON object")
	}
	if file.Format != plainFormat && file.Format != termsFormat || (file.Format == termsFormat) != (file.Terms != nil) {
		return nil, fmt.Errorf("learn: model has format %d, want %d, or %d with terms", file.Format, plainFormat, termsFormat)
	}
	n := len(file.Classes)
	if n < 2 || len(file.Weights) != n || len(file.Bias) != n || len(file.Weights[0]) == 0 {
		return nil, errors.New("learn: not a model: weights and classes do not match")
	}
	m := &Model{Classes: file.Classes, Dim: len(file.Weights[0]), Prior: file.Prior, Ridge: file.Ridge, Origins: file.Origins, Source: file.Source}
	if file.Channel != nil {
		m.Channel = *file.Channel
	}
	for c, own := range file.Weights {
		if len(own) != m.Dim {
			return nil, errors.New("learn: not a model: classes have different numbers of weights")
		}
		m.Weights = append(append(m.Weights, own...), file.Bias[c])
	}
	if file.Terms != nil {
		if err := m.readTerms(file.Terms); err != nil {
			return nil, err
		}
	}
	return m, m.Channel.check()
}

func (m *Model) readTerms(t *termsFile) error {
	bad := len(t.Hashes) != len(t.Inverse) || len(t.Weights) != len(m.Classes)
	for _, own := range t.Weights {
		bad = bad || len(own) != len(t.Hashes)
	}
	for i, h := range t.Hashes {
		bad = bad || i > 0 && h <= t.Hashes[i-1]
	}
	if bad {
		return errors.New("learn: not a model: terms and weights do not match")
	}
	m.Vocabulary = newVocabulary(t.Hashes, t.Inverse)
	for i := range t.Hashes {
		for _, own := range t.Weights {
			m.Terms = append(m.Terms, own[i])
		}
	}
	return nil
}

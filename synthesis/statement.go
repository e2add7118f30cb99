package synthesis

import (
	"fmt"
	"math"

	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/privacy/identity"
)

// Statement is the privacy statement of a release. It holds noisy counts and public data.
type Statement struct {
	Mechanism string           `json:"mechanism"` // "synthesize"
	Claim     privacy.Claim    `json:"claim"`
	Standing  privacy.Standing `json:"standing"`
	// Epsilons are the costs of the three queries. Their sum is at most the claim's
	// epsilon.
	Epsilons Epsilons `json:"epsilons"`
	Noise    Noise    `json:"noise"`
	Corpus   Corpus   `json:"corpus"`
	// Probes is the digest of what the encoder of the caller's answered for public texts; empty
	// where vectors came with the records, or the corpus has its own encoder.
	Probes string `json:"encoder_probes,omitempty"`
	// Written describes how the texts were written; nil if they are texts of the corpus.
	Written *Written `json:"written,omitempty"`
	// Clusters is the chosen number of clusters, one of Clusterings.
	Clusters    int   `json:"clusters"`
	Clusterings []int `json:"clusterings"`
	// Digests are those of all clusterings that the release used, which the digest of the
	// corpus does not cover. Statements of earlier versions have none.
	Digests []Clustering `json:"clustering_digests,omitempty"`
	// Expected is Options.Expect; nil if the records were counted.
	Expected *int            `json:"expected"`
	Columns  []ColumnFigures `json:"columns"`
	PerUser  *int            `json:"per_user,omitempty"`
	Cells    int             `json:"cells"` // with Other

	// Counted is what RecordsNoisy, Labels and Other count. Statements of earlier versions
	// lack it.
	Counted      Counted `json:"counted,omitempty"`
	RecordsNoisy int64   `json:"records_noisy"` // sum of the released counts
	// Count is the noisy count of records that determined the number of clusters; nil if Expected is
	// given.
	Count    *Interval      `json:"count"`
	Labels   []LabelFigures `json:"labels"`
	Other    Interval       `json:"other"`
	FarShare Share          `json:"far_share"`
	// FarQuantile is the share of the public texts that are far from their own centre.
	FarQuantile float64 `json:"far_quantile"`
	Confidence  float64 `json:"confidence"` // of each interval, at least

	// Drawn identifies the rows that were written; nil where none were drawn, and in statements of
	// earlier versions.
	Drawn *identity.Drawn `json:"drawn,omitempty"`

	// Null: the number of records is private, and no text is read word by word.
	Documents     *int `json:"documents"`
	Tokens        *int `json:"tokens"`
	UnknownTokens *int `json:"unknown_tokens"`

	NotProtected []string `json:"not_protected"`
	Randomness   string   `json:"randomness"` // "secure", "caller" or "seeded"
	Version      string   `json:"version"`
}

// The distributions of Noise.Histogram.
const (
	laplaceNoise  = "discrete-laplace"
	gaussianNoise = "discrete-gaussian"
)

// The values of Statement.Randomness.
const (
	secure = "secure"
	given  = "caller" // the caller's source, of which nothing is known
	seeded = "seeded"
)

// Noise names the distributions of the noise.
type Noise struct {
	// Histogram is "discrete-laplace" or "discrete-gaussian".
	Histogram string `json:"histogram"`
	// Scale is that of discrete Laplace noise, or sigma of discrete Gaussian noise.
	Scale      float64 `json:"scale"`
	FarScale   float64 `json:"far_scale"`
	CountScale float64 `json:"count_scale,omitempty"`
}

// noise describes the noise.
func (s *scales) noise() Noise {
	n := Noise{Histogram: laplaceNoise, Scale: 1 / s.rate(s.histogram), FarScale: 1 / s.rate(s.far)}
	if s.variance > 0 {
		n.Histogram, n.Scale = gaussianNoise, math.Sqrt(float64(s.variance))
	}
	if s.count > 0 {
		n.CountScale = 1 / s.rate(s.count)
	}
	return n
}

// Corpus describes the corpus.
type Corpus struct {
	Name           string      `json:"name"`
	Texts          int         `json:"texts"`
	SHA256         string      `json:"sha256"`
	DeclaredPublic bool        `json:"declared_public"`
	Encoder        corpus.Kind `json:"encoder"`
	// About is the digest of the words for labels that the corpus is cut along; empty for none.
	About string `json:"about,omitempty"`
}

func corpusFigures(c *corpus.Corpus) Corpus {
	figures := Corpus{Name: c.Name(), Texts: c.Len(), SHA256: c.Digest(), DeclaredPublic: c.Declared(), Encoder: c.Card().Encoder.Kind}
	if card := c.Card().Encoder.About; card != nil {
		figures.About = card.SHA256
	}
	return figures
}

// Clustering identifies a division of the public texts.
type Clustering struct {
	Clusters int    `json:"clusters"`
	SHA256   string `json:"sha256"` // of the centres, and of which text is in which cluster
}

// ColumnFigures names a column and its public values.
type ColumnFigures struct {
	Name   string   `json:"name"`
	Values []string `json:"values"`
}

// combination returns a combination of the columns' values, the last of which change
// fastest.
func combination(columns []ColumnFigures, number int) []string {
	values := make([]string, len(columns))
	for i := len(columns) - 1; i >= 0; i-- {
		values[i] = columns[i].Values[number%len(columns[i].Values)]
		number /= len(columns[i].Values)
	}
	return values
}

// LabelFigures are the noisy count of one combination of labels.
type LabelFigures struct {
	Labels []string `json:"labels"`
	Interval
}

// Statement returns the privacy statement. The caller fills in the version of the program.
func (r *Release) Statement() Statement {
	p := r.plan
	c := p.o.Corpus
	n := &p.noise
	s := Statement{
		Mechanism: Name, Claim: p.Claim(), Standing: privacy.Proved, Epsilons: n.epsilons,
		Noise:    n.noise(),
		Corpus:   corpusFigures(c),
		Probes:   p.o.Probes,
		Written:  p.o.written(),
		Clusters: r.clusters().Len(), Columns: []ColumnFigures{}, Cells: len(r.cells), Counted: n.counted(), RecordsNoisy: r.RecordsNoisy(),
		Labels: []LabelFigures{}, FarShare: n.share(r.near, r.far), FarQuantile: farShare, Confidence: Confidence, Drawn: r.drawn, Randomness: secure,
	}
	if r.records != nil {
		count := n.countInterval(*r.records)
		s.Count = &count
	}
	switch {
	case p.o.InsecureSeed != nil:
		s.Randomness = seeded
	case r.given:
		s.Randomness = given
	}
	for _, k := range p.clusterings[:p.candidates] {
		s.Clusterings = append(s.Clusterings, k.Len())
	}
	for _, k := range p.clusterings { // the reference too
		s.Digests = append(s.Digests, Clustering{k.Len(), k.Digest()})
	}
	if p.o.Expect > 0 {
		s.Expected = &p.o.Expect
	}
	if p.ByUser() {
		s.PerUser = &p.o.PerUser
	}
	for i := range p.o.Columns {
		s.Columns = append(s.Columns, ColumnFigures{p.o.Columns[i].name, p.o.Columns[i].values})
	}
	size := r.clusters().Len()
	for label := range p.labels {
		sum := int64(0)
		for _, count := range r.cells[label*size : (label+1)*size] {
			sum += count
		}
		s.Labels = append(s.Labels, LabelFigures{combination(s.Columns, label), n.interval(sum, size)})
	}
	s.Other = n.interval(r.cells[len(r.cells)-1], 1)
	s.NotProtected = s.open()
	return s
}

// open lists what the claim does not protect. It follows from the other figures.
func (s *Statement) open() []string {
	var not []string
	switch s.Randomness {
	case seeded:
		not = append(not, "anything at all from a reader who knows the seed: this was a test run")
	case given:
		not = append(not, "anything at all from a reader who can predict the source of the noise: the calling program gave it, and nothing here can check that it is secret and secure")
	}
	declared := "whoever built it declared it public"
	if !s.Corpus.DeclaredPublic {
		declared = "nobody declared it public"
	}
	texts := "its texts come out as they are"
	if s.Written != nil {
		texts = "the words of its texts come out"
		not = append(not, "the truth of the texts: a language model wrote them from words of the corpus, and they may be false; the claim takes the model as public and chosen without the records")
	}
	not = append(not,
		fmt.Sprintf("the corpus %q: %s; the claim takes them, their vectors and their clusters as public and chosen without the records, and %s", s.Corpus.Name, texts, declared),
		"the parameters: columns, labels, bins, epsilon, sizes and the expected number of records are in this statement, and the claim takes them as chosen without the records",
		"the schema of the input: its format, its header and the types of its columns",
		"the time the run took, memory, and that the input could be read to its end")
	if s.Claim.Assumes&privacy.PublicEncoder != 0 {
		not = append(not, "the vectors of the records: the claim takes the encoder that made them as public, and as one that looks at one text at a time; nothing here can check that")
	}
	if s.Claim.Assumes&privacy.SecretRun != 0 {
		not = append(not, "anything at all from a reader who knows the name of the run: the noise follows from it; and a release of other records, or with other settings, under the same name: the claim takes the name as secret and as used for one release")
	}
	if s.Probes != "" {
		not = append(not, corpus.EncoderFails)
	}
	if s.PerUser != nil {
		return append(not,
			"one person under several names of users",
			"other releases of the same records, which cost epsilon again")
	}
	return append(not,
		"several records of one person: losses add up over them; a claim for users bounds them",
		"other releases of the same records, which cost epsilon again")
}

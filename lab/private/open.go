// Package private opens mechanisms for experiments through the library's front
// door, with all that is known of their privacy, and rewrites corpora with them.
package private

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/files/atomicfile"
	"github.com/sotto-dp/sotto/lab/dataset"
	"github.com/sotto-dp/sotto/lab/result"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/packing"
	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/privacy"
)

// Setting is one mechanism of an experiment. Name may hold parameters too: "tem published",
// "neighbours k=100", "privemb lipschitz=paper".
type Setting struct {
	Name    string
	Epsilon float64
}

// Spec splits the name: the catalogue's name, then "published" for a paper's
// parameter, or NAME=VALUE for a parameter (k is short for neighbours).
func (s Setting) Spec() (name string, spec mechanism.Spec, err error) {
	parts := strings.Fields(s.Name)
	if len(parts) == 0 {
		return "", spec, errors.New("private: a setting names no mechanism")
	}
	spec = mechanism.Spec{Epsilon: s.Epsilon, Parameters: map[string]string{}}
	for _, part := range parts[1:] {
		switch key, value, given := strings.Cut(part, "="); {
		case part == "published":
			spec.Published = true
		case given && key == "k":
			spec.Parameters["neighbours"] = value
		case given:
			spec.Parameters[key] = value
		default:
			return "", spec, fmt.Errorf("private: %q is neither \"published\" nor NAME=VALUE", part)
		}
	}
	return parts[0], spec, nil
}

// Config returns the configuration of sotto.Open for a mechanism over a table, whatever its
// standing.
func Config(table *embedding.Table, name string, spec mechanism.Spec) sotto.Config {
	return sotto.Config{
		Table: table, Mechanism: name, Epsilon: spec.Epsilon, Parameters: spec.Parameters, Published: spec.Published,
		Accept: privacy.Refuted, Open: spec.Open, Cache: spec.Cache,
	}
}

// Vectors is Config for sotto.OpenEmbedder.
func Vectors(table *embedding.Table, name string, spec mechanism.Spec) sotto.Vectors {
	return sotto.Vectors{
		Table: table, Mechanism: name, Epsilon: spec.Epsilon, Parameters: spec.Parameters, Published: spec.Published,
		Accept: privacy.Refuted, Open: spec.Open, Cache: spec.Cache,
	}
}

// Opened is an opened mechanism with the evidence of its privacy.
type Opened struct {
	Setting   Setting
	Spec      mechanism.Spec // it was opened with
	Entry     mechanism.Entry
	Mechanism mechanism.Mechanism
	Table     *embedding.Table
	Evidence  result.Evidence
}

// Opener opens mechanisms and keeps them, with their certificates, for later
// calls. It is safe for concurrent use.
type Opener struct {
	// Cache keeps calibrations, compiled channels and certificates between runs.
	Cache mechanism.Cache
	// Channels is a folder for the channels of packing that neither ship with the
	// library nor are solved for when it is opened; "" leaves them out.
	Channels string

	mu   sync.Mutex
	open map[string]func() (*Opened, error)
}

// Open opens a mechanism over a table, whatever its standing. Experiments include refuted
// mechanisms, and each row names the standing.
func (o *Opener) Open(table *embedding.Table, s Setting) (*Opened, error) {
	key := fmt.Sprint(table.Digest(), s)
	o.mu.Lock()
	if o.open == nil {
		o.open = map[string]func() (*Opened, error){}
	}
	once, ok := o.open[key]
	if !ok {
		once = sync.OnceValues(func() (*Opened, error) { return o.make(table, s) })
		o.open[key] = once
	}
	o.mu.Unlock()
	return once()
}

func (o *Opener) make(table *embedding.Table, s Setting) (*Opened, error) {
	name, spec, err := s.Spec()
	if err != nil {
		return nil, err
	}
	spec.Cache, spec.Open = o.Cache, sotto.OpenFile
	cfg := Config(table, name, spec)
	r, err := sotto.Open(context.Background(), cfg)
	if _, refused := Refused(err); err != nil && !refused && name == "packing" && o.Channels != "" {
		if spec.Parameters["channel"], err = o.compile(table, s); err != nil {
			return nil, err
		}
		r, err = sotto.Open(context.Background(), cfg)
	}
	if err != nil {
		return nil, err
	}
	m := &Opened{Setting: s, Spec: spec, Entry: r.Entry(), Mechanism: r.Mechanism(), Table: table}
	claim, standing := r.Claim(), r.Entry().Standing
	m.Evidence = result.Evidence{Claim: &claim, Standing: &standing, Published: audit.PublishedClaim(r.Entry(), r.Mechanism())}
	if c, ok := m.Mechanism.(mechanism.Certifier); ok {
		m.Evidence.Certificate, err = o.certify(m, c)
		return m, err
	}
	found, err := audit.Analyse(m.Entry, m.Mechanism, table, table.Dim())
	if err != nil {
		return nil, err
	}
	if found != nil && found.Verdict == audit.Refuted {
		m.Evidence.Refutation = fmt.Sprintf("true delta at least %.4g at every epsilon, claimed %.4g", float64(found.DeltaLow), found.Target().Delta)
	}
	return m, nil
}

// compileTime bounds the search for one channel of packing. A channel found
// early keeps fewer words; its guarantee is the same.
const compileTime = 4 * time.Minute

// compile finds a channel of packing and returns its file.
func (o *Opener) compile(table *embedding.Table, s Setting) (string, error) {
	file := filepath.Join(o.Channels, fmt.Sprintf("packing-%s-%g.channel", table.Digest()[:16], s.Epsilon))
	if _, err := os.Stat(file); err == nil {
		return file, nil
	}
	data, err := packing.Compile(context.Background(), "packing", table, s.Epsilon, packing.Effort{Time: compileTime})
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(o.Channels, 0o755); err != nil {
		return "", err
	}
	return file, atomicfile.WriteFile(file, data)
}

// certify returns the certificate that was found when the channel was made, was kept,
// or is computed now.
func (o *Opener) certify(m *Opened, c mechanism.Certifier) (*audit.Certificate, error) {
	var loss mechanism.Loss
	if k, ok := c.(mechanism.Certified); ok {
		loss = k.Loss()
	}
	if loss.MetricHigh > 0 && loss.PureHigh > 0 {
		return stated(m, c, loss), nil
	}
	type setting struct { // names and values alone: keys stay what they were
		Name  string
		Value any
	}
	var values []setting
	for _, s := range c.Settings() {
		values = append(values, setting{s.Name, s.Value})
	}
	key := fmt.Sprintf("lab-%s-%d-%s", m.Table.Digest(), mechanism.ChannelFormat, result.Address(m.Entry.Name, result.Params{{Name: "settings", Value: fmt.Sprint(values)}}, 0, nil, ""))
	if mechanism.Recall(o.Cache, key, &loss) && loss.MetricHigh > 0 {
		return stated(m, c, loss), nil
	}
	loss, err := c.Certify(context.Background(), nil)
	if err != nil {
		return nil, err
	}
	mechanism.Remember(o.Cache, key, loss) // an infinite loss is computed again
	return stated(m, c, loss), nil
}

func stated(m *Opened, c mechanism.Certifier, loss mechanism.Loss) *audit.Certificate {
	certificate := audit.NewCertificate(m.Entry.Name, c, m.Table, loss)
	certificate.ProgramVersion = sotto.Version
	return certificate
}

// Rewrite replaces every word of a corpus, with reproducible draws from a seed and a
// stream. Each distinct word is prepared once: a mechanism may draw a word that it is
// given more often in another way.
func (m *Opened) Rewrite(c dataset.Corpus, seed, stream uint64) (dataset.Corpus, error) {
	if p, ok := m.Mechanism.(preparer); ok {
		words := slices.Clone(c.Words)
		slices.Sort(words)
		p.Prepare(context.Background(), slices.Compact(words))
	}
	words, err := m.Mechanism.Replace(nil, c.Words, noise.Seeded(seed, stream))
	return c.With(words), err
}

// Refused reports whether a mechanism refused a setting, and its reason. A refusal is a
// finding.
func Refused(err error) (string, bool) {
	var bad *privacy.ParameterError
	if errors.As(err, &bad) {
		return err.Error(), true
	}
	return "", false
}

// preparer is a mechanism that draws faster when it knows which words will come.
type preparer interface {
	Prepare(ctx context.Context, words []embedding.ID)
}

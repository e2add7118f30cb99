package packing

import (
	"bytes"
	"context"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/internal/oracle"
	"github.com/sotto-dp/sotto/noise"
	"pgregory.net/rapid"
)

// twins returns a table of 80 words whose last has the vector of word 3.
func twins(t testing.TB) *embedding.Table {
	rng := rand.New(rand.NewPCG(3, 4))
	s := embedding.Source{Dim: 10}
	for i := range 80 {
		s.Words = append(s.Words, "w"+string(rune('A'+i)))
		for range 10 {
			s.Vectors = append(s.Vectors, float32(rng.NormFloat64()))
		}
	}
	copy(s.Vectors[79*10:], s.Vectors[3*10:4*10])
	return oracle.MustTable(t, s)
}

// partsOf takes a file apart, to be changed and written again.
func partsOf(c *File) (compiledHeader, compiledParts) {
	var p compiledParts
	for y := range c.Words {
		p.base = append(p.base, float32(c.baseOf(y)))
	}
	p.starts = append(p.starts, 0)
	for x := range c.Words {
		for at, to := c.additionsOf(embedding.ID(x)); at < to; at++ {
			y, a := c.addition(at)
			p.outputs, p.amounts = append(p.outputs, uint32(y)), append(p.amounts, a)
		}
		p.starts = append(p.starts, uint32(len(p.outputs)))
	}
	return c.compiledHeader, p
}

// openBytes opens the bytes of a channel file as a user does.
func openBytes(t testing.TB, entry mechanism.Entry, table *embedding.Table, data []byte, epsilon float64) (mechanism.Mechanism, error) {
	path := filepath.Join(t.TempDir(), "channel")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return entry.New(context.Background(), table, mechanism.Spec{Epsilon: epsilon, Parameters: map[string]string{"channel": path}, Open: oracle.OpenFile})
}

// Values that no channel has are refused when the file is read or opened,
// whatever the file claims.
func TestChannelFileThatLiesIsRefused(t *testing.T) {
	table := twins(t)
	floors, data := compiledFor(t, table, 1)
	lifted := func(x embedding.ID) (from, to uint32) { return floors.compiled.additionsOf(x) }
	farthest := func(x embedding.ID) uint32 { // output
		y := embedding.ID(0)
		for z := range embedding.ID(80) {
			if floors.base[z] > 0 && table.Distance(x, z) > table.Distance(x, y) {
				y = z
			}
		}
		return uint32(y)
	}
	if m, err := openBytes(t, packingEntry, table, data, 1); err != nil || m.(mechanism.Certified).Source() != mechanism.Computed {
		t.Fatalf("as compiled it gives %v (%v)", m, err)
	}
	for name, c := range map[string]struct {
		change func(h *compiledHeader, p *compiledParts)
		says   string
	}{
		"an addition that wraps": {func(h *compiledHeader, p *compiledParts) {
			row := floors.Weights(nil, 5)
			y := 0
			for i, w := range row {
				if w > 0 && i != 5 && (row[y] == 0 || w < row[y]) {
					y = i
				}
			}
			_, to := lifted(5)
			p.amounts[to-1] += row[y] - 1
			p.outputs, p.amounts = slices.Insert(p.outputs, int(to), uint32(y)), slices.Insert(p.amounts, int(to), -(row[y]-1))
			for x := 6; x < len(p.starts); x++ {
				p.starts[x]++
			}
		}, "the additions of row 6 exceed the scale"},
		"another row for a word with the vector of another": {func(h *compiledHeader, p *compiledParts) {
			from, _ := lifted(79)
			p.outputs[from] = farthest(79)
		}, "words 4 and 80 of the channel file have the same vector but different rows"},
		"a scale that sums of rows overflow": {func(h *compiledHeader, p *compiledParts) {
			up := 62 - h.ScaleBits
			h.ScaleBits += up
			for i := range p.amounts {
				p.amounts[i] <<= up
			}
		}, "its scale is 2^62, want at most 2^55 for 80 words"},
		"a floor of one bit":                 {func(h *compiledHeader, p *compiledParts) { h.FloorBits = 1 }, "contradict"},
		"a floor finer than its exponential": {func(h *compiledHeader, p *compiledParts) { h.FloorBits = 50 }, "contradict"},
		"no output": {func(h *compiledHeader, p *compiledParts) {
			clear(p.base)
			*p = compiledParts{base: p.base, starts: make([]uint32, 81)}
		}, "no word is ever an output"},
		"figures that are no numbers":          {func(h *compiledHeader, p *compiledParts) { h.Known[1] = math.NaN() }, "contradict"},
		"a witness that is no word":            {func(h *compiledHeader, p *compiledParts) { h.Witness[2] = 80 }, "contradict"},
		"a smaller epsilon than its rows keep": {func(h *compiledHeader, p *compiledParts) { h.Epsilon, h.T = 0.5, 0.5 }, "sums to"},
		"lifts above their caps": {func(h *compiledHeader, p *compiledParts) {
			from, _ := lifted(0)
			p.outputs[from] = farthest(0)
		}, "the channel file states epsilon 1, but its rows lose up to"},
		"a row that sums to more": {func(h *compiledHeader, p *compiledParts) { p.amounts[0]++ }, "a row of weights sums to"},
	} {
		h, p := partsOf(floors.compiled)
		c.change(&h, &p)
		if _, err := openBytes(t, packingEntry, table, encodeCompiled(h, p), 1); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: got %v, want an error that says %q", name, err, c.says)
		}
	}
	h, p := partsOf(floors.compiled)
	h.Mechanism = mechanismName("balanced")
	if _, err := openBytes(t, balancedEntry, table, encodeCompiled(h, p), 1); err == nil || !strings.Contains(err.Error(), "additions to its rows") {
		t.Errorf("balanced with additions gives %v", err)
	}
	h.T = h.Epsilon // more than balanced can certify for this base measure
	if _, err := openBytes(t, balancedEntry, table, encodeCompiled(h, compiledParts{base: p.base, starts: make([]uint32, 81)}), 1); err == nil || !strings.Contains(err.Error(), "its rows lose up to") {
		t.Errorf("balanced that loses more than it claims gives %v", err)
	}
}

// Two files for one table and epsilon are two channels: their digests are among
// the settings, which reports and certificates compare.
func TestChannelFilesDigestIsAmongItsSettings(t *testing.T) {
	table := twins(t)
	c, data := compiledFor(t, table, 1)
	h, p := partsOf(c.compiled)
	h.Bound = math.Nextafter(h.Bound, 0)
	seen := map[any]bool{}
	for _, data := range [][]byte{data, encodeCompiled(h, p)} {
		m, err := openBytes(t, packingEntry, table, data, 1)
		if err != nil {
			t.Fatal(err)
		}
		at := slices.IndexFunc(m.Settings(), func(s mechanism.Setting) bool { return s.Name == "channel-sha256" })
		if at < 0 {
			t.Fatalf("the settings are %v", m.Settings())
		}
		seen[m.Settings()[at].Value] = true
	}
	if len(seen) != 2 {
		t.Errorf("two files have the digests %v", seen)
	}
}

// If a row is wrong after it was certified, nothing is drawn from it and nothing
// of it is cached.
func TestRowWithAnotherTotalIsNotDrawnFrom(t *testing.T) {
	table := twins(t)
	m, _ := compiledFor(t, table, 1)
	h, p := partsOf(m.compiled)
	p.amounts[p.starts[5]]++
	c, err := Read(encodeCompiled(h, p))
	if err != nil {
		t.Fatal(err)
	}
	wrong := newPacked(table, c, nil)
	words := slices.Repeat([]embedding.ID{4, 5, 6}, 100)
	for range 2 {
		wrong.Prepare(t.Context(), words)
		out, err := wrong.Replace(nil, words, noise.Seeded(1, 1))
		if err == nil || !strings.Contains(err.Error(), "nothing is drawn from it") || len(out) != 1 {
			t.Fatalf("a wrong row gives %d words and %v", len(out), err)
		}
	}
	if out, err := wrong.Replace(nil, []embedding.ID{4, 6}, noise.Seeded(1, 1)); err != nil || len(out) != 2 {
		t.Errorf("the other rows give %v (%v)", out, err)
	}
	if wrong.Keeps(5) {
		t.Error("the wrong row is kept")
	}
}

// Unseeded draws refuse a row as seeded ones do, however they are made: from proposals made
// on the way or in advance, and from levels, whose row is computed again.
func TestUnseededDrawsRefuseARowWithAnotherTotal(t *testing.T) {
	table := twins(t)
	m, _ := compiledFor(t, table, 1)
	damaged := func() *packedChannel {
		h, p := partsOf(m.compiled)
		p.amounts[p.starts[5]]++
		c, err := Read(encodeCompiled(h, p))
		if err != nil {
			t.Fatal(err)
		}
		return newPacked(table, c, nil)
	}
	words := slices.Repeat([]embedding.ID{4, 5, 6}, 100)
	for name, open := range map[string]func() *packedChannel{
		"proposals on the way": damaged,
		"proposals in advance": func() *packedChannel {
			c := damaged()
			c.PrepareUnseeded(t.Context(), []embedding.ID{4, 5, 6})
			return c
		},
		"levels": func() *packedChannel {
			c := damaged()
			c.PrepareUnseeded(t.Context(), words)
			return c
		},
		"levels after sound proposals": func() *packedChannel {
			h, p := partsOf(m.compiled)
			sound, err := Read(encodeCompiled(h, p))
			if err != nil {
				t.Fatal(err)
			}
			c := newPacked(table, sound, nil)
			c.Prepare(t.Context(), words)
			c.PrepareUnseeded(t.Context(), []embedding.ID{4, 5, 6})
			sound.amounts = slices.Clone(sound.amounts)
			sound.amounts[8*p.starts[5]] ^= 1
			c.PrepareUnseeded(t.Context(), words)
			return c
		},
	} {
		wrong := open()
		for range 2 {
			out, err := wrong.ReplaceUnseeded(nil, words, nil)
			if err == nil || !strings.Contains(err.Error(), "nothing is drawn from it") || len(out) != 0 {
				t.Errorf("%s: a wrong row gives %d words and %v", name, len(out), err)
			}
		}
		if out, err := wrong.ReplaceUnseeded(nil, []embedding.ID{4, 6}, nil); err != nil || len(out) != 2 {
			t.Errorf("%s: the other rows give %v (%v)", name, out, err)
		}
	}
}

// Any bytes are refused, or make a channel whose losses over all triples are
// within its certificate. Half of the inputs are edits of a good file with a
// new checksum.
func FuzzReadCompiled(f *testing.F) {
	table := oracle.RandomTable(f, 14, 10)
	floors, data := compiledFor(f, table, 1)
	f.Add(data)
	balanced, err := compileBalanced(context.Background(), table, 1, Effort{})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(balanced)
	h, p := partsOf(floors.compiled)
	h.Epsilon, h.T = 3, 3
	f.Add(encodeCompiled(h, p))
	p.amounts[0] = 1 << 63
	f.Add(encodeCompiled(h, p))
	f.Fuzz(func(t *testing.T, data []byte) {
		tryChannel(t, table, data)
		if len(data) > compiledHeaderSize+32 {
			tryChannel(t, table, remade(data, func(body []byte) {
				copy(body, compiledMagic[:])
				digest := tableDigest(table)
				copy(body[32:], digest[:])
			}))
		}
	})
}

func tryChannel(t *testing.T, table *embedding.Table, data []byte) {
	c, err := Read(data)
	if err != nil || c.fits(c.Name(), table) != nil {
		return
	}
	var m mechanism.Certifier
	switch c.Name() {
	case "packing":
		m = newPacked(table, c, nil)
	case "balanced":
		m = openBalanced(table, c, nil)
	default:
		return
	}
	loss, err := m.Certify(context.Background(), nil)
	if err != nil {
		return
	}
	metric, pure := oracle.AllTriples(m, table)
	const rounding = 1e-9
	if !(metric <= loss.MetricHigh*(1+rounding)+rounding) || !(pure <= loss.PureHigh*(1+rounding)+rounding) {
		t.Fatalf("all triples give (%g, %g), above the certificate %+v", metric, pure, loss)
	}
	out, err := m.Replace(nil, []embedding.ID{0, 13}, noise.Seeded(1, 1))
	if err != nil || len(out) != 2 {
		t.Fatalf("a certified channel draws %v (%v)", out, err)
	}
	_ = c.certify(context.Background(), table, nil) // as it is opened: refused or not, never a panic
}

// The same for edits that keep every row's total: lifts that go to other outputs,
// move between lifts of a row, or are claimed for another epsilon.
func TestNoEditOfAChannelFileLosesMoreThanItsCertificate(t *testing.T) {
	table := oracle.RandomTable(t, 14, 10)
	floors, _ := compiledFor(t, table, 0.5)
	above := 0
	edited := func(t *rapid.T) {
		h, p := partsOf(floors.compiled)
		for range rapid.IntRange(0, 6).Draw(t, "edits") {
			i := rapid.IntRange(0, len(p.outputs)-1).Draw(t, "lift")
			switch rapid.IntRange(0, 2).Draw(t, "kind") {
			case 0:
				if y := uint32(rapid.IntRange(0, 13).Draw(t, "output")); p.base[y] > 0 {
					p.outputs[i] = y
				}
			case 1:
				if i > 0 && !slices.Contains(p.starts, uint32(i)) {
					part := p.amounts[i] >> rapid.IntRange(0, 8).Draw(t, "part")
					p.amounts[i], p.amounts[i-1] = p.amounts[i]-part, p.amounts[i-1]+part
				}
			default:
				h.Epsilon = max(h.T, h.Epsilon*rapid.Float64Range(0.5, 2).Draw(t, "factor"))
			}
		}
		c, err := Read(encodeCompiled(h, p))
		if err != nil {
			t.Fatal(err)
		}
		m := newPacked(table, c, nil)
		loss, err := m.Certify(context.Background(), nil)
		if err != nil {
			return
		}
		metric, pure := oracle.AllTriples(m, table)
		const rounding = 1e-9
		if !(metric <= loss.MetricHigh*(1+rounding)) || !(math.Abs(pure-loss.PureHigh) <= rounding) {
			t.Fatalf("all triples give (%g, %g), the certificate %+v", metric, pure, loss)
		}
		if metric > 0.5*(1+rounding) {
			above++
			if c.certify(context.Background(), table, nil) == nil && metric > h.Epsilon*(1+rounding) {
				t.Fatalf("a file that claims %g and loses %g opens", h.Epsilon, metric)
			}
		}
	}
	// Of 20 cases, those of -short, none loses more with a chance of 0.4: in all 20
	// rounds with one of 1e-8.
	for range 20 {
		if rapid.Check(t, edited); above > 0 {
			break
		}
	}
	if above == 0 {
		t.Error("no edit made a channel lose more: the test shows nothing")
	}
}

// A channel comes from any reader.
func TestChannelIsReadFromAnyReader(t *testing.T) {
	table := oracle.RandomTable(t, 30, 6)
	_, data := compiledFor(t, table, 1)
	path := filepath.Join(t.TempDir(), "channel")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	rows := map[string][]uint64{}
	for name, open := range map[string]func(string) (io.ReadCloser, error){
		"a file":   oracle.OpenFile,
		"a reader": func(string) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil },
	} {
		m, err := packingEntry.New(t.Context(), table, mechanism.Spec{Epsilon: 1, Parameters: map[string]string{"channel": path}, Open: open})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		rows[name] = m.(mechanism.Channel).Weights(nil, 3)
	}
	if !slices.Equal(rows["a file"], rows["a reader"]) {
		t.Error("the channel of a file is not that of a reader")
	}
	if _, err := readBounded(bytes.NewReader(data), int64(len(data))-1); err == nil {
		t.Error("a file beyond the bound is read")
	}
	if got, err := readBounded(bytes.NewReader(data), int64(len(data))); err != nil || len(got) != len(data) {
		t.Errorf("a file at the bound: %d bytes, %v", len(got), err)
	}
}

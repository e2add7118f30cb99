package sotto_test

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/mechanism/mechanismtest"
	"github.com/sotto-dp/sotto/privacy"
)

// neverOf returns the first words of the embedded table, and the table without every
// third of them from the tenth on.
func neverOf(t *testing.T, words int) (whole, cut *embedding.Table, listed []string) {
	t.Helper()
	english, err := builtin.English()
	if err == nil {
		whole, err = english.First(words)
	}
	if err != nil {
		t.Fatal(err)
	}
	for id := 10; id < words; id += 3 {
		listed = append(listed, whole.Word(embedding.ID(id)))
	}
	list, err := embedding.ReadWordList(strings.NewReader(strings.Join(listed, "\n")))
	if err == nil {
		cut, err = whole.Without(list)
	}
	if err != nil {
		t.Fatal(err)
	}
	return whole, cut, listed
}

// No member puts out a listed word, whatever it reads, and every member keeps its contract
// over the table that is left: rows, draws, claims and certificates are of that table.
func TestListedWordsNeverComeOut(t *testing.T) {
	stage.Unraced(t)
	whole, cut, listed := neverOf(t, 90)
	text := []byte(strings.Repeat(strings.Join(listed, " ")+" the of and ", 8))
	for _, entry := range catalog.All() {
		if entry.New == nil {
			continue
		}
		t.Run(entry.Name, func(t *testing.T) {
			spec := mechanism.Spec{Epsilon: 0.9}
			if entry.Cost == mechanism.Pairs { // per bit of a code, of which there are many
				spec.Epsilon = 0.02
			}
			if entry.Above != nil {
				least, err := entry.Above(t.Context(), cut)
				if err != nil {
					t.Fatal(err)
				}
				spec.Epsilon = math.Max(spec.Epsilon, least*1.1)
			}
			if entry.Standing != privacy.Refuted {
				if err := mechanismtest.Check(t.Context(), entry, cut, spec); err != nil {
					t.Error(err)
				}
			}
			r, err := sotto.Open(t.Context(), sotto.Config{Mechanism: entry.Name, Epsilon: spec.Epsilon, Table: cut, Accept: privacy.Refuted})
			if err != nil {
				t.Fatal(err)
			}
			out, err := r.Rewrite(t.Context(), string(text))
			if err != nil {
				t.Fatal(err)
			}
			words := strings.Fields(strings.ToLower(out.Text))
			if len(words) < 100 {
				t.Fatalf("%d words came out", len(words))
			}
			drawn := map[string]bool{}
			for _, w := range words {
				drawn[strings.Trim(w, `.,"'-():$;`)] = true
			}
			for _, w := range listed {
				if len(w) > 1 && drawn[w] {
					t.Errorf("%s came out", w)
				}
			}
			s := out.Statement
			if s.Embeddings.SHA256 != cut.Digest() || s.Embeddings.SHA256 == whole.Digest() || s.Embeddings.Never == nil || s.Embeddings.Never.LeftOut != len(listed) || s.Embeddings.Never.Of != 90 {
				t.Errorf("%+v", s.Embeddings)
			}
			if c := s.Certificate; c != nil && (c.Table != cut.Digest() || c.Words != cut.Len()) {
				t.Errorf("the certificate is for %d words of table %s", c.Words, c.Table)
			}
			channel, ok := r.Mechanism().(mechanism.Channel)
			if !ok {
				return
			}
			if n := len(channel.Weights(nil, 0)); n != cut.Len() {
				t.Errorf("a row has %d outputs of %d", n, cut.Len())
			}
			if entry.Standing == privacy.Proved {
				certified(t, entry, channel, cut)
			}
		})
	}
}

// certified audits a channel over a table: the claim holds, and the certificate is for no
// other table.
func certified(t *testing.T, entry mechanism.Entry, channel mechanism.Channel, table *embedding.Table) {
	t.Helper()
	loss, claim := enumerated(channel, table), channel.Claim()
	got := loss.pure
	if claim.Notion == privacy.Metric {
		got = loss.metric
	}
	if got > claim.Epsilon*(1+1e-9) {
		t.Errorf("the loss over the table is %g, the claim %g", got, claim.Epsilon)
	}
	whole, _, _ := neverOf(t, 90)
	cert := audit.KnownCertificate(entry.Name, channel, table)
	if cert == nil {
		return
	}
	if err := cert.Fits(entry.Name, channel, whole); err == nil {
		t.Error("the certificate fits the table with the listed words")
	}
	if err := cert.Fits(entry.Name, channel, table); err != nil {
		t.Error(err)
	}
}

type losses struct{ pure, metric float64 }

// enumerated computes the losses of a channel from its rows.
func enumerated(channel mechanism.Channel, table *embedding.Table) (l losses) {
	n := table.Len()
	rows := make([][]float64, n)
	for x := range rows {
		sum := 0.0
		for _, w := range channel.Weights(nil, embedding.ID(x)) {
			rows[x] = append(rows[x], float64(w))
			sum += float64(w)
		}
		for y := range rows[x] {
			rows[x][y] /= sum
		}
	}
	for x := range rows {
		for z := range rows {
			d := table.Distance(embedding.ID(x), embedding.ID(z))
			for y := range rows {
				if rows[z][y] == 0 {
					continue
				}
				if loss := math.Log(rows[x][y] / rows[z][y]); x != z {
					l.pure = math.Max(l.pure, loss)
					if d > 0 {
						l.metric = math.Max(l.metric, loss/d)
					}
				}
			}
		}
	}
	return l
}

// A listed word is drawn for as the word nearest to it, by the same row.
func TestListedWordsAreReadAsTheirNearestWord(t *testing.T) {
	whole, cut, listed := neverOf(t, 300)
	r, err := sotto.Open(t.Context(), sotto.Config{Epsilon: 6, Table: cut})
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, w := range listed {
		x, _ := whole.Lookup(w)
		best, as := math.Inf(1), ""
		for id := range cut.Len() {
			y, _ := whole.Lookup(cut.Word(embedding.ID(id)))
			if q := whole.SquaredDistance(x, y); q < best {
				best, as = q, cut.Word(embedding.ID(id))
			}
		}
		id, _ := cut.Lookup(w)
		if cut.Word(id) != as {
			t.Errorf("%s is read as %s, nearest is %s", w, cut.Word(id), as)
		}
		if len(w) < 3 {
			continue
		}
		e, err := r.Explain(w, 0)
		if err != nil || len(e) != 1 || e[0].Word != as {
			continue // several tokens
		}
		checked++
		for _, o := range e[0].Outputs {
			if o.Word == w {
				t.Errorf("%s can become itself", w)
			}
		}
	}
	if checked < 50 {
		t.Errorf("%d words were checked", checked)
	}
}

// Channels that ship, and compiled ones, are for the table with all words.
func TestShippedChannelsAreForTheWholeTable(t *testing.T) {
	english, err := builtin.English()
	if err != nil {
		t.Fatal(err)
	}
	list, err := builtin.Never()
	if err != nil {
		t.Fatal(err)
	}
	first, err := english.First(2000)
	if err != nil {
		t.Fatal(err)
	}
	cut, err := english.Without(list)
	if err != nil {
		t.Fatal(err)
	}
	if cut.Never().LeftOut < 15 || cut.Never().LeftOut != english.Len()-cut.Len() {
		t.Errorf("the shipped list: %+v", cut.Never())
	}
	if _, err := sotto.Open(t.Context(), sotto.Config{Mechanism: "packing", Epsilon: 2, Table: cut}); err == nil {
		t.Error("a channel was found for the table without the listed words")
	}
	short, err := embedding.ReadWordList(bytes.NewReader([]byte("doctor")))
	if err != nil {
		t.Fatal(err)
	}
	fewer, err := first.Without(short)
	if err != nil {
		t.Fatal(err)
	}
	if fewer.Digest() == first.Digest() {
		t.Error("one digest for both tables")
	}
}

package synthesis

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/text"
	"pgregory.net/rapid"
)

// hostile are values that a record may hold where a text, a label or a user is expected.
var hostile = [][]byte{
	nil, {}, []byte(" "), []byte("\xff\xfe"), []byte("\x00"), []byte("sport"), []byte("SPORT"), []byte("other"), []byte("football match"), []byte("qqqq zzzz"),
	[]byte(strings.Repeat("football ", 1000)), bytes.Repeat([]byte("x"), MaxText+1), []byte("1e400"), []byte("NaN"), []byte("-0"), []byte("3"), []byte("2.5"),
	[]byte("足球比赛"), []byte("\u202e\u0000\ufeff"), []byte(`{"text":"x"}`), []byte("a\tb\nc,\"d"),
}

func anyRecord(t *rapid.T) Record {
	value := rapid.SampledFrom(hostile)
	r := Record{Text: value.Draw(t, "text"), User: value.Draw(t, "user"), Labels: [][]byte{value.Draw(t, "label"), value.Draw(t, "stars")}}
	if rapid.IntRange(0, 9).Draw(t, "few labels") == 0 {
		r.Labels = r.Labels[:1]
	}
	if rapid.Bool().Draw(t, "ordinary") {
		r.Text, r.Labels = []byte(sentence(rapid.IntRange(0, 3).Draw(t, "topic"), rapid.IntRange(0, 40).Draw(t, "number"))), [][]byte{[]byte("sport"), []byte("3")}
	}
	return r
}

// recordsOfOneUser are the same ones each time.
func recordsOfOneUser(n int) []Record {
	records := make([]Record, n)
	for i := range records {
		records[i] = rapid.Custom(anyRecord).Example(i)
		records[i].User = hostile[5]
	}
	return records
}

func binsOf(t testing.TB, name, ranges string) Column {
	t.Helper()
	c, err := Bins(name, ranges)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// distance is how far two exact counts are: in the sum of the three queries' changes,
// and by the largest change of a cell.
type distance struct{ histogram, largest, far, count int64 }

func abs(x int64) int64 { return max(x, -x) }

func between(a, b *Counts) (worst distance) {
	for k := range a.cells {
		sum := int64(0)
		for i, n := range a.cells[k] {
			d := abs(n - b.cells[k][i])
			sum, worst.largest = sum+d, max(worst.largest, d)
		}
		worst.histogram = max(worst.histogram, sum)
	}
	worst.far, worst.count = abs(a.near-b.near)+abs(a.far-b.far), abs(a.records-b.records)
	return worst
}

// Adding a record, whatever it holds, anywhere among the others, changes one cell of
// every clustering by 1, the count by 1, and one of the far share's counts by 1 at most.
// The proof of the claim rests on this and on the noise.
func TestRecordChangesOneCell(t *testing.T) {
	p := planOf(t, Options{Epsilon: 1, Columns: []Column{labels(t, "label", "sport", "money"), binsOf(t, "stars", "1..5")}})
	rapid.Check(t, func(t *rapid.T) {
		records := rapid.SliceOfN(rapid.Custom(anyRecord), 0, 12).Draw(t, "records")
		at := rapid.IntRange(0, len(records)).Draw(t, "at")
		with := append(append(append([]Record(nil), records[:at]...), rapid.Custom(anyRecord).Draw(t, "added")), records[at:]...)
		a, b := p.NewCounts(), p.NewCounts()
		a.Add(p.Vote(records))
		b.Add(p.Vote(with))
		if d := between(a, b); d.histogram != 1 || d.count != 1 || d.far > 1 {
			t.Fatalf("one record changes %+v", d)
		}
		if a.records != int64(len(records)) {
			t.Fatalf("%d of %d records vote", a.records, len(records))
		}
	})
}

// Removing all records of a user changes each query by PerUser at most; with Gaussian
// noise, no cell by more than 1. The users are those of hostile: nil, empty and "other"
// are one.
func TestUserChangesAsManyVotesAsAreAllowed(t *testing.T) {
	for _, delta := range []float64{0, 1e-5} {
		p := planOf(t, Options{Epsilon: 2, Delta: delta, PerUser: 12, Columns: []Column{labels(t, "label", "sport", "money"), binsOf(t, "stars", "1..5")}})
		if (p.noise.variance > 0) != (delta > 0) {
			t.Fatalf("delta %g gives a variance of %d", delta, p.noise.variance)
		}
		reached := int64(0)
		leave := func(t rapid.TB, records []Record, user []byte) {
			var without []Record
			for _, r := range records {
				if hashed(r.User) != hashed(user) {
					without = append(without, r)
				}
			}
			a, b := p.NewCounts(), p.NewCounts()
			a.Add(p.Vote(records))
			b.Add(p.Vote(without))
			d := between(a, b)
			if d.histogram > 12 || d.far > 12 || d.count > 12 || delta > 0 && d.largest > 1 {
				t.Fatalf("a user changes %+v", d)
			}
			reached = max(reached, d.count)
		}
		rapid.Check(t, func(t *rapid.T) {
			records := rapid.SliceOfN(rapid.Custom(anyRecord), rapid.SampledFrom([]int{0, 40}).Draw(t, "least"), 60).Draw(t, "records")
			user := rapid.SampledFrom(append([][]byte{hostile[5], hostile[5], hostile[5]}, hostile...)).Draw(t, "leaves")
			for i := range records {
				if rapid.IntRange(0, 3).Draw(t, "one user") > 0 {
					records[i].User = hostile[5]
				}
			}
			leave(t, records, user)
		})
		leave(t, recordsOfOneUser(60), hostile[5]) // whatever was drawn
		if reached != 12 {
			t.Errorf("no user had as many as 12 votes: %d", reached)
		}
	}
}

// A user of many records and cells votes once for each cell too: as many cells hold one
// vote as the records name, and no cell holds two.
func TestUserOfManyRecordsVotesOnceForACell(t *testing.T) {
	stage.Unraced(t)
	const records = 3000
	p := planOf(t, Options{Epsilon: 1, Delta: 1e-6, PerUser: records, Columns: []Column{binsOf(t, "number", "1..40")}})
	c := p.NewCounts()
	named := make([]map[int]bool, len(c.cells))
	for k := range named {
		named[k] = map[int]bool{}
	}
	for i := range records {
		v := p.Vote([]Record{{Text: []byte(sentence(i%4, i%75)), Labels: [][]byte{fmt.Append(nil, 1+i%40)}, User: []byte("ann")}})
		c.Add(v)
		for k := range named {
			named[k][int(v.rows[0].label)*p.clusterings[k].Len()+int(v.clusters[k])] = true
		}
	}
	all := 0
	for k, cells := range c.cells {
		all += len(named[k])
		for cell, n := range cells {
			want := int64(0)
			if named[k][cell] {
				want = 1
			}
			if n != want {
				t.Fatalf("clustering %d: %d votes in a cell, want %d", k, n, want)
			}
		}
	}
	if all < 4*fewCells || c.records != records {
		t.Fatalf("%d cells of %d records show nothing", all, c.records)
	}
}

// Which records of a user count depends on that user's records alone: those of others
// around them change nothing.
func TestUsersVotesAreChosenByTheirOrder(t *testing.T) {
	p := planOf(t, Options{Epsilon: 2, PerUser: 2})
	own := []Record{{Text: []byte(sentence(0, 1)), User: []byte("ann")}, {Text: []byte(sentence(1, 1)), User: []byte("ann")}, {Text: []byte(sentence(2, 1)), User: []byte("ann")}}
	alone, among, others := p.NewCounts(), p.NewCounts(), p.NewCounts()
	alone.Add(p.Vote(own))
	for i, r := range own {
		between := []Record{{Text: []byte(sentence(3, i)), User: fmt.Append(nil, i)}}
		among.Add(p.Vote(between))
		others.Add(p.Vote(between))
		among.Add(p.Vote([]Record{r}))
	}
	for k := range alone.cells {
		for i, n := range alone.cells[k] {
			if among.cells[k][i]-others.cells[k][i] != n {
				t.Fatalf("other votes of a user count among others' records")
			}
		}
	}
	if alone.records != 2 {
		t.Errorf("%d votes count", alone.records)
	}
}

// A whole file of hostile records, in every format, is read to its end without an error,
// and each record votes.
func TestHostileFilesAreCounted(t *testing.T) {
	p := planOf(t, Options{Epsilon: 1, Columns: []Column{labels(t, "label", "sport", "money")}})
	for _, c := range []struct {
		format  *text.Format
		in      string
		records int64
		other   int64
	}{
		{text.TSV, "text\tlabel\nfootball\tsport\nfootball\tnone\nfootball\n\tsport\n\xff\tsport\na\tb\tc\n" + strings.Repeat("x", MaxText+1) + "\tsport\n", 7, 6},
		{text.CSV, "text,label\n\"football\",sport\n\"foot\"ball,sport\nfoot\"ball match,sport\n\"football,sport\nfootball,sport\n", 4, 3},
		{text.JSONL, `{"text":"football","label":"sport"}` + "\n{\n" + `{"text":"football","label":["sport"]}` + "\n" + `{"text":7,"label":"sport"}` + "\n[]\nnull\n" + strings.Repeat("[", 20000) + "\n", 7, 5},
	} {
		rows, err := c.format.Rows(strings.NewReader(c.in), []string{"text", "label"})
		if err != nil {
			t.Fatal(err)
		}
		counts := p.NewCounts()
		if err := p.Read(t.Context(), counts, Input{Rows: rows}); err != nil {
			t.Fatalf("%s: %v", c.format, err)
		}
		for k, cells := range counts.cells {
			if got := cells[len(cells)-1]; counts.records != c.records || got != c.other {
				t.Errorf("%s, clustering %d: %d records, %d of them other, want %d and %d", c.format, k, counts.records, got, c.records, c.other)
			}
		}
	}
}

// fewVectors are brought vectors, of fewer records than there are.
type fewVectors [][]float64

func (v fewVectors) Shape() (rows, cols int) { return len(v), 2 }

func (v fewVectors) Row(row []float64, i int) error {
	copy(row, v[i])
	return nil
}

// Brought vectors belong to records by number. A record without one, or with one that is
// no direction, is of the cell Other: that vectors and records are as many must not show.
func TestBroughtVectorsAreTotal(t *testing.T) {
	b, err := corpus.NewBuilder(corpus.Options{Name: "brought", Dimensions: 2, Vectors: func(v []float64, i int) error {
		copy(v, [][]float64{{1, 0}, {0, 1}}[i%2])
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 200 {
		if err := b.Add(fmt.Append(nil, "text ", i, " of ", i*i)); err != nil {
			t.Fatal(err)
		}
	}
	c, err := b.Build(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	p := planOf(t, Options{Corpus: c, Epsilon: 1, Brought: true, Expect: 100})
	for _, vectors := range []Vectors{fewVectors{{1, 0}, {0, 0}, {math.NaN(), 1}, {0, 1}}, fewVectors{}, nil} {
		rows, err := text.Lines.Rows(strings.NewReader("a\nb\nc\nd\ne\n"), []string{""})
		if err != nil {
			t.Fatal(err)
		}
		counts := p.NewCounts()
		if err := p.Read(t.Context(), counts, Input{Rows: rows, Vectors: vectors}); err != nil {
			t.Fatal(err)
		}
		want := int64(5)
		if v, ok := vectors.(fewVectors); ok && len(v) > 0 {
			want = 3
		}
		if got := counts.cells[0][len(counts.cells[0])-1]; got != want || counts.records != 5 {
			t.Errorf("%d of %d records have no vector, want %d", got, counts.records, want)
		}
	}
	if p.Claim().Assumes&privacy.PublicEncoder == 0 {
		t.Error("the claim does not name the encoder of the vectors")
	}
}

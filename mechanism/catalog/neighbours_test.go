package catalog

import (
	"cmp"
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/internal/oracle"
	"github.com/sotto-dp/sotto/mechanism/internal/sets"
	"github.com/sotto-dp/sotto/noise"
	"pgregory.net/rapid"
)

// drawSimilar writes a random file of similar words, some of which the table lacks.
func drawSimilar(t *rapid.T, folder string, table *embedding.Table) string {
	text := "w0 w0 nowhere " + table.Word(embedding.ID(table.Len()-1)) + "\nnobody w0\n\n"
	for x := 1; x < table.Len(); x++ {
		text += "w" + strconv.Itoa(x)
		for range rapid.IntRange(0, 5).Draw(t, "similar words") {
			text += " w" + strconv.Itoa(rapid.IntRange(0, table.Len()).Draw(t, "similar"))
		}
		text += "\n"
	}
	path := filepath.Join(folder, "similar.txt")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestEveryChoiceKeepsThePromiseOnAllTriples(t *testing.T) {
	folder := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		table := oracle.DrawTable(t)
		n := table.Len()
		spec := mechanism.Spec{Epsilon: rapid.Float64Range(0.05, 8).Draw(t, "epsilon"), Parameters: map[string]string{}, Open: oracle.OpenFile}
		give := func(name, value string) { spec.Parameters[name] = value }
		if rapid.Bool().Draw(t, "limit outputs") {
			give("outputs", strconv.Itoa(rapid.IntRange(1, n).Draw(t, "outputs")))
		}
		if o := rapid.SampledFrom([]string{"", "signal", "readable", "distance"}).Draw(t, "objective"); o != "" {
			give("objective", o)
		}
		attack := 1.0
		if rapid.Bool().Draw(t, "cap") {
			attack = rapid.Float64Range(1/float64(n), 1).Draw(t, "attack")
			give("attack", strconv.FormatFloat(attack, 'g', -1, 64))
		}
		if n > 1 && rapid.Bool().Draw(t, "similar words are given") {
			give("similar", drawSimilar(t, folder, table))
		}
		m, err := newNeighbours(t.Context(), table, spec)
		if err != nil {
			t.Fatal(err)
		}
		c := m.(*sets.Words)
		_, pure := tripleLosses(c, table)
		if pure > spec.Epsilon*(1+1e-12) {
			t.Fatalf("all triples give %g, above epsilon %g", pure, spec.Epsilon)
		}
		known := c.Loss()
		if pure > known.PureHigh*(1+1e-12) || known.PureLow > pure*(1+1e-9)+1e-12 {
			t.Fatalf("all triples give %g, said to be known: %+v", pure, known)
		}
		loss, err := c.Certify(context.Background(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(loss.PureHigh-pure) > 1e-9 {
			t.Fatalf("all triples give %g, the certificate %+v", pure, loss)
		}
		// The best guess, from the rows: the largest chance of each output.
		guess := 0.0
		for y := range n {
			best := 0.0
			for x := range n {
				row := c.Weights(nil, embedding.ID(x))
				if sum := sumOf(row); sum != c.Total() {
					t.Fatalf("the row of %d sums to %d, not %d", x, sum, c.Total())
				}
				best = max(best, float64(row[y])/float64(c.Total()))
			}
			guess += best / float64(n)
		}
		if math.Abs(guess-c.BestGuess()) > 1e-9 || guess > attack*(1+1e-9) {
			t.Fatalf("the best guess succeeds with %g, said to be %g, cap %g", guess, c.BestGuess(), attack)
		}
	})
}

func sumOf(row []uint64) (sum uint64) {
	for _, w := range row {
		sum += w
	}
	return sum
}

// tripleLosses computes the losses over all triples. Outputs that are
// impossible for every input are skipped; any other zero is an infinite loss.
func tripleLosses(c mechanism.Channel, table *embedding.Table) (metric, pure float64) {
	n := table.Len()
	var rows [][]uint64
	for x := range n {
		rows = append(rows, c.Weights(nil, embedding.ID(x)))
	}
	for x := range n {
		for z := range n {
			worst := 0.0
			for y := range n {
				if a, b := rows[x][y], rows[z][y]; a > 0 {
					worst = max(worst, math.Log(float64(a)/float64(sumOf(rows[x])))-math.Log(float64(b)/float64(sumOf(rows[z]))))
				}
			}
			pure = max(pure, worst)
			if d := table.Distance(embedding.ID(x), embedding.ID(z)); worst > 0 {
				metric = max(metric, worst/d)
			}
		}
	}
	return metric, pure
}

// setsAre lists, for each word, the outputs that its set must have.
func setsAre(t interface{ Fatalf(string, ...any) }, c *sets.Words, want func(x embedding.ID) []embedding.ID) {
	for x := range c.Outputs.Table.Len() {
		got := c.Members(embedding.ID(x))
		w := want(embedding.ID(x))
		slices.Sort(w)
		if !slices.Equal(got, w) {
			t.Fatalf("the set of %d is %v, want %v", x, got, w)
		}
	}
}

// The rule in plain words: the word, its similar words in order, the nearest.
func TestSetsFollowTheRule(t *testing.T) {
	folder := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		table := oracle.DrawTable(t)
		if table.Len() < 2 {
			t.Skip("one word has no similar one")
		}
		m := rapid.IntRange(1, table.Len()).Draw(t, "outputs")
		k := rapid.IntRange(1, m).Draw(t, "neighbours")
		path := drawSimilar(t, folder, table)
		made, err := newNeighbours(t.Context(), table, mechanism.Spec{Epsilon: 1, Open: oracle.OpenFile, Parameters: map[string]string{
			"outputs": strconv.Itoa(m), "neighbours": strconv.Itoa(k), "similar": path}})
		if err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		setsAre(t, made.(*sets.Words), func(x embedding.ID) (set []embedding.ID) {
			add := func(y embedding.ID) {
				if int(y) < m && len(set) < k && !slices.Contains(set, y) {
					set = append(set, y)
				}
			}
			add(x)
			for line := range strings.Lines(string(data)) {
				if f := strings.Fields(line); len(f) > 0 && f[0] == table.Word(x) {
					for _, w := range f[1:] {
						if y, ok := table.Lookup(w); ok {
							add(y)
						}
					}
				}
			}
			near := make([]embedding.ID, m)
			for y := range near {
				near[y] = embedding.ID(y)
			}
			slices.SortStableFunc(near, func(a, b embedding.ID) int {
				return int(table.SquaredDistance(x, a)) - int(table.SquaredDistance(x, b))
			})
			for _, y := range near {
				add(y)
			}
			return set
		})
	})
}

// The sets are the smallest that meet the cap: one less would not.
func TestCapIsMetByTheSmallestSets(t *testing.T) {
	table := oracle.RandomTable(t, 200, 4)
	for _, attack := range []float64{0.005, 0.006, 0.02, 0.1, 0.3} {
		for _, m := range []int{200, 50} {
			parameters := map[string]string{"attack": strconv.FormatFloat(attack, 'g', -1, 64), "outputs": strconv.Itoa(m)}
			made, err := newNeighbours(t.Context(), table, mechanism.Spec{Epsilon: 4, Parameters: parameters})
			if err != nil {
				t.Fatal(err)
			}
			c := made.(*sets.Words)
			if c.BestGuess() > attack*(1+1e-9) {
				t.Errorf("attack %g, %d outputs: sets of %d leave %g", attack, m, c.Levels().Size, c.BestGuess())
			}
			if c.Levels().Size == 1 {
				continue
			}
			parameters["neighbours"] = strconv.Itoa(c.Levels().Size - 1)
			if _, err := newNeighbours(t.Context(), table, mechanism.Spec{Epsilon: 4, Parameters: parameters}); err == nil {
				t.Errorf("attack %g, %d outputs: sets of %d are chosen, and one less is accepted", attack, m, c.Levels().Size)
			}
		}
	}
}

// The choices by their definitions, with sizes tried one by one.
func TestObjectivesChooseByTheirDefinitions(t *testing.T) {
	table := oracle.RandomTable(t, 30, 5) // every size is on the curve up to 12, every word in the sample
	for _, epsilon := range []float64{0.5, 2, 4, 7} {
		size := func(objective string) int {
			parameters := map[string]string{"objective": objective}
			if objective == "" {
				parameters = nil
			}
			made, err := newNeighbours(t.Context(), table, mechanism.Spec{Epsilon: epsilon, Parameters: parameters})
			if err != nil {
				t.Fatal(err)
			}
			return made.(*sets.Words).Levels().Size
		}
		signal, readable := []float64{0}, []float64{0}
		for k := 1; k <= 30; k++ {
			s, r := 0.0, 0.0
			z := float64(k)*math.Exp(epsilon) + float64(30-k)
			for x := range 30 {
				rule := &sets.Nearest{Outputs: sets.Outputs{Table: table}, K: k}
				row := make([]float64, 30)
				table.SquaredDistances(row, []embedding.ID{embedding.ID(x)}, 0, 30)
				order := rule.Order(nil, embedding.ID(x), row)
				shift := make([]float64, 5)
				for rank, y := range order {
					p := 1 / z
					if rank < k {
						p = math.Exp(epsilon) / z
					}
					r += p / float64(rank+1) / 30
					for d, v := range table.Vector(nil, embedding.ID(y.Place)) {
						shift[d] += (p - 1.0/30) * float64(v)
					}
				}
				square := 0.0
				for _, v := range shift {
					square += float64(v * v)
				}
				s += math.Sqrt(square) / 30
			}
			signal, readable = append(signal, s), append(readable, r)
		}
		if k := size("readable"); k < 2 || readable[k] < slices.Max(readable[2:])*(1-1e-9) {
			t.Errorf("epsilon %g: readable chooses %d with %g, %g is possible", epsilon, k, readable[k], slices.Max(readable[2:]))
		}
		// Sizes between two points of the curve are not tried.
		if k := size(""); k != size("signal") || signal[k] < slices.Max(signal)*0.99 {
			t.Errorf("epsilon %g: signal chooses %d with %g, %g is possible", epsilon, k, signal[k], slices.Max(signal))
		}
	}
}

// The chance that a word stays is at most e^epsilon/n, so it grows by at most e per unit
// of epsilon where sets keep their share of the draws. The choices of k stay near that
// rate, and readable never lets a word stay in more than half of the draws.
func TestSetsShrinkGraduallyAsEpsilonGrows(t *testing.T) {
	table, err := builtin.English()
	if err != nil {
		t.Fatal(err)
	}
	const steps = 4 // per unit of epsilon
	for _, objective := range []string{"", "readable"} {
		last, stays := table.Len(), []float64(nil)
		for i := 4 * steps; i <= 14*steps; i++ {
			parameters := map[string]string{}
			if objective != "" {
				parameters["objective"] = objective
			}
			made, err := newNeighbours(t.Context(), table, mechanism.Spec{Epsilon: float64(i) / steps, Parameters: parameters})
			if err != nil {
				t.Fatal(err)
			}
			c := made.(*sets.Words)
			k, stay := c.Levels().Size, c.BestGuess()
			if k > last {
				t.Errorf("%q: sets grow from %d to %d at epsilon %g", objective, last, k, float64(i)/steps)
			}
			if at := len(stays) - steps; at >= 0 && stay > stays[at]*math.Exp(1.5) {
				t.Errorf("%q: the share that stays grows from %.3f to %.3f in one unit of epsilon, up to %g", objective, stays[at], stay, float64(i)/steps)
			}
			if objective == "readable" && (k < 2 || stay > 0.5) {
				t.Errorf("readable at %g: sets of %d, %.3f stay", float64(i)/steps, k, stay)
			}
			last, stays = k, append(stays, stay)
		}
	}
}

// Over few outputs readable still has a channel that depends on its input.
func TestReadableKeepsTwoWordsWhereThereAreThree(t *testing.T) {
	for n, want := range map[int]int{1: 1, 2: 1, 3: 2, 4: 2} {
		made, err := newNeighbours(t.Context(), oracle.RandomTable(t, n, 2), mechanism.Spec{Epsilon: 12, Parameters: map[string]string{"objective": "readable"}})
		if err != nil {
			t.Fatal(err)
		}
		if k := made.(*sets.Words).Levels().Size; k != want {
			t.Errorf("%d words: sets of %d, want %d", n, k, want)
		}
	}
}

func TestWhatCannotBeMetIsRefusedInOneLine(t *testing.T) {
	table := oracle.RandomTable(t, 50, 3)
	file := func(text string) string {
		path := filepath.Join(t.TempDir(), "similar.txt")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, c := range []struct {
		parameters map[string]string
		want       string
	}{
		{map[string]string{"objective": "best"}, `neighbours: objective must be signal, readable or distance, got "best"`},
		{map[string]string{"objective": "signal", "neighbours": "3"}, "cannot be used where neighbours is given"},
		{map[string]string{"attack": "0.01"}, "neighbours: attack must be at least 0.02, one in the number of words, got 0.01"},
		{map[string]string{"attack": "0.03", "neighbours": "2"}, "for attack = 0.03"},
		{map[string]string{"attack": "2"}, "in (0, 1]"},
		{map[string]string{"classes": "latin"}, `neighbours: classes must be english, got "latin"`},
		{map[string]string{"outputs": "51"}, "a whole number from 1 to 50"},
		{map[string]string{"outputs": "5", "neighbours": "6"}, "at most the number of outputs, 5"},
		{map[string]string{"similar": "no-such-file"}, "neighbours: similar: no-such-file: no such file"},
		{map[string]string{"similar": file("elsewhere nowhere\n")}, "no line has a word of the table"},
		{map[string]string{"similar": file(table.Word(1) + " " + table.Word(2) + "\n" + table.Word(1) + "\n")}, "line 2: the word"},
	} {
		_, err := newNeighbours(t.Context(), table, mechanism.Spec{Epsilon: 3, Parameters: c.parameters, Open: oracle.OpenFile})
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v: %v, want %q", c.parameters, err, c.want)
		}
	}
}

// Draws under a codebook follow the row of an input that is not an output.
func TestDrawsNeverLeaveTheOutputs(t *testing.T) {
	table := oracle.RandomTable(t, 700, 8)
	for _, k := range []string{"3", "40"} {
		m, err := newNeighbours(t.Context(), table, mechanism.Spec{Epsilon: 3, Parameters: map[string]string{"outputs": "90", "neighbours": k}})
		if err != nil {
			t.Fatal(err)
		}
		rng := noise.Seeded(7, 0)
		counts := oracle.DrawCounts(t, 700, 100000, 650, func(dst, src []embedding.ID) []embedding.ID {
			dst, err := m.Replace(dst, src, rng)
			if err != nil {
				t.Fatal(err)
			}
			return dst
		})
		// One Pearson test for each of two sizes: fails falsely for 2e-7 of seeds.
		if p := oracle.ChiSquare(counts, m.(mechanism.Channel).Weights(nil, 650), 100000); p < oracle.FalseFailure {
			t.Errorf("sets of %s: draws do not follow the row, p = %g", k, p)
		}
	}
}

// Over a table of thousands of words sets are cut between guesses of a distance, in
// one way where they are small and in another where they are large.
func TestLargeSetsAreTheNearestWords(t *testing.T) {
	stage.Unraced(t)
	for name, table := range map[string]*embedding.Table{"narrow": oracle.EnglishSample(t, 2000), "wide": oracle.RandomTable(t, 2000, 3)} {
		n := table.Len()
		squares := make([]float64, n)
		for _, k := range []int{1, 2, 40, 300, n / 16, n/16 + 1, n / 2, n - 1} {
			made, err := newNeighbours(t.Context(), table, mechanism.Spec{Epsilon: 1, Parameters: map[string]string{"neighbours": strconv.Itoa(k)}})
			if err != nil {
				t.Fatal(err)
			}
			c := made.(*sets.Words)
			for x := embedding.ID(0); int(x) < n; x += 97 {
				table.SquaredDistances(squares, []embedding.ID{x}, 0, n)
				squares[x] = -1
				order := make([]embedding.ID, n)
				for y := range order {
					order[y] = embedding.ID(y)
				}
				slices.SortStableFunc(order, func(a, b embedding.ID) int { return cmp.Compare(squares[a], squares[b]) })
				want := order[:k]
				slices.Sort(want)
				if got := c.Members(x); !slices.Equal(got, want) {
					t.Fatalf("%s: the set of %d nearest to %d is %v, want %v", name, k, x, got, want)
				}
			}
		}
	}
}

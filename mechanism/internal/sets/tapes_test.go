package sets

import (
	"bufio"
	"fmt"
	"io"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/internal/stage"
)

// The proofs are built, and 200,000 draws are made with the numbers of the proofs, or a million.
func TestDrawsAndCertificatesAreThoseOfTheProofs(t *testing.T) {
	stage.Needs(t, stage.Proofs)
	replay := buildReplay(t)
	draws := 1000 // of each row
	if stage.Runs(stage.Thorough) {
		draws = 5000
	}
	t.Run("draws", func(t *testing.T) { drawsAreThoseOfTheProofs(t, replay, draws) })
	t.Run("certificates", func(t *testing.T) { certificatesAreThoseOfTheProofs(t, replay) })
}

// A row is drawn from here, and from what is extracted from its proof (proofs/draw.v): the
// same output from the same words, and as many of them. The proof says that this draw has
// exactly the certified probabilities.
func drawsAreThoseOfTheProofs(t *testing.T, replay string, draws int) {
	const rows = 200
	rng := rand.New(rand.NewPCG(7, 11))
	asked, want := &strings.Builder{}, []string(nil)
	kinds, refused := map[string]int{}, 0
	for i := range rows {
		c, set, kind := randomRow(t, rng, i)
		kinds[kind]++
		fmt.Fprintf(asked, "row %x %x %x %x %s", c.items, c.size, c.lift, c.total, kind)
		for _, y := range set.All() {
			fmt.Fprintf(asked, " %x", y)
		}
		fmt.Fprintln(asked)
		channel := Channel[int]{c, ruleOf(set)}
		for range draws {
			src := &edges{rng: rng, of: []uint64{c.total, c.items, c.size}}
			y, err := channel.Draw(0, src)
			if err != nil {
				t.Fatal(err)
			}
			read := len(src.read)
			if read > 2 {
				refused++
			}
			src.Uint64() // the proof's draw must not read it
			asked.WriteString("draw")
			for _, u := range src.read {
				fmt.Fprintf(asked, " %x", u)
			}
			fmt.Fprintln(asked)
			want = append(want, fmt.Sprintf("%d %d", y, read))
		}
	}
	compareAnswers(t, replay, asked.String(), want)
	if refused < rows*draws/50 || kinds["alone"] == 0 || kinds["listed"] < 20 || kinds["marked"] < 20 {
		t.Errorf("too few hard cases: %d of %d draws read more than two words, kinds of sets %v", refused, rows*draws, kinds)
	}
	t.Logf("%d draws of %d rows (%v), %d with more than two words", rows*draws, rows, kinds, refused)
}

// The checker that is proved sound accepts every weight that is drawn with, and refuses
// weights that are a little too high, and sums that are not those of the row.
func certificatesAreThoseOfTheProofs(t *testing.T, replay string) {
	rng := rand.New(rand.NewPCG(8, 11))
	asked, want := &strings.Builder{}, []string(nil)
	for i := range 200 {
		c, _, _ := randomRow(t, rng, i)
		epsilon := new(big.Rat).SetFloat64(c.epsilon)
		check := func(k, high, sum uint64, holds bool) {
			// What 50 terms leave out of e^12 is below 2^-53 of it.
			fmt.Fprintf(asked, "check 50 %x %x %x %x %x %x %x\n", c.items, k, high, c.low, sum, epsilon.Num(), epsilon.Denom())
			want = append(want, fmt.Sprint(holds))
		}
		check(c.size, c.high, c.total, true)
		check(c.size, c.high, c.total+1, false)
		check(c.size+1, c.high, c.total, c.high == c.low && c.size < c.items)
		// One part in 2^30 and one unit above the weight is above e^epsilon.
		high := c.high + c.high>>30 + 1
		check(c.size, high, c.size*(high-c.low)+c.items*c.low, false)
	}
	compareAnswers(t, replay, asked.String(), want)
}

// buildReplay returns the path of the program of proofs/replay.ml, or skips.
func buildReplay(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	out, err := exec.Command("bash", "../../../scripts/proofs", folder).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	replay := filepath.Join(folder, "replay")
	if _, err := os.Stat(replay); err != nil {
		t.Skipf("SKIPPED, NOT CHECKED: %s", out)
	}
	return replay
}

func compareAnswers(t *testing.T, replay, asked string, want []string) {
	t.Helper()
	command := exec.Command(replay)
	command.Stdin, command.Stderr = strings.NewReader(asked), os.Stderr
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	lines, at := bufio.NewScanner(out), 0
	for ; lines.Scan() && at < len(want); at++ {
		if lines.Text() != want[at] {
			t.Errorf("answer %d is %q, want %q", at, lines.Text(), want[at])
			break
		}
	}
	_, _ = io.Copy(io.Discard, out)
	if err := command.Wait(); err != nil || at < len(want) {
		t.Fatalf("%d of %d answers agree, %v", at, len(want), err)
	}
}

// randomRow makes the weights of a row and a set: one output, a list of 16 or of 32 bits,
// or a bitmap.
func randomRow(t *testing.T, rng *rand.Rand, i int) (Rows, Set, string) {
	t.Helper()
	m, k := 1+rng.IntN(3000), 1
	switch i % 4 {
	case 0:
		m = max(m, listed)
		k = 1 + rng.IntN(m/listed) // a list
	case 1:
		k = m/listed + 1 + rng.IntN(m-m/listed) // a bitmap
	case 2:
		m += 1 << 16 // a list of long numbers
		k = 1 + rng.IntN(200)
	}
	epsilon := float64(rng.IntN(48)+1) / 4
	if i%5 == 0 {
		epsilon = 12 * rng.Float64()
	}
	c, err := NewRows("test", m, k, epsilon)
	if err != nil {
		t.Fatal(err)
	}
	if i%4 == 3 {
		return c, Set{only: uint32(rng.IntN(m))}, "alone"
	}
	in := make([]uint64, (m+63)/64)
	for _, y := range rng.Perm(m)[:k] {
		in[y/64] |= 1 << (y % 64)
	}
	set := Set{some: itemsOf(in, k, m)}
	if err := set.some.check(k, m); err != nil {
		t.Fatal(err)
	}
	if set.some.bits != nil {
		return c, set, "marked"
	}
	return c, set, "listed"
}

type ruleOf Set

func (r ruleOf) Set(int) (Set, error) { return Set(r), nil }

// edges is a source that records its words. Every third is the first word of a value of one
// of some ranges, or next to it, where words are refused, or the least or the largest.
type edges struct {
	rng  *rand.Rand
	of   []uint64
	read []uint64
}

func (s *edges) Uint64() uint64 {
	u := s.rng.Uint64()
	if s.rng.IntN(3) == 0 {
		n := s.of[s.rng.IntN(len(s.of))]
		if v := s.rng.Uint64N(n); v > 0 {
			u, _ = bits.Div64(v, 0, n) // floor(v 2^64/n)
		} else {
			u = 0
		}
		u += s.rng.Uint64N(3) - 1
	}
	s.read = append(s.read, u)
	return u
}

package accountant

import (
	"flag"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/privacy"
)

var update = flag.Bool("update", false, "rewrite the table of docs/reference/composition.md")

const (
	page  = "../../docs/reference/composition.md"
	begin = "<!-- table -->\n"
	end   = "<!-- end of table -->\n"
)

// largest returns the largest epsilon of a token, to 1 in 10,000, at which the cap
// holds for n tokens.
func largest(t *testing.T, n int, cap, delta float64, of func(epsilon float64) Use) float64 {
	low, high := cap/float64(n)*(1-0x1p-50), 64.0
	for high/low > 1+1e-4 {
		mid := math.Sqrt(low * high)
		at, _, err := of(mid).DeltaOf(n, cap)
		if err != nil {
			t.Fatal(err)
		}
		if at <= delta {
			low = mid
		} else {
			high = mid
		}
	}
	return low
}

func table(t *testing.T) string {
	const cap, delta = 10, 1e-6
	twoLevel := func(size int) func(float64) Use {
		return func(epsilon float64) Use {
			l, err := TwoLevel(epsilon, size, 20_000)
			return Use{Epsilon: epsilon, Losses: must(t, l, err)}
		}
	}
	var b strings.Builder
	b.WriteString("| tokens | pure claim, delta 0 | pure claim | neighbours, k = 1,000 | neighbours, k = 20 | response | Gaussian, basic | Gaussian |\n")
	b.WriteString("| --- | --- | --- | --- | --- | --- | --- | --- |\n")
	for _, n := range []int{1, 20, 100, 400, 2000} {
		fmt.Fprintf(&b, "| %d | %.4g", n, float64(cap)/float64(n))
		for _, of := range []func(float64) Use{
			func(epsilon float64) Use { return Use{Epsilon: epsilon} }, twoLevel(1000), twoLevel(20), twoLevel(1),
		} {
			fmt.Fprintf(&b, " | %.4g", largest(t, n, cap, delta, of))
		}
		fmt.Fprintf(&b, " | %.4g | %.4g |\n",
			privacy.GaussianRatio(cap/float64(n), delta/float64(n)), math.Sqrt(float64(n))*privacy.GaussianRatio(cap, delta))
	}
	return b.String()
}

func TestCompositionPageHasTheAccountantsTable(t *testing.T) {
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(data), begin)
	_, tail, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("%s lacks the marks of its table", page)
	}
	want := head + begin + table(t) + end + tail
	if *update {
		if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if string(data) != want {
		t.Errorf("the table of %s is not what the accountant gives; go test ./privacy/accountant -run Table -update writes it", page)
	}
}

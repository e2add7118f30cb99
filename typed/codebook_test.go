package typed_test

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/mechanism/mechanismtest"
	"github.com/sotto-dp/sotto/typed"
	"pgregory.net/rapid"
)

func codebook(t testing.TB, name string) *typed.Codebook {
	t.Helper()
	c, ok := typed.Embedded(name)
	if !ok {
		t.Fatalf("no codebook %s", name)
	}
	return c
}

// Every codebook keeps the contract of a mechanism over it, whatever its values are.
func TestCodebooksKeepTheContract(t *testing.T) {
	stage.Unraced(t)
	entry, ok := catalog.Default(mechanism.UseMarks, "")
	if !ok {
		t.Fatal("no mechanism for marks")
	}
	for _, name := range typed.Codebooks() {
		c := codebook(t, name)
		inputs := [][]int8{c.Encode(nil, nil), c.Encode(nil, []byte("Mary Miller")), c.Encode(nil, []byte("\xff 17 March 2024")), c.Vector(nil, c.Len()-1)}
		epsilons := []float64{1}
		if c.Len() < 10_000 {
			epsilons = []float64{0, 3}
		}
		for _, epsilon := range epsilons {
			if err := mechanismtest.CheckRetriever(t.Context(), entry, c, mechanism.Spec{Epsilon: epsilon}, inputs...); err != nil {
				t.Errorf("%s at epsilon %g: %v", name, epsilon, err)
			}
		}
	}
}

var writeDigests = flag.Bool("write-digests", false, "write digests.txt")

// The digest is that of the values, each on a line: anybody can compute it. Values are
// distinct. The file of digests has that of every codebook.
func TestCodebooksHaveTheDigestOfTheirValues(t *testing.T) {
	stage.Unraced(t)
	var file bytes.Buffer
	for _, name := range typed.Codebooks() {
		c := codebook(t, name)
		h, line := sha256.New(), []byte(nil)
		distinct := map[string]bool{} // of codebooks that are small; others are made of lists and numbers alike
		for i := range c.Len() {
			line = append(c.Append(line[:0], i), '\n')
			h.Write(line)
			if c.Len() <= 10_000 {
				distinct[string(line)] = true
			}
		}
		sum := hex.EncodeToString(h.Sum(nil))
		fmt.Fprintln(&file, name, sum)
		if c.Digest() != sum || c.Len() <= 10_000 && len(distinct) != c.Len() {
			t.Errorf("%s: digest %s, and %s of its values, of which %d are distinct", name, c.Digest(), sum, len(distinct))
		}
	}
	if *writeDigests {
		if err := os.WriteFile("digests.txt", file.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile("digests.txt"); err != nil || !bytes.Equal(got, file.Bytes()) {
		t.Errorf("digests.txt is not that of the values (%v): go test ./typed -run DigestOfTheirValues -write-digests", err)
	}
}

// Sets have k distinct places whatever the vector is, and are around the place of a value.
func TestSetsHaveTheirSizeForEveryVector(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, _ := typed.Embedded(rapid.SampledFrom(typed.Codebooks()).Draw(t, "codebook"))
		k := rapid.IntRange(1, min(c.Len(), 5000)).Draw(t, "k")
		vectors := rapid.SliceOfN(rapid.Int8(), 4, 4).Draw(t, "vector")
		vectors = c.Vector(vectors, c.Len()-1-rapid.IntRange(0, min(3, c.Len()-1)).Draw(t, "from the end"))
		vectors = c.Encode(vectors, rapid.SliceOf(rapid.Byte()).Draw(t, "value"))
		sets, err := c.Nearest(nil, vectors, k)
		if err != nil || len(sets) != 3*k {
			t.Fatalf("%d items for 3 sets of %d (%v)", len(sets), k, err)
		}
		for set := range slices.Chunk(sets, k) {
			if !slices.IsSorted(set) || len(slices.Compact(slices.Clone(set))) != k || int(set[k-1]) >= c.Len() {
				t.Fatalf("%s, k = %d: the set %v", c.Name(), k, set)
			}
		}
	})
}

// A place is that of the value in whatever form it is written, and a set has the same number
// of values at both ends of a scale.
func TestValuesHaveTheirPlace(t *testing.T) {
	for name, cases := range map[string]map[string]string{
		"date": {
			"2024-03-17": "2024-03-17", "17 March 2024": "2024-03-17", "March 17th, 2024": "2024-03-17", "03/17/2024": "2024-03-17", "17/03/2024": "2024-03-17",
			"17.3.24": "2024-03-17", "3.4.2024": "2024-04-03", "20240317": "2024-03-17", "17. März 2024": "2024-03-17", "May 1999": "1999-05-15", "05/1999": "1999-05-15",
			"1987": "1987-07-01", "2/3/51": "1951-02-03", "1 Jan 1800": "1920-01-01", "9999-12-31": "2039-12-31", "2024-02-30": "2024-03-01", "2024-13-45": "1980-01-01", "yesterday": "1980-01-01", "": "1980-01-01",
			"١٧/٠٣/٢٠٢٤": "2024-03-17", "２０２４‐０３‐１７": "2024-03-17", "17. Ma\u0308rz\u00a02024": "2024-03-17", "3 fe\u0301vr. 2020": "2020-02-03",
			"17-Mar-24": "2024-03-17", "mardi 17 décembre 2024": "2024-12-17", "martes, 17 de junio de 2024": "2024-06-17", "martedì 17 giugno 2024": "2024-06-17", "maandag 17 juni 2024": "2024-06-17", "2024年3月17日": "2024-03-17", "17 juin 2024": "2024-06-17", "1er juillet 2024": "2024-07-01", "17 de março de 2024": "2024-03-17", "17MAR2024": "2024-03-17",
			"2024-03-17T14:05:33Z": "2024-03-17", "March 17, 24": "2024-03-17", "17.-19. März 2024": "2024-03-17", "17 March to 2 April 2024": "2024-03-17", "March 17-19, 2024": "2024-03-17",
			"17.03.-19.03.24": "2024-03-17", "03/17-03/19/24": "2024-03-17", "17/03-19/03/24": "2024-03-17", "03/17-03/19/2024 ": "2024-03-17",
			"28.12. bis 3.1.2024": "2023-12-28", "28.12.-3.1.24": "2023-12-28", "12/28-01/03/24": "2023-12-28", "5/12-13/12/24": "2024-12-05",
			"28 December to 3 January 2024": "2023-12-28", "December 28 to January 3, 2024": "2023-12-28", "3/4/24 14:05": "2024-03-04",
			"17.03.-19.03.2024": "2024-03-17", "17.-19.03.2024": "2024-03-17", "03/17-03/19/2024": "2024-03-17",
		},
		"time":    {"14:05": "14:05", "2:05 pm": "14:05", "2 PM": "14:00", "12 am": "00:00", "14.05": "14:05", "14h05": "14:05", "99:99": "12:00", "noon": "12:00"},
		"age":     {"67": "67", "67-year-old": "67", "aged 5": "5", "400": "120", "old": "60"},
		"number":  {"7": "7", "1,234": "1,230", "1.250": "1,250", "1,255": "1,250", "12,345,678": "12,300,000", "99999999999999999999": "1,990,000,000", "3.14": "3", "many": "190,000"},
		"dollars": {"$1,250.00": "$1,250", "USD 99.95": "$99", "$1.2m": "$1,200,000", "5 million dollars": "$5,000,000", "$3k": "$3,000", "$5 mice": "$5", "$99999999999999bn": "$1,990,000,000"},
		"pounds":  {"£5m": "£5,000,000"},
		"given":   {" KELVIN ": "Kelvin", "kelvin,": "Kelvin"},
	} {
		c := codebook(t, name)
		for value, want := range cases {
			set, err := c.Nearest(nil, c.Encode(nil, []byte(value)), 1)
			if err != nil || c.Text(int(set[0])) != want {
				t.Errorf("%s: %q has the place of %q, must be %q", name, value, c.Text(int(set[0])), want)
			}
		}
	}
	c := codebook(t, "age")
	for value, want := range map[string]string{"0": "0 1 2 3 4", "1": "0 1 2 3 4", "50": "48 49 50 51 52", "119": "116 117 118 119 120", "120": "116 117 118 119 120"} {
		set, err := c.Nearest(nil, c.Encode(nil, []byte(value)), 5)
		if got := strings.Trim(fmt.Sprint(set), "[]"); err != nil || got != want {
			t.Errorf("the set of %s is %s, must be %s", value, got, want)
		}
	}
}

// All parts of a name are replaced, whichever of them were marked and in whatever order.
func TestFullNamesHaveOnePlace(t *testing.T) {
	c := codebook(t, "person")
	at := func(value string) string {
		set, _ := c.Nearest(nil, c.Encode(nil, []byte(value)), 1)
		return c.Text(int(set[0]))
	}
	want := at("Kelvin Miller")
	for _, value := range []string{"Dr. Kelvin Miller", "Miller, Kelvin", "KELVIN J. MILLER", "Mr Kelvin  Miller"} {
		if got := at(value); got != want || want != "Kelvin Miller" {
			t.Errorf("%q has the place of %q, %q", value, got, want)
		}
	}
	for _, value := range []string{"", "Qqqx", "木村"} {
		if at(value) != c.Text(c.Len()/2) {
			t.Errorf("%q, which no list has, has the place of %q", value, at(value))
		}
	}
}

// No value of a shape has a place of its own: nothing of it can come out.
func TestShapesReadNothingOfAValue(t *testing.T) {
	for _, name := range []string{"phone", "email", "url", "ip", "id", "postcode", "card", "iban", "secret", "mac"} {
		c := codebook(t, name)
		for _, value := range []string{"", c.Text(0), c.Text(c.Len() - 1), "+1 212 555 0147"} {
			if !slices.Equal(c.Encode(nil, []byte(value)), c.Vector(nil, c.Len()/2)) {
				t.Errorf("%s: %q has a place of its own", name, value)
			}
		}
	}
}

// A codebook of one's own is in the order of what its values say, also beyond the ends of the
// codebook that the type has without it.
func TestValuesBeyondTheScaleKeepTheirOrder(t *testing.T) {
	for kind, test := range map[string]struct{ values, of, want string }{
		"DATE":  {"1850-05-01\n1799-01-01\n2100-01-01\n1612-02-03\n2350-07-08\n1855-01-01", "May 1800", "1799-01-01"},
		"MONEY": {"$9,000,000,000\n$3,000,000,000\n$7,000,000,000\n$5", "$6,800,000,000", "$7,000,000,000"},
		"AGE":   {"300\n150\n7\n200", "190", "200"},
	} {
		c, err := typed.Read(strings.NewReader(test.values), "own", kind)
		if err != nil {
			t.Fatal(err)
		}
		var order []string
		for i := range c.Len() {
			order = append(order, c.Text(i))
		}
		sorted := slices.Clone(order)
		slices.SortFunc(sorted, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
		set, err := c.Nearest(nil, c.Encode(nil, []byte(test.of)), 1)
		if err != nil || c.Text(int(set[0])) != test.want || !slices.Equal(order, sorted) {
			t.Errorf("%s: %q, and %s has the place of %s (%v)", kind, order, test.of, c.Text(int(set[0])), err)
		}
	}
}

func TestSpellingsOfAValueFoldToOne(t *testing.T) {
	for value, want := range map[string]string{
		" Anna  MILLER,": "anna miller", "(5)": "5", "-5": "-5", "(-5 )": "-5", "5-": "5", "- 5": "5", "-x-": "x", "--5": "-5", "-": "", "JOSE\u0301": "josé", "İ": "i", "": "", "٥": "٥",
	} {
		if got := typed.Fold(value); got != want || typed.Fold(got) != got {
			t.Errorf("%q folds to %q, and that to %q; must be %q", value, got, typed.Fold(got), want)
		}
	}
}

package embedding

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/files/compress"
	"pgregory.net/rapid"
)

func write(t testing.TB, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w, err := compress.NewWriter(name, f)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// Three words of two dimensions in every format.
var (
	sampleWords   = []string{"the", "naïve", "dog"}
	sampleVectors = []float32{0.5, -1, 2, 3, 2, 3} // naïve and dog share a vector
)

func sampleText(header bool) []byte {
	text := "the 0.5 -1\nnaïve 2 3e0\ndog 2 3\n"
	if header {
		text = "3 2\n" + text
	}
	return []byte(text)
}

func sampleWord2Vec() []byte {
	out := []byte("3 2\n")
	for i, w := range sampleWords {
		out = append(out, w+" "...)
		for _, v := range sampleVectors[2*i : 2*i+2] {
			out = binary.LittleEndian.AppendUint32(out, math.Float32bits(v))
		}
		out = append(out, '\n')
	}
	return out
}

// sampleFastText returns a model without n-grams, or with one bucket for all
// n-grams, whose row is the given n-gram vector.
func sampleFastText(ngram []float32) []byte {
	var out bytes.Buffer
	le := func(v any) { _ = binary.Write(&out, binary.LittleEndian, v) }
	bucket, maxn := int32(0), int32(0)
	if ngram != nil {
		bucket, maxn = 1, 3
	}
	out.Write(fastTextMagic)
	le(int32(12))
	le(fastTextArgs{Dim: 2, Bucket: bucket, Minn: 3, Maxn: maxn, T: 1e-4})
	le([]int32{3, 3, 0})
	le([]int64{100, -1})
	for _, w := range sampleWords {
		out.WriteString(w + "\x00")
		le(int64(7))
		le(int8(0))
	}
	le(uint8(0))
	le([]int64{3 + int64(bucket), 2})
	le(sampleVectors)
	le(ngram)
	return out.Bytes()
}

func TestEveryFormatIsRead(t *testing.T) {
	for name, data := range map[string][]byte{
		"glove.txt": sampleText(false), "glove": sampleText(false), "word2vec.txt": sampleText(true), "fasttext.vec": sampleText(true),
		"spaces.txt": []byte("the\t0.5\t-1 \r\nnaïve 2  3\ndog 2 3"), "word2vec.bin": sampleWord2Vec(), "fasttext.bin": sampleFastText(nil),
	} {
		for _, ending := range []string{"", ".gz", ".zst"} {
			table, err := Open(write(t, name+ending, data))
			if err != nil {
				t.Errorf("%s%s: %v", name, ending, err)
				continue
			}
			checkSample(t, name+ending, table)
		}
	}
}

// A byte order mark is no part of the first word, and hides no header.
func TestByteOrderMarkIsIgnored(t *testing.T) {
	for _, name := range []string{"a.vec", "a.vec.gz", "a.txt.zst"} {
		for _, header := range []bool{false, true} {
			table, err := Open(write(t, name, append([]byte("\ufeff"), sampleText(header)...)))
			if err != nil {
				t.Fatalf("%s, header %v: %v", name, header, err)
			}
			checkSample(t, name, table)
		}
	}
}

func checkSample(t *testing.T, name string, table *Table) {
	t.Helper()
	if table.Len() != 3 || table.Dim() != 2 {
		t.Fatalf("%s: %d words of %d dimensions, want 3 of 2", name, table.Len(), table.Dim())
	}
	for i, w := range sampleWords {
		id, ok := table.Lookup(w)
		if v := table.Vector(nil, ID(i)); !ok || int(id) != i || !slices.Equal(v, sampleVectors[2*i:2*i+2]) {
			t.Errorf("%s: %q is number %d with %v", name, w, id, v)
		}
	}
	if table.Distance(1, 2) != 0 {
		t.Errorf("%s: words with equal vectors are %g apart", name, table.Distance(1, 2))
	}
}

// A fastText word's vector is the mean of its row and its n-grams' rows: <the>
// has the n-grams <th, the, he>.
func TestFastTextWordsAreMeansOverTheirNgrams(t *testing.T) {
	table, err := Open(write(t, "m.bin", sampleFastText([]float32{1, 5})))
	if err != nil {
		t.Fatal(err)
	}
	if v := table.Vector(nil, 0); math.Abs(float64(v[0])-(0.5+3*1)/4) > 1e-5 || math.Abs(float64(v[1])-(-1+3*5.0)/4) > 1e-5 {
		t.Errorf("the is %v, want [0.875 3.5]", v)
	}
	var grams []string
	eachNgram("<äb>", 1, 3, func(g string) { grams = append(grams, g) })
	if got := strings.Join(grams, " "); got != "<ä <äb ä äb äb> b b>" {
		t.Errorf("the n-grams of äb are %q", got)
	}
}

func TestBadFileIsRefusedInOneLineThatSaysWhere(t *testing.T) {
	nan := append(sampleWord2Vec()[:8], 0, 0, 0xc0, 0x7f)
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"empty.txt", nil, "is empty, must have a word and its vector per line"},
		{"empty.bin", nil, "is empty, want a header in its first line"},
		{"width.txt", []byte("a 1 2\nb 1 2 3\n"), "line 2: 3 values, want 2 as in the lines before"},
		{"short.txt", []byte("a 1 2\nb 1\n"), "line 2: 1 values, want 2 as in the lines before"},
		{"none.txt", []byte("word\n"), "line 1: 0 dimensions, want 1 to 4096"},
		{"blank.txt", []byte("a 1 2\n\nb 1 2\n"), "line 2: the word is empty"},
		{"twice.txt", []byte("a 1 2\nb 1 2\na 3 4\n"), "line 3: the word is on line 1 already"},
		{"nan.txt", []byte("a 1 NaN\n"), "line 1: a value is not finite"},
		{"inf.txt", []byte("a 1 1e99\n"), "line 1: value 2 is not a finite number"},
		{"letters.txt", []byte("a 1 2\nb 1 x\n"), "line 2: value 2 is not a finite number"},
		{"lie.vec", []byte("9 2\na 1 2\n"), "line 1: the header says 9 words, the file holds 1"},
		{"lie.bin", []byte("999999999 2\na \x00\x00\x00\x00\x00\x00\x00\x00"), "word 2: the header says 999999999 words, the file holds 1"},
		{"wide.bin", []byte("1 5000\n"), "byte 0: 5000 dimensions, want 1 to 4096"},
		{"header.bin", []byte("hello\n"), "byte 0: must begin with a line of two numbers, words and dimensions"},
		{"cut.bin", sampleWord2Vec()[:10], "word 1: the file ends inside a vector"},
		{"nan.bin", append(nan, 0, 0, 0, 0), "word 1: a value is not finite"},
		{"more.bin", append(sampleWord2Vec(), "more"...), "holds more than the 3 words that the header says"},
		{"cutft.bin", sampleFastText(nil)[:120], "word 2: the file ends inside the dictionary"},
		{"cutmatrix.bin", sampleFastText(nil)[:len(sampleFastText(nil))-3], "row 3: the file ends inside the input matrix"},
		{"utf8.txt", []byte("a\xff 1 2\n"), "line 1: the word is not UTF-8"},
	} {
		path := write(t, c.name, c.data)
		_, err := Open(path)
		if err == nil || err.Error() != path+": "+c.want {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	truncated := write(t, "a.txt.gz", bytes.Repeat([]byte("abc 1 2\n"), 1))
	data, err := os.ReadFile(truncated)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(truncated, data[:len(data)-9], 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(truncated); err == nil || !strings.Contains(err.Error(), "the file ends inside a compressed block") {
		t.Errorf("a truncated gzip file: %v", err)
	}
	if _, err := Open(filepath.Join(t.TempDir(), "missing")); err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("a missing file: %v", err)
	}
}

func TestTableFileKeepsEverything(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n, dim := rapid.IntRange(1, 40).Draw(rt, "words"), rapid.IntRange(1, 70).Draw(rt, "dimensions")
		words := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-zé' ]{1,9}`), n, n, rapid.ID).Draw(rt, "spellings")
		var table *Table
		var err error
		if rapid.Bool().Draw(rt, "narrow") {
			table, err = NewNarrow(Narrow{Name: "t", Words: words, Dim: dim, Step: 0.5, Grid: rapid.SliceOfN(rapid.Int8(), n*dim, n*dim).Draw(rt, "grid")})
		} else {
			table, err = New(Source{Name: "t", Words: words, Dim: dim, Vectors: rapid.SliceOfN(rapid.Float32(), n*dim, n*dim).Draw(rt, "vectors")})
		}
		if err != nil {
			rt.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "t.sotto")
		if err := WriteFile(path, table); err != nil {
			rt.Fatal(err)
		}
		back, err := Open(path)
		if err != nil {
			rt.Fatal(err)
		}
		if back.Digest() != table.Digest() || back.Name() != "t" || back.Unknown() != table.Unknown() || back.Step() != table.Step() {
			rt.Fatal("the table came back changed")
		}
		for i := range n {
			if back.Word(ID(i)) != words[i] || !slices.Equal(back.Vector(nil, ID(i)), table.Vector(nil, ID(i))) {
				rt.Fatalf("word %d came back changed", i)
			}
		}
	})
}

func TestDamagedTableIsRefused(t *testing.T) {
	table, err := New(Source{Name: "t", Words: sampleWords, Dim: 2, Vectors: sampleVectors})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "t.sotto")
	if err := WriteFile(path, table); err != nil {
		t.Fatal(err)
	}
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for at := range good {
		bad := slices.Clone(good)
		bad[at] ^= 0x41
		if err := os.WriteFile(path, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Open(path)
		padding := at >= fileHeader+len("the\x00naïve\x00dog\x00") && at < valuesAt(len("the\x00naïve\x00dog\x00"))
		if err == nil && !padding {
			t.Errorf("byte %d was changed and nobody noticed", at)
		}
	}
	for _, n := range []int{8, 100, len(good) - 1} {
		if err := os.WriteFile(path, good[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(path); err == nil {
			t.Errorf("a table cut to %d bytes was opened", n)
		}
	}
}

// A header with a valid checksum may still be wrong about the grid, which every
// certificate relies on.
func TestTableOffTheGridIsRefused(t *testing.T) {
	table, err := NewNarrow(Narrow{Name: "t", Words: sampleWords, Dim: 2, Step: 0.5, Grid: []int8{1, 2, 3, 4, 5, 6}})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "t.sotto")
	if err := WriteFile(path, table); err != nil {
		t.Fatal(err)
	}
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	sealed := func(head, values []byte) error {
		binary.LittleEndian.PutUint32(head[fileHeader-4:], crc32.ChecksumIEEE(head[:fileHeader-4]))
		if err := os.WriteFile(path, append(head, values...), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Open(path)
		return err
	}
	if err := sealed(slices.Clone(good), nil); err != nil {
		t.Fatalf("the table as written: %v", err)
	}
	for _, step := range []float64{0, -0.5, 0.3, math.NaN(), math.Inf(1)} {
		bad := slices.Clone(good)
		binary.LittleEndian.PutUint64(bad[32:], math.Float64bits(step))
		want := fmt.Sprintf("%s: byte 32: a step of %g, want a power of two", path, step)
		if err := sealed(bad, nil); err == nil || err.Error() != want {
			t.Errorf("step %g: %v, want %q", step, err, want)
		}
	}
	bad := slices.Clone(good)
	binary.LittleEndian.PutUint32(bad[20:], 257)
	want := path + ": byte 20: 257 dimensions, want 1 to 256 on an int8 grid"
	if err := sealed(bad, make([]byte, 3*(257-2))); err == nil || err.Error() != want {
		t.Errorf("257 dimensions: %v, want %q", err, want)
	}
}

func FuzzOpen(f *testing.F) {
	f.Add("a.txt", sampleText(false))
	f.Add("a.vec", sampleText(true))
	f.Add("a.bin", sampleWord2Vec())
	f.Add("b.bin", sampleFastText([]float32{1, 2}))
	f.Add("a.txt.gz", []byte("\x1f\x8b"))
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		name = map[bool]string{true: "f.bin", false: "f.txt"}[strings.HasSuffix(name, ".bin")]
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		table, err := Open(path)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Fatalf("an error of two lines: %q", err)
			}
			return
		}
		for i := range table.Len() {
			for _, v := range table.Vector(nil, ID(i)) {
				if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
					t.Fatal(fmt.Sprint("a value is not finite: ", v))
				}
			}
		}
	})
}

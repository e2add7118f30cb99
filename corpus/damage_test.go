package corpus

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/sotto-dp/sotto/internal/simd/inner"
	"github.com/sotto-dp/sotto/internal/stage"
)

// reseal gives damaged bytes valid digests, as a forger would.
func reseal(data []byte) []byte {
	const table = headerSize + entrySize*sectionCount
	if len(data) < sectionsAt {
		return data
	}
	for i := range sectionCount {
		e := data[headerSize+entrySize*i:][:entrySize]
		at, length := binary.LittleEndian.Uint64(e[8:]), binary.LittleEndian.Uint64(e[16:])
		if at <= uint64(len(data)) && length <= uint64(len(data))-at {
			sum := sha256.Sum256(data[at : at+length])
			copy(e[24:], sum[:])
		}
	}
	sum := sha256.Sum256(data[:table])
	copy(data[table:], sum[:])
	return data
}

// section returns the bytes of a section in a file.
func section(data []byte, i int) []byte {
	e := data[headerSize+entrySize*i:]
	at := binary.LittleEndian.Uint64(e[8:])
	return data[at : at+binary.LittleEndian.Uint64(e[16:])]
}

// use calls everything that a program may call on a corpus.
func use(t testing.TB, c *Corpus) {
	for i := range c.Len() {
		if !utf8.ValidString(c.Text(i)) {
			t.Fatal("a text is not UTF-8")
		}
		c.Vector(nil, i)
	}
	k := max(1, c.Len()/2)
	vector := make([]int8, c.Dim())
	if e, err := c.Encoder(nil); err == nil && e != nil {
		vector = e.Encode(nil, []byte("my parcel was late, 12 days"))
	}
	if set, err := c.Nearest(nil, vector, k); err != nil || len(set) != k {
		t.Fatalf("%d texts for %d (%v)", len(set), k, err)
	}
	for _, n := range c.card.clusterings() {
		k, err := c.Clusters(t.Context(), n)
		if err != nil {
			t.Fatal(err)
		}
		for i := range c.Len() {
			if k.Of(i) >= k.Len() {
				t.Fatal("a text is in no cluster")
			}
		}
	}
}

func small(t testing.TB) []byte {
	return fileOf(t, build(t, sample(70), Options{Table: tableOf(t), Clusters: 5, Public: true}))
}

func TestDamagedFilesAreRefused(t *testing.T) {
	stage.Unraced(t)
	whole := small(t)
	if _, err := parse(bytes.Clone(whole)); err != nil {
		t.Fatal(err)
	}
	for n := 0; n < len(whole); n += 1 + n/50 {
		if _, err := parse(whole[:n:n]); err == nil {
			t.Errorf("a file cut to %d of %d bytes is read", n, len(whole))
		}
	}
	for at := 0; at < len(whole); at += 1 + at/300 {
		data := bytes.Clone(whole)
		data[at] ^= 0x10
		if _, err := parse(data); err == nil {
			t.Errorf("a file with a changed byte %d is read", at)
		}
	}
	if _, err := parse(append(bytes.Clone(whole), 0)); err == nil {
		t.Error("a file with one more byte is read")
	}
}

// Files with valid digests are refused too if their parts are inconsistent.
func TestForgedFilesAreRefused(t *testing.T) {
	stage.Unraced(t)
	entry := func(data []byte, i int) []byte { return data[headerSize+entrySize*i:] }
	add := func(b []byte, n int64) {
		binary.LittleEndian.PutUint64(b, uint64(int64(binary.LittleEndian.Uint64(b))+n))
	}
	card := func(old, new string) func([]byte) {
		return func(data []byte) {
			s := section(data, sectionCard)
			if len(old) != len(new) || !bytes.Contains(s, []byte(old)) {
				t.Fatalf("the card has no %q: %s", old, s)
			}
			copy(s, bytes.Replace(s, []byte(old), []byte(new), 1))
		}
	}
	for name, c := range map[string]struct {
		change func(data []byte)
		says   string
	}{
		"version":           {func(d []byte) { d[8]++ }, "version 2 of the format"},
		"sections":          {func(d []byte) { d[12]++ }, "header"},
		"header":            {func(d []byte) { d[30] = 1 }, "header"},
		"overlap":           {func(d []byte) { add(entry(d, sectionVectors)[8:], -64) }, "section 3 is at a wrong offset"},
		"beyond":            {func(d []byte) { add(entry(d, sectionTexts)[16:], 1<<40) }, "section 2 is at a wrong offset"},
		"wrap":              {func(d []byte) { add(entry(d, sectionTexts)[16:], -1<<62) }, "section"},
		"number":            {func(d []byte) { entry(d, 4)[0] = 9 }, "section 4 is at a wrong offset"},
		"between":           {func(d []byte) { at := binary.LittleEndian.Uint64(entry(d, 1)[8:]); d[at-1] = 1 }, "padding before section 1"},
		"more texts":        {card(`"texts":70`, `"texts":71`), "number of texts"},
		"negative texts":    {card(`"texts":70`, `"texts":-7`), "number of texts"},
		"dimensions":        {card(`"dimensions":`, `"dimensionX":`), "description"},
		"second form":       {card(`"declared_public":true`, `"declared_public": tru`), "description"},
		"clusters":          {card(`"clusters":5`, `"clusters":6`), "clusters"},
		"kind":              {card(`"kind":"sif+lsa"`, `"kind":"sif+lsb"`), "encoder is not one of"},
		"encoder version":   {card(`"version":1`, `"version":3`), "version 3 of the encoder"},
		"name":              {card(`"name":"test"`, `"name":"a/.."`[:13]), "name"},
		"first offset":      {func(d []byte) { section(d, sectionOffsets)[0] = 1 }, "offsets"},
		"falling offsets":   {func(d []byte) { add(section(d, sectionOffsets)[8:], 1<<20) }, "text 0 does not match its offsets"},
		"last offset":       {func(d []byte) { s := section(d, sectionOffsets); add(s[len(s)-8:], 1) }, "offsets"},
		"Latin-1":           {func(d []byte) { section(d, sectionTexts)[3] = 0xe9 }, "text 0 is not UTF-8"},
		"line break":        {func(d []byte) { section(d, sectionTexts)[3] = '\n' }, "text 0 has a line break"},
		"carriage return":   {func(d []byte) { section(d, sectionTexts)[3] = '\r' }, "text 0 has a line break"},
		"line separator":    {func(d []byte) { copy(section(d, sectionTexts)[3:], "\u2028") }, "text 0 has a line break"},
		"escape":            {func(d []byte) { section(d, sectionTexts)[3] = 0x1b }, "control character"},
		"cut character":     {func(d []byte) { s := section(d, sectionTexts); s[len(s)-1] = 0xc3 }, "text 69 is not UTF-8"},
		"mean":              {func(d []byte) { copy(section(d, sectionMean), bytes.Repeat([]byte{0xff}, 8)) }, "mean"},
		"unsorted terms":    {func(d []byte) { section(d, sectionTerms)[0] = 'z' }, "vocabulary is not sorted"},
		"another term":      {func(d []byte) { section(d, sectionTerms)[0] = '\n' }, "vocabulary"},
		"cluster of a text": {func(d []byte) { section(d, sectionClusters)[4] = 5 }, "text 1 is in a cluster"},
	} {
		t.Run(name, func(t *testing.T) {
			data := small(t)
			c.change(data)
			_, err := parse(reseal(data))
			var fault *FileError
			if !errors.As(err, &fault) || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "\n") {
				t.Errorf("error %v, want one that says %q", err, c.says)
			}
		})
	}
}

// Clusters that were not computed from the texts are found, in either part.
func TestForgedClustersAreFound(t *testing.T) {
	c := build(t, sample(70), Options{Table: tableOf(t), Clusters: 5, Public: true})
	if err := c.VerifyClusters(t.Context(), 5); err != nil {
		t.Fatal(err)
	}
	for _, section := range []int{sectionCentres, sectionClusters} {
		c.content[section][0] ^= 1
		if c.VerifyClusters(t.Context(), 5) == nil {
			t.Errorf("clusters that differ in section %d pass", section)
		}
		c.content[section][0] ^= 1
	}
	if c.VerifyClusters(t.Context(), 7) != nil || c.VerifyClusters(t.Context(), 71) == nil {
		t.Error("clusters that are not stored do not pass, or more clusters than texts do")
	}
}

// Sizes of clusterings that do not match the sections are refused, and so is a size that
// occurs twice or out of order.
func TestForgedClusteringsAreRefused(t *testing.T) {
	stage.Unraced(t)
	for _, forged := range [][]int{{10}, {10, 40, 80}, {40, 10}, {10, 10}, {20, 40}, {0, 40}, {-10, 60}, {10, 41}} {
		data := fileOf(t, build(t, sample(400), Options{Table: tableOf(t), Public: true}))
		c, err := parse(data)
		if err != nil {
			t.Fatal(err)
		}
		c.card.Clusterings = forged
		if err := c.seal(); err != nil {
			t.Fatal(err)
		}
		if _, err := parse(fileOf(t, c)); err == nil || !strings.Contains(err.Error(), "clusters") {
			t.Errorf("clusterings of %v: %v", forged, err)
		}
	}
}

// A card may name a table that exists and lie about its size. That must not show only
// when a text with words beyond that size is encoded.
func TestTableOfAnotherSizeThanStatedIsRefused(t *testing.T) {
	stage.Unraced(t)
	for name, forge := range map[string]func(c *Corpus){
		"fewer words": func(c *Corpus) {
			c.card.Encoder.Table.Words = 5
			c.content[sectionWeights] = c.content[sectionWeights][:10]
		},
		"more words": func(c *Corpus) {
			c.card.Encoder.Table.Words++
			c.content[sectionWeights] = append(bytes.Clone(c.content[sectionWeights]), 0, 0)
		},
		"fewer dimensions": func(c *Corpus) {
			c.card.Encoder.Table.Dimensions, c.card.Dimensions = 3, 3
			c.content[sectionMean] = c.content[sectionMean][:24]
			c.content[sectionVectors] = inner.NewBlocks(c.Len(), 3)
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := build(t, sample(20), Options{Encoder: SIF, Table: tableOf(t)})
			forge(c)
			if err := c.seal(); err != nil {
				t.Fatal(err)
			}
			opened, err := parse(fileOf(t, c))
			if err != nil {
				t.Fatal(err)
			}
			if e, err := opened.Encoder(nil); err == nil {
				t.Errorf("the encoder is opened, and gives %d components", len(e.Encode(nil, []byte("the parcel was late"))))
			}
		})
	}
}

func TestOpenNamesTheFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "no.corpus")
	var fault *FileError
	if _, err := Open(path); !errors.Is(err, os.ErrNotExist) || !errors.As(err, &fault) || fault.Path != path {
		t.Errorf("a missing file: %v", err)
	}
	if err := os.WriteFile(path, []byte("text"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path); !errors.As(err, &fault) || fault.Path != path {
		t.Errorf("a text file: %v", err)
	}
	if _, err := Open(dir); !errors.As(err, &fault) || !strings.Contains(err.Error(), "regular file") {
		t.Errorf("a folder: %v", err)
	}
}

// An open corpus uses the verified bytes, even if the file changes.
func TestOpenCorpusDoesNotFollowItsFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.corpus")
	for name, change := range map[string]func() error{
		"written over": func() error {
			f, err := os.OpenFile(path, os.O_WRONLY, 0)
			if err != nil {
				return err
			}
			_, err = f.Write(bytes.Repeat([]byte{0xff}, 1<<16))
			return errors.Join(err, f.Close())
		},
		"cut off": func() error { return os.Truncate(path, 0) },
	} {
		t.Run(name, func(t *testing.T) {
			whole := small(t)
			if err := os.WriteFile(path, whole, 0o644); err != nil {
				t.Fatal(err)
			}
			c, err := Open(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := change(); err != nil {
				t.Fatal(err)
			}
			use(t, c)
			if again := fileOf(t, c); !bytes.Equal(again, whole) {
				t.Error("an open corpus changes with its file")
			}
		})
	}
}

func FuzzOpen(f *testing.F) {
	f.Add(fileOf(f, build(f, []string{"one", "two", "one or two"}, Options{Encoder: LSA, Clusters: 2})), true)
	f.Add(fileOf(f, build(f, []string{"one two three"}, Options{Dimensions: 3, Vectors: func(v []float64, _ int) error { v[1] = 2; return nil }})), false)
	f.Fuzz(func(t *testing.T, data []byte, forged bool) {
		data = bytes.Clone(data)
		if forged {
			data = reseal(data)
		}
		if c, err := parse(data); err == nil {
			use(t, c)
		}
	})
}

// Few random changes with valid digests leave a usable corpus. None of these may fail
// later.
func TestForgeriesAreRefusedOrWork(t *testing.T) {
	stage.Unraced(t)
	whole := fileOf(t, build(t, []string{"one", "two", "one or two"}, Options{Encoder: LSA, Clusters: 2}))
	r := rand.New(rand.NewPCG(9, 9))
	read := 0
	for range 5000 {
		data := bytes.Clone(whole)
		for range 1 + r.IntN(3) {
			data[r.IntN(len(data))] = byte(r.Uint32())
		}
		if r.IntN(4) == 0 {
			data = data[:r.IntN(len(data))]
		}
		if c, err := parse(reseal(data)); err == nil {
			use(t, c)
			read++
		}
	}
	if read < 100 || read > 2500 {
		t.Errorf("%d of 5000 forgeries are read", read)
	}
}

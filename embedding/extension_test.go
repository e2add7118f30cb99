package embedding

import (
	"encoding/binary"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/embedding/segment"
)

// tongue returns a table with counts and rules.
func tongue(t *testing.T, d segment.Description, counts []int64, words ...string) *Table {
	t.Helper()
	src := Source{Name: "t", Dim: 2, Words: words, Counts: counts}
	for i := range words {
		src.Vectors = append(src.Vectors, float32(i), 1)
	}
	if d.Kind != "" {
		rules, err := segment.New(d)
		if err != nil {
			t.Fatal(err)
		}
		src.Segmentation = rules
	}
	table, err := New(src)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func reopened(t *testing.T, table *Table) (*Table, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "t.sotto")
	if err := WriteFile(path, table); err != nil {
		t.Fatal(err)
	}
	again, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	return again, path
}

var turkish = segment.Description{Kind: segment.Words, Language: "tr", Forms: map[string]string{"ankara": "Ankara"}}

func TestFilesKeepCountsAndRules(t *testing.T) {
	words, counts := []string{"ısparta", "ankara", "ev"}, []int64{30, 20, 50}
	plain := tongue(t, segment.Description{}, nil, words...)
	digests := map[string]bool{plain.Digest(): true}
	for _, table := range []*Table{
		tongue(t, segment.Description{}, counts, words...),
		tongue(t, segment.Description{}, []int64{30, 20, 51}, words...),
		tongue(t, turkish, counts, words...),
		tongue(t, turkish, nil, words...),
		tongue(t, segment.Description{Kind: segment.Words}, counts, words...),
		tongue(t, segment.Description{Kind: segment.Pieces, Pieces: []segment.Piece{{Text: "人", Cost: 5}}}, nil, "人", "ankara", "ev"),
	} {
		again, _ := reopened(t, table)
		if again.Digest() != table.Digest() || !slices.Equal(again.Counts(), table.Counts()) || !again.Segmentation().Equal(table.Segmentation()) {
			t.Errorf("%v is read back as %v", table.Segmentation(), again.Segmentation())
		}
		if digests[table.Digest()] {
			t.Errorf("two tables have the digest %s", table.Digest())
		}
		digests[table.Digest()] = true
	}
	if again, path := reopened(t, plain); again.extended() {
		t.Error("a table without an extension has one")
	} else if data, err := os.ReadFile(path); err != nil || data[8] != fileVersion {
		t.Errorf("version %d of the file, %v", data[8], err)
	}
}

// Every byte of an extension is covered.
func TestDamagedExtensionsAreRefused(t *testing.T) {
	_, path := reopened(t, tongue(t, turkish, []int64{30, 20, 50}, "ısparta", "ankara", "ev"))
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	try := func(what string, data []byte) {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(path); err == nil {
			t.Errorf("%s is accepted", what)
		}
	}
	length := int(binary.LittleEndian.Uint64(good[extensionAt:]))
	for at := len(good) - length; at < len(good); at++ {
		bad := slices.Clone(good)
		bad[at] ^= 1
		try("another byte", bad)
	}
	seal := func(data []byte) []byte {
		binary.LittleEndian.PutUint32(data[fileHeader-4:], crc32.ChecksumIEEE(data[:fileHeader-4]))
		return data
	}
	cut := slices.Clone(good[:len(good)-length])
	binary.LittleEndian.PutUint64(cut[extensionAt:], 0)
	cut[8] = fileVersion
	try("a file without its extension", seal(cut))
	old := slices.Clone(good)
	old[8] = fileVersion
	try("an extension of version 1", seal(old))
	newer := slices.Clone(good)
	newer[8] = 3
	try("version 3", seal(newer))
}

func TestSharesAreThoseOfTheCounts(t *testing.T) {
	table := tongue(t, segment.Description{}, []int64{30, 20, 50}, "a", "b", "c")
	if got := table.Shares(); !slices.Equal(got, []float64{0.3, 0.2, 0.5}) {
		t.Errorf("shares of %v", got)
	}
	first, err := table.First(2)
	if err != nil || !slices.Equal(first.Shares(), []float64{0.6, 0.4}) {
		t.Errorf("shares of %v of the first two, %v", first.Shares(), err)
	}
	third, err := table.Every(2)
	if err != nil || !slices.Equal(third.Counts(), []int64{30, 50}) {
		t.Errorf("counts of %v, %v", third.Counts(), err)
	}
	for _, counts := range [][]int64{{1}, {1, 0}, {1, -1}, {1, mostCount + 1}} {
		if _, err := New(Source{Dim: 1, Words: []string{"a", "b"}, Vectors: []float32{1, 2}, Counts: counts}); err == nil {
			t.Errorf("counts of %v are accepted", counts)
		}
	}
}

// A word that the rules never give could be written and not read.
func TestWordsThatTheRulesCutAreRefused(t *testing.T) {
	for _, c := range []struct {
		d    segment.Description
		word string
	}{{turkish, "Ev"}, {turkish, "a b"}, {turkish, "isparta-ankara"}, {turkish, "x'y"}, {turkish, "\u200b"}, {segment.Description{Kind: segment.Pieces}, "人人"}} {
		rules, err := segment.New(c.d)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := New(Source{Dim: 1, Words: []string{"ankara", c.word}, Vectors: []float32{1, 2}, Segmentation: rules}); err == nil {
			t.Errorf("the word %q is accepted", c.word)
		}
	}
}

func TestListsAreReadByTheRulesOfTheTable(t *testing.T) {
	table := tongue(t, turkish, []int64{3, 2, 5}, "ısparta", "ankara", "ev")
	list, err := ReadWordList(strings.NewReader("ISPARTA"))
	if err != nil {
		t.Fatal(err)
	}
	cut, err := table.Without(list)
	if err != nil {
		t.Fatal(err)
	}
	if !cut.Listed("ısparta") || cut.Len() != 2 || !slices.Equal(cut.Counts(), []int64{2, 5}) || !cut.Segmentation().Equal(table.Segmentation()) {
		t.Errorf("%d words are left, counts %v", cut.Len(), cut.Counts())
	}
	chinese := tongue(t, segment.Description{Kind: segment.Pieces, Pieces: []segment.Piece{{Text: "人", Cost: 5}, {Text: "自由", Cost: 5}}}, nil, "人", "自由", "a", "b")
	for text, ok := range map[string]bool{"人": true, "a": true, "自由": false, "a-b": false} {
		list, err := ReadWordList(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := chinese.Without(list); (err == nil) != ok {
			t.Errorf("a list of %q: %v", text, err)
		}
	}
}

// Two tables that differ in their rules alone have different digests: what is bound to one
// is refused with the other.
func TestTablesOfOtherRulesAreOtherTables(t *testing.T) {
	digests := map[string]string{}
	for name, d := range map[string]segment.Description{
		"words":      {Kind: segment.Words},
		"of Turkish": {Kind: segment.Words, Language: "tr"},
		"with forms": {Kind: segment.Words, Forms: map[string]string{"haus": "Haus"}},
		"pieces":     {Kind: segment.Pieces, Pieces: []segment.Piece{{Text: "人", Cost: 5}}},
		"costs":      {Kind: segment.Pieces, Pieces: []segment.Piece{{Text: "人", Cost: 6}}},
	} {
		rules, err := segment.New(d)
		if err != nil {
			t.Fatal(err)
		}
		table, err := New(Source{Words: []string{"haus", "人"}, Dim: 1, Vectors: []float32{1, 2}, Segmentation: rules})
		if err != nil {
			t.Fatal(err)
		}
		if other, ok := digests[table.Digest()]; ok {
			t.Errorf("the tables %s and %s have one digest", name, other)
		}
		digests[table.Digest()] = name
	}
}

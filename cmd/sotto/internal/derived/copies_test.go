package derived

import (
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/opening"
	"github.com/sotto-dp/sotto/text/tokenize"
)

// The claim of a report is carried on for texts that are spelled as rewrite spells, whatever
// entries they have, and for no others.
func TestOnlyWhatRewriteSpellsHasTheClaim(t *testing.T) {
	table, err := opening.Table(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	words := tokenize.NewTokenizer(table)
	words.WriteUnknown("zzz")
	ids, _ := words.Tokenize(nil, []byte("That's the nurse's (kind) xyzzyplugh: 3,000 -- she said \"no\"..."))
	copied := string(words.Detokenize(nil, ids))
	for _, c := range []struct {
		texts string
		first int
	}{
		{copied, 0},
		{copied + "\n\n" + copied, 0},
		{copied + "\n" + strings.ToLower(copied), 2},
		{copied + "\n" + copied + " \n" + copied, 2},
		{strings.ReplaceAll(copied, "zzz", "<unk>"), 1},
		{strings.ReplaceAll(copied, "zzz", "xyzzyplugh"), 1},
	} {
		texts := readCopies(&opening.Reopened{Table: table, Placeholder: "zzz"})
		for one := range strings.SplitSeq(c.texts, "\n") {
			texts.ids(nil, []byte(one))
		}
		var warned strings.Builder
		released := texts.input(&warned, "file", "report", nil).Seeded // the report names no randomness
		if texts.first != c.first || released != (c.first == 0) || (warned.Len() > 0) != (c.first > 0) {
			t.Errorf("%q: text %d is spelled otherwise, want %d; released: %t, warning: %q", c.texts, texts.first, c.first, released, warned.String())
		}
	}
}

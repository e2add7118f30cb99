package main

import (
	"path/filepath"
	"reflect"
	"testing"

	"github.com/sotto-dp/sotto/attack/measured"
	"github.com/sotto-dp/sotto/internal/refdata"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/mechanism/catalog"
)

// The draws are seeded, so the shares are those that ship, unless the last places of
// logarithms decide between two words: on another processor that may change some of the
// 19,786 guesses, and this allows for 20.
func TestFiguresAreWhatIsMeasuredNow(t *testing.T) {
	stage.Needs(t, stage.Figures) // measures shipped figures again
	data := filepath.Dir(refdata.Path(t, "data/ag-news/test.tsv.gz"))
	n, err := readNews(t.Context(), data)
	if err != nil {
		t.Fatal(err)
	}
	shipped, err := measured.All()
	if err != nil {
		t.Fatal(err)
	}
	head := n.figures()
	head.Blind, head.Rows = shipped.Blind, nil
	without := shipped
	without.Rows = nil
	if a, b := head, without; !reflect.DeepEqual(a, b) {
		t.Errorf("the figures ship for %+v, and are now of %+v", b, a)
	}
	const epsilon = 9
	entry, _ := catalog.Find("neighbours")
	now, blind, err := n.attack(t.Context(), entry, epsilon)
	if err != nil {
		t.Fatal(err)
	}
	found, ok := measured.Find(entry.Name, n.table.Digest(), epsilon)
	if !ok || found.Below.Epsilon != epsilon {
		t.Fatalf("%+v, %v", found, ok)
	}
	then := found.Below
	if then.Size != now.Size || then.Reader != now.Reader {
		t.Errorf("it ships for sets of %d words and %s, and they have %d and are read by %s", then.Size, then.Reader, now.Size, now.Reader)
	}
	for _, c := range []struct {
		name      string
		then, now measured.Share
	}{{"alone", then.Alone, now.Alone}, {"in context", then.InContext, now.InContext}, {"rare", then.Rare, now.Rare}, {"blind", shipped.Blind, blind}} {
		const near = 20.0 / 19786 * 4 // rare words are a quarter
		if d := c.then.Share - c.now.Share; d > near || d < -near {
			t.Errorf("%s ships as %+v and is %+v", c.name, c.then, c.now)
		}
	}
}

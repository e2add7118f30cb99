package risk

import (
	"testing"

	"github.com/sotto-dp/sotto/attack"
	"github.com/sotto-dp/sotto/embedding/builtin"
)

func TestAtMostTwentyExposedWordsAreListed(t *testing.T) {
	table, err := builtin.English()
	if err != nil {
		t.Fatal(err)
	}
	var words []attack.Exposure
	for i := range 30 {
		words = append(words, attack.Exposure{Word: 7, Share: &attack.Share{Of: 2 + i}})
	}
	var row attack.Row
	if row.Expose(words, table); len(row.Exposed) != 20 || row.Exposed[3].Word != table.Word(7) || row.Exposed[3].Of != 5 {
		t.Errorf("%d words are listed: %+v", len(row.Exposed), row.Exposed)
	}
	if row.Expose(nil, table); row.Exposed == nil || len(row.Exposed) != 0 {
		t.Errorf("no word: %+v", row.Exposed)
	}
}

package audit

import (
	"bytes"
	"context"
	"encoding/xml"
	"io"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/mechanism"
)

func TestRenderHTMLIsSelfContained(t *testing.T) {
	stage.Unraced(t)
	table := mustTable(t, embedding.Source{Words: []string{"<b>", "a&b", "c"}, Dim: 1, Vectors: []float32{0, 1, 3}})
	entry, m := open(t, table, "tem", mechanism.Spec{Epsilon: 2})
	f, err := certify(context.Background(), entry, m.(mechanism.Channel), table, Trial{})
	if err != nil {
		t.Fatal(err)
	}
	drawn, err := plots(context.Background(), f, table)
	if err != nil || len(drawn) != 2 {
		t.Fatalf("%d plots, %v, want two", len(drawn), err)
	}
	drawn = append(drawn, truncatedPlot(0.5), adeptPlot())
	for _, p := range drawn {
		d := xml.NewDecoder(strings.NewReader(p.SVG()))
		for {
			if _, err := d.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", p.title, err)
			}
		}
		if strings.Contains(p.SVG(), "NaN") {
			t.Errorf("%s draws what is not a number", p.title)
		}
	}
	var out bytes.Buffer
	if err := f.renderHTML(&out, drawn); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	for _, bad := range []string{"<script", "src=", "href=", "<b>"} {
		if strings.Contains(text, bad) {
			t.Errorf("the page holds %q", bad)
		}
	}
	if strings.Count(text, "<svg") != 4 || !strings.Contains(text, "certified") {
		t.Error("the page lacks its verdict or its plots")
	}
}

// A channel that loses the same between any two words has plots of what differs.
func TestPlotsOfOneLossShowTheRow(t *testing.T) {
	table := mustTable(t, embedding.Source{Words: []string{"a", "b", "c", "d"}, Dim: 1, Vectors: []float32{0, 1, 3, 4}})
	entry, m := open(t, table, "neighbours", mechanism.Spec{Epsilon: 2, Parameters: mechanism.Values{"neighbours": "2"}})
	f, err := certify(t.Context(), entry, m.(mechanism.Channel), table, Trial{})
	if err != nil {
		t.Fatal(err)
	}
	drawn, err := plots(t.Context(), f, table)
	if err != nil || len(drawn) != 2 || !strings.Contains(drawn[0].about, "4 of 6 lose 2 nats") || drawn[1].x != "epsilon of a word" {
		t.Errorf("%+v, %v", drawn, err)
	}
}

package audit

import (
	"bytes"
	"context"
	"encoding/xml"
	"io"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
)

func TestThePageStandsOnItsOwn(t *testing.T) {
	table := mustTable(t, embedding.Source{Words: []string{"<b>", "a&b", "c"}, Dim: 1, Vectors: []float32{0, 1, 3}})
	entry, m := open(t, table, "tem", mechanism.Spec{Epsilon: 2})
	f, err := Certify(context.Background(), entry, m.(mechanism.Channel), table, "test", nil)
	if err != nil {
		t.Fatal(err)
	}
	plots, err := Plots(context.Background(), f, table)
	if err != nil || len(plots) != 2 {
		t.Fatalf("%d plots, %v, want two", len(plots), err)
	}
	plots = append(plots, truncatedPlot(0.5), adeptPlot())
	for _, p := range plots {
		d := xml.NewDecoder(strings.NewReader(p.SVG()))
		for {
			if _, err := d.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", p.Title, err)
			}
		}
		if strings.Contains(p.SVG(), "NaN") {
			t.Errorf("%s draws what is not a number", p.Title)
		}
	}
	var out bytes.Buffer
	if err := f.RenderHTML(&out, plots); err != nil {
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

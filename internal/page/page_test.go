package page

import (
	"strings"
	"testing"
)

type drawing string

func (d drawing) SVG() string { return string(d) }

// Text is escaped, drawings are not, and nothing on a page is fetched or run.
func TestPageIsSelfContained(t *testing.T) {
	of := New("test", `{{define "title"}}{{.T.Title}}{{end}}{{define "body"}}{{template "figure" .F}}{{template "table" .T}}{{end}}`)
	table := Table{Title: "a <b> c", Head: []string{"one", "empty"}, Rows: [][]Cell{{{Text: "<script>"}, {Text: None}}, {{"2", "1 to 3"}, {Text: None}}}}
	var out strings.Builder
	err := of.Execute(&out, map[string]any{"F": Drawn("title", "", drawing("<svg></svg>")), "T": table.Filled()})
	if err != nil {
		t.Fatal(err)
	}
	page := out.String()
	for _, want := range []string{"<title>a &lt;b&gt; c</title>", "<svg></svg>", "<td>&lt;script&gt;</td>", "<td>2<small>1 to 3</small></td>", "prefers-color-scheme: dark", "width=device-width"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s in\n%s", want, page)
		}
	}
	for _, not := range []string{"<script", "src=", "href=", "url(", "<th>empty"} {
		if strings.Contains(page, not) {
			t.Errorf("%s in\n%s", not, page)
		}
	}
}

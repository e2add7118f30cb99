package audit

import (
	"context"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/page"
)

// Render writes the finding as text: the verdict, one paragraph of reasons, and
// the witness.
func (f *Finding) Render(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", f.Verdict, f.Mechanism)
	fmt.Fprintf(&b, "%s\n\n", f.promise())
	fmt.Fprintf(&b, "%s\n", f.Why)
	if words := f.Witness.words(); words != "" {
		fmt.Fprintf(&b, "\n%s\n", words)
	}
	fmt.Fprintf(&b, "\nmethod      %s", f.Method)
	if f.Draws > 0 {
		fmt.Fprintf(&b, ", %d draws, confidence %.6g", f.Draws, f.Confidence)
	}
	if c := f.Codebook; c != nil {
		fmt.Fprintf(&b, "\ncorpus      %s, %d texts, %d dimensions, sha256 %.12s\n", c.Name, c.Texts, c.Dimensions, c.SHA256)
	} else {
		fmt.Fprintf(&b, "\ntable       %s, %d words, %d dimensions, sha256 %.12s\n", f.Table.Name, f.Table.Words, f.Table.Dimensions, f.Table.SHA256)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// promise returns the audited claim in one line.
func (f *Finding) promise() string {
	if f.Published != nil {
		return fmt.Sprintf("published: %s\nholds:     %s", f.Published, f.Claim)
	}
	return fmt.Sprintf("claims %s", f.Claim)
}

// words describes a witness in plain words.
func (t *Triple) words() string {
	if t == nil {
		return ""
	}
	ratio := t.ProbabilityInput / t.ProbabilityNeighbour
	often := "an outcome that the other input never gives"
	if !math.IsInf(ratio, 1) {
		often = fmt.Sprintf("%.4g times as often", ratio)
	}
	return fmt.Sprintf("If the input was %s, the output is %s with probability %.6g; if it was %s, with probability %.6g: %s.",
		quoted(t.Input), quoted(t.Output), t.ProbabilityInput, quoted(t.Neighbour), t.ProbabilityNeighbour, often)
}

// quoted quotes a single word; a description of several words is unchanged.
func quoted(s string) string {
	if strings.Contains(s, " ") {
		return s
	}
	return "'" + s + "'"
}

// RenderHTML writes one self-contained page: the finding, and plots of its
// evidence. table is the table that was audited, nil for a codebook.
func (f *Finding) RenderHTML(ctx context.Context, w io.Writer, table *embedding.Table) error {
	drawn, err := plots(ctx, f, table)
	if err != nil {
		return err
	}
	return f.renderHTML(w, drawn)
}

func (f *Finding) renderHTML(w io.Writer, drawn []plot) error {
	var figures []page.Figure
	for _, p := range drawn {
		figures = append(figures, page.Drawn(p.title, p.about, p))
	}
	show := func(b Bound) string {
		data, err := b.MarshalJSON()
		if err != nil || !b.Known() {
			return "not known"
		}
		return string(data)
	}
	figuresOf := page.Table{Title: "Figures", Read: true}
	add := func(name, value string) {
		figuresOf.Rows = append(figuresOf.Rows, []page.Cell{{Text: name}, {Text: value}})
	}
	add("epsilon, attained", show(f.EpsilonLow))
	add("epsilon, not exceeded", show(f.EpsilonHigh))
	add("pure epsilon", show(f.PureEpsilon))
	add("delta, attained", show(f.DeltaLow))
	method := string(f.Method)
	if f.Draws > 0 {
		method += fmt.Sprintf(", %d draws, confidence %g", f.Draws, f.Confidence)
	}
	add("method", method)
	if c := f.Codebook; c != nil {
		add("corpus", fmt.Sprintf("%s, %d texts, %d dimensions, sha256 %s", c.Name, c.Texts, c.Dimensions, c.SHA256))
	} else {
		add("table", fmt.Sprintf("%s, %d words, %d dimensions, sha256 %s", f.Table.Name, f.Table.Words, f.Table.Dimensions, f.Table.SHA256))
	}
	return findingPage.Execute(w, map[string]any{"F": f, "Promise": f.promise(), "Words": f.Witness.words(), "Figures": figures, "Table": figuresOf})
}

var findingPage = page.New("audit", `{{define "title"}}{{.F.Verdict}}: {{.F.Mechanism}}{{end}}
{{define "body"}}<style>h1 .certified { color: #2e8b57 } h1 .refuted { color: #e05a47 } h1 .undecided { color: #b08d00 }</style>
<h1><span class="{{.F.Verdict}}">{{.F.Verdict}}</span>: {{.F.Mechanism}}</h1>
<pre>{{.Promise}}</pre>
<p>{{.F.Why}}</p>
{{with .Words}}<p>{{.}}</p>{{end}}
{{template "table" .Table}}
{{range .Figures}}{{template "figure" .}}{{end}}{{end}}`)

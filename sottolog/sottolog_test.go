package sottolog_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/slogtest"
	"time"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/sottolog"
)

// hidden is not in any table, so no draw can return it.
const hidden = "xylophonistic"

func rewriter(t testing.TB) *sotto.Rewriter {
	t.Helper()
	r, err := sotto.Open(t.Context(), sotto.Config{Epsilon: 4, Parameters: map[string]string{"neighbours": "10"}})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func logger(t testing.TB, cfg sottolog.Config) (*slog.Logger, *bytes.Buffer) {
	t.Helper()
	var out bytes.Buffer
	cfg.Rewriter = rewriter(t)
	h, err := sottolog.New(slog.NewJSONHandler(&out, nil), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return slog.New(h), &out
}

func line(t testing.TB, out *bytes.Buffer) map[string]any {
	t.Helper()
	var m map[string]any
	if err := json.Unmarshal(out.Bytes(), &m); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return m
}

type lazy struct{ v slog.Value }

func (l lazy) LogValue() slog.Value { return l.v }

type rude struct{}

func (rude) String() string { panic(hidden) }

func TestNamedAttributesAreRewrittenWhereverTheyStand(t *testing.T) {
	for name, log := range map[string]func(*slog.Logger){
		"a text":          func(l *slog.Logger) { l.Info("m", "note", hidden) },
		"an error":        func(l *slog.Logger) { l.Info("m", "note", errors.New(hidden)) },
		"bytes":           func(l *slog.Logger) { l.Info("m", "note", []byte(hidden)) },
		"lazy":            func(l *slog.Logger) { l.Info("m", "note", lazy{slog.StringValue(hidden)}) },
		"a lazy group":    func(l *slog.Logger) { l.Info("m", "any", lazy{slog.GroupValue(slog.String("note", hidden))}) },
		"in a group":      func(l *slog.Logger) { l.Info("m", slog.Group("a", slog.Group("b", "note", hidden))) },
		"a named group":   func(l *slog.Logger) { l.Info("m", slog.Group("note", "other", hidden)) },
		"an inline group": func(l *slog.Logger) { l.Info("m", slog.Group("", "note", hidden)) },
		"with":            func(l *slog.Logger) { l.With("note", hidden).Info("m") },
		"with a group":    func(l *slog.Logger) { l.WithGroup("g").With("note", hidden).Info("m", "note", hidden) },
		"a path":          func(l *slog.Logger) { l.WithGroup("user").Info("m", "name", hidden) },
		"a key with dots": func(l *slog.Logger) {
			l.Info("m", "user.name", hidden, "x.user.name", hidden, "user.name.first", hidden)
		},
		"dots in a group": func(l *slog.Logger) {
			l.WithGroup("x.user").Info("m", "name", hidden, slog.Group("a.note", "b", hidden))
		},
		"dots after it": func(l *slog.Logger) { l.WithGroup("user").With("name.first", hidden).Info("m", "x.note", hidden) },
		"a named open group": func(l *slog.Logger) {
			l.WithGroup("note").With("a", hidden, "", hidden).WithGroup("b").Info("m", "c", hidden, "", hidden)
		},
		"within a group of dots": func(l *slog.Logger) { l.WithGroup("a.note.b").Info("m", "c", hidden) },
		"a longer path":          func(l *slog.Logger) { l.Info("m", slog.Group("x", slog.Group("user", "name", hidden))) },
	} {
		l, out := logger(t, sottolog.Config{Fields: []string{"note", "user.name"}})
		log(l)
		if s := out.String(); strings.Contains(s, hidden) || strings.Contains(s, sottolog.Withheld) || !strings.Contains(s, `"msg":"m"`) {
			t.Errorf("%s: the record is %s", name, s)
		}
	}
}

func TestOtherAttributesStay(t *testing.T) {
	l, out := logger(t, sottolog.Config{Fields: []string{"user.name"}})
	l.With("a", 1).WithGroup("g").Info(hidden, "name", hidden, slog.Group("user", "id", 7, "name", "x"))
	m := line(t, out)
	g := m["g"].(map[string]any)
	if m["msg"] != hidden || m["a"] != 1.0 || g["name"] != hidden || g["user"].(map[string]any)["id"] != 7.0 {
		t.Errorf("the record is %v", m)
	}
	l, out = logger(t, sottolog.Config{Message: true})
	l.Info(hidden, "name", hidden)
	if m := line(t, out); m["msg"] == hidden || m["name"] != hidden {
		t.Errorf("with the message rewritten, the record is %v", m)
	}
}

func TestWhatCannotBeRewrittenIsWithheld(t *testing.T) {
	refused := func(context.Context, *sotto.Pending) error { return errors.New("refused") }
	for name, c := range map[string]struct {
		cfg   sottolog.Config
		value any
	}{
		"a number":           {sottolog.Config{}, 12},
		"a time":             {sottolog.Config{}, time.Unix(0, 0)},
		"a structure":        {sottolog.Config{}, struct{ Text string }{hidden}},
		"nothing":            {sottolog.Config{}, nil},
		"a panic":            {sottolog.Config{}, rude{}},
		"a refused charge":   {sottolog.Config{Charge: refused}, hidden},
		"a charge's panic":   {sottolog.Config{Charge: func(context.Context, *sotto.Pending) error { panic(hidden) }}, hidden},
		"a marker of choice": {sottolog.Config{Charge: refused, Marker: sottolog.Withheld}, hidden},
	} {
		c.cfg.Fields = []string{"note"}
		l, out := logger(t, c.cfg)
		l.Info("m", "note", c.value)
		if got := line(t, out)["note"]; got != sottolog.Withheld {
			t.Errorf("%s becomes %v", name, got)
		}
	}
}

// A path may lead into a value that is not a group: then all of it is withheld.
func TestStructureThatANamedAttributeMayBeInIsWithheld(t *testing.T) {
	for name, value := range map[string]any{
		"a structure": struct{ Name string }{hidden}, "a map": map[string]any{"name": hidden}, "a list": []any{map[string]string{"name": hidden}},
		"an error": errors.New(hidden), "groups in a list": []slog.Value{slog.GroupValue(slog.String("name", hidden))},
	} {
		l, out := logger(t, sottolog.Config{Fields: []string{"user.name"}})
		l.Info("m", "user", value)
		l.WithGroup("g").With("user", value).Info("m")
		if s := out.String(); strings.Contains(s, hidden) || strings.Count(s, sottolog.Withheld) != 2 {
			t.Errorf("%s: the records are %s", name, s)
		}
	}
}

func TestWithDrawsOnce(t *testing.T) {
	draws := int64(0)
	l, out := logger(t, sottolog.Config{Fields: []string{"note"}, Charge: func(_ context.Context, p *sotto.Pending) error {
		draws += p.Draws()
		return nil
	}})
	with := l.With("note", "the food was good")
	with.Info("one")
	first := line(t, out)["note"]
	out.Reset()
	with.Info("two")
	if second := line(t, out)["note"]; first != second || draws != 4 {
		t.Errorf("%q, then %q, after %d draws", first, second, draws)
	}
}

func TestHandlerKeepsTheContractOfSlog(t *testing.T) {
	var out bytes.Buffer
	h, err := sottolog.New(slog.NewJSONHandler(&out, nil), sottolog.Config{Rewriter: rewriter(t), Fields: []string{"note"}})
	if err != nil {
		t.Fatal(err)
	}
	err = slogtest.TestHandler(h, func() []map[string]any {
		var all []map[string]any
		for _, l := range bytes.Split(bytes.TrimSpace(out.Bytes()), []byte("\n")) {
			var m map[string]any
			if err := json.Unmarshal(l, &m); err != nil {
				t.Fatal(err)
			}
			all = append(all, m)
		}
		return all
	})
	if err != nil {
		t.Error(err)
	}
}

func TestWrongConfigIsRefused(t *testing.T) {
	inner := slog.DiscardHandler
	r := rewriter(t)
	for _, c := range []struct {
		inner slog.Handler
		cfg   sottolog.Config
		want  string
	}{
		{nil, sottolog.Config{Rewriter: r, Message: true}, "sottolog needs a handler"},
		{inner, sottolog.Config{Message: true}, "sottolog needs a rewriter"},
		{inner, sottolog.Config{Rewriter: r}, "sottolog needs fields, or Message"},
		{inner, sottolog.Config{Rewriter: r, Fields: []string{"a..b"}}, `sottolog: field must be a key, or groups and a key with a dot between, got "a..b"`},
	} {
		if _, err := sottolog.New(c.inner, c.cfg); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("the error is %v, want %s", err, c.want)
		}
	}
}

// With a rewriter for whole texts a value becomes a public text, whatever it holds;
// such a rewriter has no table of words.
func TestWholeValuesBecomePublicTexts(t *testing.T) {
	english, err := corpus.English()
	if err != nil {
		t.Fatal(err)
	}
	public := map[string]bool{sottolog.Withheld: false}
	for i := range english.Len() {
		public[english.Text(i)] = true
	}
	r, err := sotto.Open(t.Context(), sotto.Config{Epsilon: 4, Unit: privacy.Text})
	if err != nil {
		t.Fatal(err)
	}
	if r.Table() != nil || r.TableDigest() != "" {
		t.Error("a rewriter of whole texts has a table of words")
	}
	var paid []int64
	var out bytes.Buffer
	h, err := sottolog.New(slog.NewJSONHandler(&out, nil), sottolog.Config{Rewriter: r, Fields: []string{"note", "user"}, Message: true, Charge: func(_ context.Context, p *sotto.Pending) error {
		if paid = append(paid, p.Draws()); len(paid) > 5 {
			return errors.New("exhausted")
		}
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	l := slog.New(h)
	for _, text := range []string{hidden, "", strings.Repeat("long ", 50_000), "\xff"} {
		out.Reset()
		paid = nil
		l.With("note", text).Info("m "+hidden, slog.Group("user", "name", text), "n", 1)
		m := line(t, &out)
		name, _ := m["user"].(map[string]any)["name"].(string)
		for _, got := range []string{m["msg"].(string), m["note"].(string), name} {
			if !public[got] {
				t.Errorf("%.20q is logged as %.80q", text, got)
			}
		}
		if len(paid) != 3 || paid[0] != 1 || m["n"] != 1.0 {
			t.Errorf("%.20q: draws %v paid, %v", text, paid, m)
		}
	}
	out.Reset()
	paid = make([]int64, 5)
	if l.Info(hidden, "note", hidden); strings.Contains(out.String(), hidden) || !strings.Contains(out.String(), sottolog.Withheld) {
		t.Errorf("what is not paid for is logged as %s", out.String())
	}
}

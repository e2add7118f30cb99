// Package sottolog privatises chosen attributes of log records: a
// [log/slog.Handler] that rewrites them and passes the records on to another.
//
// # What it protects
//
// It protects the words in the values of the named attributes, and in the message if
// Message is set, under the rewriter's claim for each token. A value that cannot be
// rewritten, because it is not a text, because the charge was refused, or because of any
// other error, is replaced by a marker. It is never passed on.
//
// A rewriter for whole texts protects each value as a whole, including its length and
// language: the value becomes a public text.
//
// # What it does not protect
//
// It does not protect attribute keys, groups and levels, attributes that are not named
// (including structures under other names), the message unless Message is set, and the
// source position. It does not hide the number and times of records or, unless the claim is
// for whole texts, the number of tokens of each value. Each record is a separate release:
// the same words logged again spend again, and losses add up over all records about a
// person. Attributes given to With are drawn once, when they are given, and every record
// repeats that draw.
package sottolog

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/privacy"
)

// Withheld is the usual marker.
const Withheld = "[withheld]"

// Config says what is rewritten.
type Config struct {
	Rewriter *sotto.Rewriter // required
	// Fields are attribute keys, in any group, or a key with the groups around it,
	// such as user.note. A dot in the key of an attribute or a group counts as the
	// end of a group: user.note is the attribute user.note too. A named group is rewritten
	// with all its contents. If user is not a group but a structure, a map or a list, all
	// of it is withheld, because the note may be in it.
	Fields []string
	// Message rewrites the message too. Messages are usually constants of the program,
	// which need no protection.
	Message bool
	// Charge, if not nil, is called before each draw. If it fails, the value is withheld.
	Charge func(ctx context.Context, p *sotto.Pending) error
	// Marker replaces what is withheld; empty means Withheld.
	Marker string
}

// Handler is a slog.Handler. It is safe for concurrent use if its inner handler is.
type Handler struct {
	inner  slog.Handler
	cfg    Config
	fields [][]string // steps of each field
	groups []string   // that are open
}

var _ slog.Handler = (*Handler)(nil)

// New returns a handler that passes records on to inner.
func New(inner slog.Handler, cfg Config) (*Handler, error) {
	switch {
	case inner == nil:
		return nil, privacy.Missing("sottolog", "a handler", "")
	case cfg.Rewriter == nil:
		return nil, privacy.Missing("sottolog", "a rewriter", "")
	case len(cfg.Fields) == 0 && !cfg.Message:
		return nil, privacy.Missing("sottolog", "fields, or Message", "")
	}
	if cfg.Marker == "" {
		cfg.Marker = Withheld
	}
	h := &Handler{inner: inner, cfg: cfg}
	for _, f := range cfg.Fields {
		steps := strings.Split(f, ".")
		if slices.Contains(steps, "") {
			return nil, privacy.Bad("sottolog", "field", fmt.Sprintf("%q", f), "a key, or groups and a key with a dot between")
		}
		h.fields = append(h.fields, steps)
	}
	return h, nil
}

// Enabled asks the inner handler.
func (h *Handler) Enabled(ctx context.Context, level slog.Level) bool {
	return h.inner.Enabled(ctx, level)
}

// Handle rewrites a record and passes it on.
func (h *Handler) Handle(ctx context.Context, record slog.Record) error {
	message := record.Message
	if h.cfg.Message {
		message = h.private(ctx, message)
	}
	out := slog.NewRecord(record.Time, record.Level, message, record.PC)
	record.Attrs(func(a slog.Attr) bool {
		out.AddAttrs(h.attribute(ctx, h.groups, a))
		return true
	})
	return h.inner.Handle(ctx, out)
}

// WithAttrs draws for the attributes immediately: all records repeat that draw.
func (h *Handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	private := make([]slog.Attr, len(attrs))
	for i, a := range attrs {
		private[i] = h.attribute(context.Background(), h.groups, a)
	}
	with := *h
	with.inner = h.inner.WithAttrs(private)
	return &with
}

// WithGroup opens a group.
func (h *Handler) WithGroup(name string) slog.Handler {
	if name == "" {
		return h
	}
	with := *h
	with.inner = h.inner.WithGroup(name)
	with.groups = below(h.groups, name)
	return &with
}

// attribute rewrites one attribute within groups.
func (h *Handler) attribute(ctx context.Context, groups []string, a slog.Attr) slog.Attr {
	value := a.Value.Resolve()
	path := below(groups, a.Key)
	named := h.named(path)
	leads := slices.ContainsFunc(h.fields, func(field []string) bool { return leadsTo(path, field) })
	switch {
	case value.Kind() == slog.KindGroup:
		inside := make([]slog.Attr, len(value.Group()))
		for i, b := range value.Group() {
			inside[i] = h.attribute(ctx, path, b)
		}
		value = slog.GroupValue(inside...)
	case named && a.Equal(slog.Attr{}): // nothing
	case named:
		text, ok := textOf(value)
		if !ok {
			return slog.String(a.Key, h.cfg.Marker)
		}
		return slog.String(a.Key, h.private(ctx, text))
	case leads && value.Kind() == slog.KindAny && value.Any() != nil: // it may hold what a field names
		return slog.String(a.Key, h.cfg.Marker)
	}
	return slog.Attr{Key: a.Key, Value: value}
}

// below returns the path of a key within groups. Loggers write the same path as groups
// or as one key with dots, so both are one here.
func below(groups []string, key string) []string {
	if key == "" { // as of a group that is inline
		return groups
	}
	return append(slices.Clone(groups), strings.Split(key, ".")...)
}

// named reports whether a field names the value at a path, or a group around it. Such a
// group may have been opened by WithGroup.
func (h *Handler) named(path []string) bool {
	for end := 1; end <= len(path); end++ {
		for _, field := range h.fields {
			if len(field) <= end && slices.Equal(field, path[end-len(field):end]) {
				return true
			}
		}
	}
	return false
}

// leadsTo reports whether a field may be inside the value at a path: whether the
// path ends with the first steps of the field, and the field continues.
func leadsTo(path, field []string) bool {
	for n := 1; n < len(field) && n <= len(path); n++ {
		if slices.Equal(field[:n], path[len(path)-n:]) {
			return true
		}
	}
	return false
}

// textOf returns the text of a value, if it has one.
func textOf(v slog.Value) (text string, ok bool) {
	defer func() {
		if recover() != nil { // a method of the value's own
			text, ok = "", false
		}
	}()
	switch v.Kind() {
	case slog.KindString:
		return v.String(), true
	case slog.KindAny:
	default:
		return "", false
	}
	switch v := v.Any().(type) {
	case []byte:
		return string(v), true
	case error:
		return v.Error(), true
	case fmt.Stringer:
		return v.String(), true
	}
	return "", false
}

// private returns the private copy of a text, or the marker.
func (h *Handler) private(ctx context.Context, text string) (out string) {
	out = h.cfg.Marker
	defer func() {
		if recover() != nil {
			out = h.cfg.Marker
		}
	}()
	p, err := h.cfg.Rewriter.Read([][]byte{[]byte(text)})
	if err == nil && h.cfg.Charge != nil {
		err = h.cfg.Charge(ctx, p)
	}
	if err != nil {
		return h.cfg.Marker
	}
	// A record is written even if its context has ended.
	private, err := p.Draw(context.WithoutCancel(ctx))
	if err != nil {
		return h.cfg.Marker
	}
	return string(private[0])
}

package text

import (
	"bytes"
	"encoding/json"
	"slices"
)

// jsonLines holds one JSON document per line. The strings at some paths are texts;
// all other bytes stay.
type jsonLines struct {
	paths   []path
	grouped path // of Options.By
	total   bool // Options.Total
	single  bool // Options.Single
	each    bool // Options.Each
	least   int  // records of a first batch that tell whether a field is there
	// empty is a record that holds nothing but its texts, in the pieces around them. Where
	// fields exclude each other, such as a and a.b, it has the first.
	empty [][]byte
}

func (j *jsonLines) ends(data []byte) int { return wholeLines(data) }

func (j *jsonLines) open(_ *records, o Options) ([]byte, error) {
	if len(o.Fields) == 0 {
		return nil, j.missing()
	}
	for _, f := range o.Fields {
		p, err := parsePath(f)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(j.paths, func(q path) bool { return slices.Equal(q.steps, p.steps) }) {
			if o.Each && o.Single && slices.Contains(p.steps, everyElement) {
				return nil, ManyTexts(f)
			}
			p.optional = o.KeepMissing
			j.paths = append(j.paths, p)
		}
	}
	j.each = o.Each
	if j.total = o.Total; j.total {
		j.single = o.Single && len(j.paths) == 1
		j.empty = emptyDocument(j.paths)
		if o.Each {
			j.empty = make([][]byte, len(j.paths)+1) // a text for each, and nothing written
		}
		if o.Prompt {
			j.least = max(1, o.Records)
		}
	}
	if o.By == "" {
		return nil, nil
	}
	var err error
	if j.grouped, err = parsePath(o.By); err != nil {
		return nil, err
	}
	j.grouped.optional = o.Missing != ""
	for _, p := range j.paths {
		if slices.EqualFunc(p.steps, j.grouped.steps, func(a, b string) bool { return a == b || a == everyElement || b == everyElement }) {
			return nil, groupedByText(o.By)
		}
	}
	return nil, nil
}

func (*jsonLines) missing() error {
	return &FieldError{Missing: true, What: "jsonl needs a field, the path of a string, such as text or items[*].body"}
}

func (j *jsonLines) find(data []byte, line int) ([]span, error) {
	var spans []span
	for at := 0; at < len(data); line++ {
		end, next := cutLine(data, at)
		if !blank(data[at:end]) {
			w := &jsonWalk{data: data[:end], at: at, line: line, total: j.total, each: j.each}
			found, err := findJSON(w, j.paths)
			if err == nil && j.each {
				found = eachPath(w, len(j.paths), at)
			}
			if j.total && (err != nil || j.single && len(found) > 1) {
				found, err = unreadable(data, at, next, j.empty), nil
			}
			if err != nil {
				return nil, err
			}
			spans = append(spans, found...)
		}
		at = next
	}
	return spans, nil
}

// blank reports whether a line is empty to JSON. Other white space is not: it would be
// copied.
func blank(line []byte) bool { return len(bytes.Trim(line, " \t\r\n")) == 0 }

func (j *jsonLines) next(data []byte) int { return nextLine(data) }

func (j *jsonLines) by(data []byte, at, line int) (int, string, bool, error) {
	end, next := cutLine(data, at)
	if blank(data[at:end]) {
		return next, "", false, nil
	}
	if len(j.grouped.steps) == 0 {
		return next, "", true, nil
	}
	if j.total && !json.Valid(data[at:end]) { // a document that something follows
		return next, "", true, nil
	}
	value, err := j.grouped.single(data[at:end], line)
	if err != nil && j.total {
		value, err = "", nil
	}
	return next, value, true, err
}

// lineEnd ends a record that could not be read: no string ends its line.
func (j *jsonLines) lineEnd() string { return "\n" }

func (j *jsonLines) encode(dst, private []byte) []byte { return appendJSON(dst, private) }

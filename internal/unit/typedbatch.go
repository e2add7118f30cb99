package unit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/release"
	"github.com/sotto-dp/sotto/statement"
	"github.com/sotto-dp/sotto/text"
	"github.com/sotto-dp/sotto/text/fault"
	"github.com/sotto-dp/sotto/typed"
)

// FaultKind returns fault.Spans.
func (*UnknownTypeError) FaultKind() fault.Kind { return fault.Spans }

func (e *UnknownTypeError) Error() string {
	return fmt.Sprintf("span %d has a type without a codebook: give the type one", e.Span)
}

// marks is a batch of texts with marks. Of what a mark holds it has the vector, and the words
// of a type without a codebook. With one draw for each value it has the values too, until
// they are drawn.
type marks struct {
	release.Whole
	unit   *Marks
	at     release.Position
	counts statement.Counts

	named  map[string]int // the types of the names that occur
	texts  []markedText
	inputs []inputs   // by type
	words  *tokenized // of the marks of other types
}

// markedText is the copied parts of a text and what is between them.
type markedText struct {
	kept  [][]byte
	slots []slot
}

// slot is where the replacement of a mark is: number at of the inputs of its type, or the
// tokens of part at if the type is -1.
type slot struct{ kind, at int }

// inputs are what is drawn for of one type.
type inputs struct {
	vectors []int8
	texts   []int    // of each input, the text whose source draws it
	values  []string // of each input, if one value has one draw
}

// Read reads the marks of each text.
func (m *Marks) Read(t release.Texts, at release.Position) (release.Batch, error) {
	b := &marks{unit: m, at: at, named: map[string]int{}, texts: make([]markedText, len(t.Bytes)), inputs: make([]inputs, len(m.Types))}
	seen := map[[2]string]int{}    // of a value: its input
	inText := map[[2]string]bool{} // the values of a text
	var other [][]byte
	for i, one := range t.Bytes {
		kept, parts, err := text.Cut(one, t.Spans[i])
		if err != nil {
			return nil, err
		}
		to := &b.texts[i]
		to.kept, to.slots = cloned(kept), make([]slot, 0, len(parts))
		if m.Once != statement.OncePerScope {
			clear(seen)
		}
		if err := m.Check(t.Spans[i]); err != nil {
			return nil, err
		}
		clear(inText)
		draws, alone := 0, 0
		for k, span := range t.Spans[i].Sorted() {
			s := b.slotOf(span, parts[k], i, len(other), seen)
			to.slots = append(to.slots, s)
			if s.kind < 0 {
				other = append(other, parts[k])
				continue
			}
			isNew, isAlone := b.firstOf(s.kind, parts[k], inText)
			draws, alone = draws+isNew, alone+isAlone
		}
		b.counts.Spans += len(to.slots)
		b.counts.Count(0, 0, draws, alone)
	}
	if m.Words != nil {
		b.words = m.Words.Vocabulary.tokenize(other)
		b.counts.RestTokens = len(b.words.tokens)
		b.counts.Draws += len(b.words.tokens)
	}
	return b, nil
}

// cloned returns copies of parts: the input's memory is not read after the draw.
func cloned(parts [][]byte) [][]byte {
	size := 0
	for _, p := range parts {
		size += len(p)
	}
	all, own := make([]byte, 0, size), make([][]byte, len(parts))
	for i, p := range parts {
		from := len(all)
		all = append(all, p...)
		own[i] = all[from:len(all):len(all)]
	}
	return own
}

// kindOf returns the number of the type of a detector's name; false if it has no codebook.
func (b *marks) kindOf(name string) (int, bool) {
	kind, ok := b.named[name]
	if !ok {
		if kind, ok = b.unit.kinds[typed.Known(name)]; !ok {
			kind = -1
		}
		b.named[name] = kind
	}
	return kind, kind >= 0
}

// slotOf returns the slot of a mark. Parts is the number of parts of other types so far.
func (b *marks) slotOf(span text.Span, part []byte, i, parts int, seen map[[2]string]int) slot {
	kind, ok := b.kindOf(span.Type)
	if !ok {
		return slot{-1, parts}
	}
	b.counts.Types |= 1 << kind
	of := &b.inputs[kind]
	if b.unit.Once != "" {
		key := b.keyOf(kind, string(part))
		if at, ok := seen[key]; ok {
			return slot{kind, at}
		}
		seen[key] = len(of.texts)
		of.values = append(of.values, string(part))
	}
	of.vectors = b.unit.Types[kind].Codebook.Encode(of.vectors, part)
	of.texts = append(of.texts, i)
	return slot{kind, len(of.texts) - 1}
}

// keyOf is equal for equal values of a type.
func (b *marks) keyOf(kind int, value string) [2]string {
	return [2]string{b.unit.Types[kind].Name, typed.Fold(value)}
}

// firstOf returns how many draws a mark of a type adds to those of its text, and to those
// that the text would have alone. They do not depend on where a batch ends.
func (b *marks) firstOf(kind int, part []byte, inText map[[2]string]bool) (draws, alone int) {
	if b.unit.Once == "" {
		return 1, 1
	}
	value := string(part)
	key := b.keyOf(kind, value)
	if inText[key] {
		return 0, 0
	}
	inText[key] = true
	if b.unit.Once == statement.OncePerScope && !b.unit.Kept.First(key[0], value) {
		return 0, 1
	}
	return 1, 1
}

func (b *marks) Counted() (statement.Counts, statement.Content) {
	if b.words == nil {
		return b.counts, statement.Content{}
	}
	return b.counts, b.words.content
}

// Length returns the number of marks within their types, each one draw whatever it holds, and
// of tokens of the others.
func (b *marks) Length(text int) int {
	size := len(b.texts[text].slots)
	for _, s := range b.texts[text].slots {
		if s.kind < 0 {
			size += b.words.Length(s.at) - 1
		}
	}
	return size
}

// Draw draws every type, and then the words of marks of other types. Each text has one source
// for all of its marks.
func (b *marks) Draw(ctx context.Context) (release.Drawn, error) {
	from := b.unit.draws.begin(b.at)
	defer from.end()
	of := make([]rand.Source, len(b.texts))
	source := func(text int) rand.Source {
		if of[text] == nil {
			of[text] = from.text(text)
		}
		return of[text]
	}
	values := make([][][]byte, len(b.inputs))
	for kind, in := range b.inputs {
		var err error
		if values[kind], err = b.drawType(ctx, b.unit.Types[kind], in, source); err != nil {
			return release.Drawn{}, err
		}
		b.inputs[kind] = inputs{}
	}
	words, err := b.drawWords(ctx, from.repeat(), source)
	if err != nil {
		return release.Drawn{}, err
	}
	all := release.Drawn{Texts: make([][]byte, len(b.texts)), Pieces: func() [][]string {
		pieces := make([][]string, len(b.texts))
		for i := range b.texts {
			b.write(i, values, words, func(one []byte, from int) { pieces[i] = append(pieces[i], string(one[from:])) })
		}
		return pieces
	}}
	for i := range b.texts {
		all.Texts[i] = b.write(i, values, words, nil)
	}
	return all, nil
}

// write writes a text: its copied parts with what was drawn between them. After each part it
// calls each, if there is one, with the text so far and where the part begins: the parts are
// those of the copy, and no more is read for them.
func (b *marks) write(i int, values [][][]byte, words [][]byte, each func(one []byte, from int)) []byte {
	t := b.texts[i]
	size := spareBytes * len(t.slots)
	for _, k := range t.kept {
		size += len(k)
	}
	one := copied{text: make([]byte, 0, size)}
	add := func(part []byte, drawn bool) {
		from := len(one.text)
		if one.add(part, drawn); each != nil {
			each(one.text, from)
		}
	}
	add(t.kept[0], false)
	for k, s := range t.slots {
		if s.kind >= 0 {
			add(values[s.kind][s.at], true)
		} else {
			add(words[s.at], true)
		}
		add(t.kept[k+1], false)
	}
	return one.text
}

// spareBytes is more than a value takes, on average, with a space beside it.
const spareBytes = 24

var errDrawnValues = errors.New("sotto: the mechanism drew a wrong number of values")

// drawType draws a value of a type's codebook for each of its inputs. A value that the map
// of the scope has keeps its surrogate.
func (b *marks) drawType(ctx context.Context, t Type, in inputs, source func(text int) rand.Source) ([][]byte, error) {
	drawn, err := t.Retriever.Draw(ctx, nil, in.vectors, func(row int) rand.Source { return source(in.texts[row]) })
	if err != nil {
		return nil, err
	}
	if len(drawn) != len(in.texts) {
		return nil, errDrawnValues
	}
	values, all := make([][]byte, len(drawn)), make([]byte, 0, spareBytes*len(drawn))
	for row, place := range drawn {
		from := len(all)
		all = t.Codebook.Append(all, int(place))
		values[row] = all[from:len(all):len(all)]
	}
	kept := b.unit.Kept
	if kept == nil || len(drawn) == 0 {
		return values, nil
	}
	if err := kept.Draws(t.Name, t.Codebook.Digest(), t.Retriever.Claim().Epsilon); err != nil {
		return nil, err
	}
	for row := range values {
		values[row] = []byte(kept.Put(t.Name, in.values[row], int(drawn[row]), string(values[row])))
	}
	return values, nil
}

// drawWords draws the words of the marks of other types, and writes each mark.
func (b *marks) drawWords(ctx context.Context, again bool, source func(text int) rand.Source) ([][]byte, error) {
	if b.words == nil || len(b.words.ends) == 0 {
		return nil, nil
	}
	out := make([]embedding.ID, 0, len(b.words.tokens))
	vocabulary := b.unit.Words.Vocabulary
	tokenizer := vocabulary.Tokenizer()
	defer vocabulary.Done(tokenizer)
	written := make([][]byte, len(b.words.ends))
	for i, t := range b.texts {
		for k, s := range t.slots {
			if s.kind >= 0 {
				continue
			}
			end := b.words.ends[s.at]
			before := len(out)
			var err error
			if out, err = b.unit.untyped.draw(ctx, out, b.words.tokens[end-b.words.Length(s.at):end], again, source(i)); err != nil {
				return nil, err
			}
			if k == 0 && len(bytes.TrimSpace(t.kept[0])) == 0 || endsSentence(t.kept[k]) {
				written[s.at] = tokenizer.Detokenize(nil, out[before:])
			} else {
				written[s.at] = tokenizer.DetokenizeInside(nil, out[before:])
			}
		}
	}
	return written, nil
}

package sotto

import (
	"cmp"
	"iter"
	"math"

	"github.com/sotto-dp/sotto/embedding"
)

// longBytes is the length of the texts of a batch from which they are drawn in parts, far
// above that of usual batches: their tokens, draws and copies would take several times the
// memory of the texts.
const longBytes = 8 << 20

// longFrom returns longBytes, or what a test has in its place.
func (s Stream) longFrom() int { return cmp.Or(s.long, longBytes) }

// tokensAtOnce is the number of tokens of a part. Whatever is seen of parts depends on
// numbers of tokens alone. It is a multiple of the numbers of words that mechanisms draw at
// a time, so seeded draws are those of whole texts.
const tokensAtOnce = 1 << 14

// longBatch is a batch of long texts. They are tokenized twice, to count the tokens and to
// draw, since the cost must be known before the first draw.
type longBatch struct {
	plan    *tokens
	at      Position
	texts   [][]byte
	lengths []int // of each text in tokens, those beyond its cap left out
	beyond  []int // of each text, its tokens beyond the cap
	counts  Counts
	content Content
	tallied []int // by word

	// For one draw per distinct word of a text.
	once     bool
	distinct []embedding.ID // of all texts, each in order of first appearance
	upTo     []int          // for each text, the number of distinct words up to its end
	replaced []embedding.ID // by index in distinct
}

// longReader is the read of a plan for long texts.
type longReader func(texts [][]byte, at Position) (*longBatch, error)

// readSized is readAt, in parts if the texts have at least some length.
func (r *Rewriter) readSized(texts [][]byte, at Position, long int) (*Pending, error) {
	size := 0
	for _, t := range texts {
		size += len(t)
	}
	if r.long == nil || size < long || at.Of != nil && r.noParts != nil {
		return r.readAt(texts, at)
	}
	b, err := r.long(texts, at)
	if err != nil {
		return nil, err
	}
	return r.pending(b, len(texts)), nil
}

func (p *tokens) readLong(texts [][]byte, at Position) (*longBatch, error) {
	b := p.long(texts, at)
	for i := range texts {
		n := b.scan(i, math.MaxInt, nil)
		b.counts.add(n, 0, n, n)
		b.lengths[i] = n
	}
	return b, nil
}

func (p *capped) readLong(texts [][]byte, at Position) (*longBatch, error) {
	b := p.long(texts, at)
	for i := range texts {
		within := p.figures.Allowed
		if at.Of != nil {
			within = max(0, within-at.Of.tokens)
		}
		read := b.scan(i, within, nil)
		beyond, err := p.beyond(read, at.Of)
		if err != nil {
			return nil, err
		}
		b.counts.add(read, beyond, read-beyond, read-beyond)
		b.lengths[i], b.beyond[i] = read-beyond, beyond
	}
	return b, nil
}

func (p *distinct) readLong(texts [][]byte, at Position) (*longBatch, error) {
	b := p.long(texts, at)
	b.once = true
	for i := range texts {
		seen, before := map[embedding.ID]bool{}, len(b.distinct)
		n := b.scan(i, math.MaxInt, func(id embedding.ID) {
			if !seen[id] {
				seen[id] = true
				b.distinct = append(b.distinct, id)
			}
		})
		b.upTo = append(b.upTo, len(b.distinct))
		b.counts.add(n, 0, len(b.distinct)-before, len(b.distinct)-before)
		b.lengths[i] = n
	}
	return b, nil
}

func (p *tokens) long(texts [][]byte, at Position) *longBatch {
	return &longBatch{plan: p, at: at, texts: texts, lengths: make([]int, len(texts)), beyond: make([]int, len(texts)), tallied: make([]int, p.vocabulary.table.Len())}
}

// scan reads the tokens of a text and returns their number. It tallies those within a cap,
// and passes each to found, if that is not nil.
func (b *longBatch) scan(text, within int, found func(embedding.ID)) int {
	tokenizer := b.plan.vocabulary.tokenizer()
	defer b.plan.vocabulary.tokenizers.Put(tokenizer)
	reading := tokenizer.Read(b.texts[text])
	n := 0
	for ids := reading.Next(nil, tokensAtOnce); len(ids) > 0; ids = reading.Next(ids[:0], tokensAtOnce) {
		for _, id := range ids[:min(len(ids), max(0, within-n))] {
			b.tallied[id]++
		}
		if found != nil {
			for _, id := range ids {
				found(id)
			}
		}
		n += len(ids)
	}
	b.content.UnknownTokens += reading.Unknown()
	return n
}

func (b *longBatch) counted() (Counts, Content) { return b.counts, b.content }

func (b *longBatch) length(text int) int { return b.lengths[text] }

func (b *longBatch) tally(w *WordCounts) {
	if w.counts == nil {
		w.counts = make([]int, len(b.tallied))
	}
	for id, n := range b.tallied {
		w.counts[id] += n
	}
	w.other += b.counts.ClampedTokens
}

func (b *longBatch) words(text int) iter.Seq[ReadWord] {
	table := b.plan.vocabulary.table
	return func(yield func(ReadWord) bool) {
		tokenizer := b.plan.vocabulary.tokenizer()
		defer b.plan.vocabulary.tokenizers.Put(tokenizer)
		reading, left := tokenizer.Read(b.texts[text]), b.lengths[text]
		for left > 0 {
			ids := reading.Next(nil, min(left, tokensAtOnce))
			left -= len(ids)
			for _, id := range ids {
				if !yield(ReadWord{table.Word(id), id != table.Unknown()}) {
					return
				}
			}
		}
	}
}

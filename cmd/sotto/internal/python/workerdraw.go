package python

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"math"
	"sync/atomic"
	"unicode/utf8"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/release"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/risk"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/worker"
	"github.com/sotto-dp/sotto/internal/npy"
	"github.com/sotto-dp/sotto/internal/parallel"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/text"
	"github.com/sotto-dp/sotto/text/detect"
)

// textsAtOnce is the number of texts that one goroutine takes.
const textsAtOnce = 64

// drawing are the options of rewrite and embed.
type drawing struct {
	// Call is the number of the call in the session. It selects the streams of seeded
	// draws.
	Call uint64 `json:"call"`
	// From is the number of the request's first text in the call, which may come in several
	// requests.
	From uint64 `json:"from"`
	// Spans are the marks of each text, if the session takes marks.
	Spans []text.Spans `json:"spans"`
}

// at returns the position of a text of the request.
func (d drawing) at(text int) sotto.Position {
	return sotto.Position{Batch: d.Call, Text: d.From + uint64(text)}
}

// begin reads the texts and options of a request.
func (s *session) begin(r worker.Request, payload []byte) (texts [][]byte, d drawing, err error) {
	if texts, err = worker.SplitTexts(payload, r.Texts); err != nil {
		return nil, d, err
	}
	if r.Options != nil {
		if err := json.Unmarshal(r.Options, &d); err != nil {
			return nil, d, cli.WrongUsage("", "worker: the options of %s are malformed", r.Op)
		}
	}
	if s.claim.Unit == privacy.Text {
		return texts, d, nil // any text is drawn for
	}
	for i, t := range texts {
		if !utf8.Valid(t) {
			return nil, d, cli.WrongUsage("", "text %d is not valid UTF-8", d.From+uint64(i))
		}
	}
	return texts, d, nil
}

// read reads texts in blocks, and returns what drawing for them would spend.
func (s *session) read(ctx context.Context, texts [][]byte, d drawing) (pending []*sotto.Pending, counts sotto.Counts, err error) {
	if s.rewriter == nil {
		return nil, counts, cli.WrongUsage("", "this session embeds")
	}
	spans, err := s.spans(texts, d)
	if err != nil {
		return nil, counts, err
	}
	vectors, err := s.vectors(texts)
	if err != nil {
		return nil, counts, err
	}
	pending = make([]*sotto.Pending, (len(texts)+textsAtOnce-1)/textsAtOnce)
	err = parallel.Blocked(ctx, len(texts), textsAtOnce, func(_ context.Context, from, to int) (err error) {
		if s.brought > 0 {
			pending[from/textsAtOnce], err = s.rewriter.ReadVectors(vectors[from:to], d.at(from))
			return err
		}
		if s.marked || s.detect {
			pending[from/textsAtOnce], err = s.rewriter.ReadSpans(texts[from:to], spans[from:to], d.at(from))
			return err
		}
		pending[from/textsAtOnce], err = s.rewriter.ReadAt(texts[from:to], d.at(from))
		return err
	})
	if err != nil {
		return nil, counts, err
	}
	for _, p := range pending {
		counts.Add(p.Counts())
	}
	return pending, counts, nil
}

// spans returns the marks of texts: those that came with them, and those of what has a shape.
func (s *session) spans(texts [][]byte, d drawing) ([]text.Spans, error) {
	switch {
	case s.marked && len(d.Spans) != len(texts):
		return nil, cli.WrongUsage("", "%d texts came with %d lists of marks", len(texts), len(d.Spans))
	case !s.marked && !s.detect:
		return nil, nil
	}
	all := make([]text.Spans, len(texts))
	for i, t := range texts {
		if s.marked {
			all[i] = d.Spans[i]
		}
		err := all[i].Check(t)
		if err == nil && s.detect {
			all[i], err = detect.Patterns(t, all[i])
		}
		if err != nil {
			return nil, cli.WrongUsage("", "marks of text %d: %v", d.From+uint64(i), err)
		}
	}
	return all, nil
}

// rewrite draws for texts that an account, if there is one, has paid for.
func (s *session) rewrite(ctx context.Context, r worker.Request, payload []byte, progress func(done, total int)) (none worker.Reply, err error) {
	texts, d, err := s.begin(r, payload)
	if err != nil {
		return none, err
	}
	pending, counts, err := s.read(ctx, texts, d)
	if err == nil {
		err = s.settle(d, counts)
	}
	if err != nil {
		return none, err
	}
	drawn := make([][]byte, len(texts))
	var done atomic.Int64
	err = parallel.Blocked(ctx, len(texts), textsAtOnce, func(ctx context.Context, from, to int) error {
		copies, err := pending[from/textsAtOnce].Draw(ctx)
		copy(drawn[from:to], copies)
		progress(int(done.Add(int64(to-from))), len(texts))
		return err
	})
	if err != nil {
		return none, err
	}
	counts = sotto.Counts{}
	for _, p := range pending {
		counts.Add(p.Counts()) // with what identifies the copies
	}
	statement := s.rewriter.Statement(counts)
	// The loss of the longest text follows from public counts. The share of words that stay
	// does not, and clients may log the answer: use cost for it.
	result := map[string]any{"counts": release.Stated(counts, statement), "longest": statement.Cost().EpsilonLongest}
	return worker.Reply{Result: result, Texts: len(drawn), Payload: worker.JoinTexts(drawn)}, nil
}

// embed draws vectors. The payload of the reply is one array of float32 in NumPy's format,
// with the rows of all texts one after the other.
func (s *session) embed(ctx context.Context, r worker.Request, payload []byte, progress func(done, total int)) (none worker.Reply, err error) {
	if s.embedder == nil {
		return none, cli.WrongUsage("", "this session rewrites")
	}
	texts, d, err := s.begin(r, payload)
	if err != nil {
		return none, err
	}
	clear, err := s.vectors(texts)
	if err != nil {
		return none, err
	}
	blocks := (len(texts) + textsAtOnce - 1) / textsAtOnce
	data, counted := make([][]byte, blocks), make([]sotto.Counts, blocks)
	rows := make([]int, len(texts))
	var done atomic.Int64
	err = parallel.Blocked(ctx, len(texts), textsAtOnce, func(ctx context.Context, from, to int) error {
		vectors, counts, err := s.drawVectors(ctx, texts[from:to], clear, d.at(from), from)
		if err != nil {
			return err
		}
		for i, v := range vectors {
			rows[from+i] = v.Rows
			for _, x := range v.Components {
				data[from/textsAtOnce] = binary.LittleEndian.AppendUint32(data[from/textsAtOnce], math.Float32bits(x))
			}
		}
		counted[from/textsAtOnce] = counts
		progress(int(done.Add(int64(to-from))), len(texts))
		return nil
	})
	if err != nil {
		return none, err
	}
	var counts sotto.Counts
	for _, c := range counted {
		counts.Add(c)
	}
	all := 0
	for _, n := range rows {
		all += n
	}
	result := map[string]any{"counts": release.Stated(counts, s.embedder.Statement(counts).Statement)}
	if s.claim.Unit != privacy.Text {
		result["rows"] = rows
	}
	return worker.Reply{Result: result, Payload: append([][]byte{npy.Header(all, s.embedder.Dimensions())}, data...)}, nil
}

// explain returns what sotto explain --json prints, of the session's texts.
func (s *session) explain(r worker.Request, payload []byte) (none worker.Reply, err error) {
	texts, err := worker.SplitTexts(payload, r.Texts)
	if err != nil {
		return none, err
	}
	var o struct {
		Top int `json:"top"`
	}
	if err := json.Unmarshal(r.Options, &o); err != nil {
		return none, cli.WrongUsage("", "worker: the options of explain are malformed")
	}
	if s.marked || s.detect {
		return none, cli.WrongUsage("", "marks are not explained: sotto attack --marks computes how often a value is named")
	}
	if s.rewriter == nil {
		return none, cli.WrongUsage("", "a session that embeds explains nothing: use sotto explain")
	}
	if o.Top < 0 {
		return none, cli.WrongUsage("", "--top must be 0 or more, got %d", o.Top)
	}
	words := make([]string, len(texts))
	for i, t := range texts {
		words[i] = string(t)
	}
	var document map[string]any
	if s.claim.Unit == privacy.Text {
		explained, err := risk.ExplainTexts(s.rewriter, words, o.Top)
		if err != nil {
			return none, err
		}
		document = risk.TextsDocument(s.rewriter, explained)
	} else {
		explained, err := risk.ExplainWords(s.rewriter, words, o.Top)
		if err != nil {
			return none, err
		}
		document = map[string]any{"words": explained, "claim": s.rewriter.Mechanism().Claim()}
	}
	data, err := json.Marshal(document)
	return worker.Reply{Payload: [][]byte{data}}, err
}

// statement returns the privacy statement for counts, which the client adds up.
func (s *session) statement(r worker.Request) (none worker.Reply, err error) {
	var o struct {
		Counts sotto.Counts `json:"counts"`
	}
	if err := json.Unmarshal(r.Options, &o); err != nil {
		return none, cli.WrongUsage("", "worker: the options of statement are malformed")
	}
	var statement any
	if s.rewriter != nil {
		of := s.rewriter.Statement(o.Counts)
		if s.detect {
			of.Detected(detect.Version())
		}
		statement = of
	} else {
		statement = s.embedder.Statement(o.Counts)
	}
	data, err := json.MarshalIndent(statement, "", "  ")
	return worker.Reply{Payload: [][]byte{append(data, '\n')}}, err
}

// settle takes the cost of a request's texts from what its call has paid for.
func (s *session) settle(d drawing, counts sotto.Counts) error {
	if s.payer == nil {
		return nil
	}
	return s.bill.Spend(d.Call, int64(counts.Draws))
}

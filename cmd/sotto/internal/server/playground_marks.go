package server

import (
	"fmt"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/gate"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/wire"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/text"
	"github.com/sotto-dp/sotto/text/detect"
	"github.com/sotto-dp/sotto/typed"
)

// markStops are the epsilons that the page offers for marks of types in order. At 0 nothing
// of a mark remains.
var markStops = []float64{0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8}

const markStart = 4

// readMarks fills in the spans of a reading of marks: those that are given, with what has a
// shape if that is asked for.
func (s *Server) readMarks(e *gate.Exchange, req *wire.ReadRequest, asked *wire.RewriteRequest) error {
	if !req.Typed {
		if req.Spans != nil || req.MarkPatterns {
			return privacy.Bad("serve", "typed", false, "true with spans or mark_patterns: the page shows marks that are replaced within their types")
		}
		return nil
	}
	asked.Typed, asked.Strict, asked.Spans = true, true, req.Spans
	if asked.Spans == nil {
		asked.Spans = make([]text.Spans, len(req.Texts))
	}
	if err := s.checkSpans(e, asked); err != nil || !req.MarkPatterns {
		return err
	}
	for i, t := range req.Texts {
		if t == nil || asked.SpansFault(i) != "" {
			continue // the draft refuses it
		}
		if err := e.Reserve(int64(len(*t)) * shapeMemory); err != nil {
			return err
		}
		found, err := detect.Patterns([]byte(*t), asked.Spans[i])
		if err != nil {
			return err
		}
		asked.Spans[i] = found
	}
	return nil
}

// marksOf lists marks in the order of the text.
func marksOf(spans text.Spans) []wire.ReadMark {
	all := make([]wire.ReadMark, len(spans))
	for i, s := range spans.Sorted() {
		all[i] = wire.ReadMark{Start: s.Start, End: s.End, Type: typed.Known(s.Type)}
	}
	return all
}

// promiseMark is promise for a claim about marks, of the types that occur.
func promiseMark(c privacy.Claim) string {
	const given = " Marks and types are public: they are taken as given. What is not marked stays in clear, and for the whole text there is no guarantee."
	if c.Epsilon == 0 {
		return "For each mark, seeing its replacement changes nothing: whatever it holds, every copy is as likely." + given
	}
	if c.Epsilon > hopeless {
		return fmt.Sprintf("For each mark the odds between any two contents may change by a factor of up to e^%s: that is next to no guarantee.", privacy.Above(c.Epsilon, 4)) + given
	}
	return fmt.Sprintf("For each mark, seeing its replacement changes the odds between any two contents, whatever their length, by a factor of at most %s.", odds(c.Epsilon)) + given
}

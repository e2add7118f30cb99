package sotto

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/text"
	"github.com/sotto-dp/sotto/text/detect"
)

type oneSpan struct{}

func (oneSpan) Rows() int                            { return 1 }
func (oneSpan) Row(int, []byte) ([]text.Span, error) { return nil, nil }

// Records are left out only where each record is by itself: whole texts are all drawn
// for, and line i of the spans is for record i.
func TestRecordsAreNotLeftOutOfWholeTextsAndSpans(t *testing.T) {
	whole, err := Open(t.Context(), Config{Epsilon: 4, Unit: "text"})
	if err != nil {
		t.Fatal(err)
	}
	words, err := Open(t.Context(), Words{Epsilon: 4, Marked: true})
	if err != nil {
		t.Fatal(err)
	}
	fault := func(*text.InputError) error { return nil }
	for _, test := range []struct {
		r *Rewriter
		s Stream
	}{
		{whole, Stream{KeepMissing: true}},
		{whole, Stream{Fault: fault}},
		{words, Stream{KeepMissing: true, Spans: oneSpan{}}},
		{words, Stream{Fault: fault, Spans: oneSpan{}}},
		{words, Stream{KeepMissing: true, Detect: detect.Patterns}},
		{words, Stream{Fault: fault, Detect: detect.Patterns}},
		{words, Stream{Invalid: text.ReplaceInvalid, Detect: detect.Patterns}},
	} {
		test.s.Format, test.s.Fields = text.JSONL, []string{"t"}
		var refused *text.FieldError
		if _, err := test.r.Copy(t.Context(), io.Discard, strings.NewReader("{\"t\":\"late\"}\n"), test.s); !errors.As(err, &refused) {
			t.Errorf("%+v: %v", test.s, err)
		}
	}
}

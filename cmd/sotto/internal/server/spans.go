package server

import (
	"net/http"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/text"
)

// checkSpans refuses spans that the server does not allow, and fields that cannot be
// combined with spans. Options that need a claim for a text refuse them.
func (s *Server) checkSpans(req *RewriteRequest) error {
	switch {
	case req.Spans == nil:
		return nil
	case !s.cfg.Spans:
		return problem(http.StatusForbidden, "spans-refused", "spans leave the rest of a text as it is, and the guarantee depends on them: the server must be started with spans allowed")
	case len(req.Spans) != len(req.Texts):
		return privacy.Bad("serve", "spans", len(req.Spans), "one list per text")
	case req.Account != "":
		return privacy.Bad("serve", "account", nil, "left out with spans: an account bounds the loss of texts, and a text with copied parts has no bound")
	case req.whole():
		return privacy.Bad("serve", "spans", nil, "left out with unit text: what is not marked is copied, so a whole text has no guarantee")
	case req.Consistent || req.Scope != "":
		return privacy.Bad("serve", "consistent", nil, "left out with spans: the same word may also be outside the spans")
	case req.DocumentEpsilon != nil:
		return privacy.Bad("serve", "document_epsilon", nil, "left out with spans: what is not marked is copied, so the loss of a whole text has no bound")
	case req.Pieces:
		return privacy.Bad("serve", "pieces", nil, "left out with spans: copied parts have no pieces")
	}
	return nil
}

// spansFault returns why the spans of an item do not fit its text, or nothing.
func (req *RewriteRequest) spansFault(item int) string {
	if req.Spans == nil {
		return ""
	}
	if err := req.Spans[item].Check([]byte(*req.Texts[item])); err != nil {
		return err.Error()
	}
	return ""
}

// readItems reads texts, with the spans of their items where the request has spans.
func (req *RewriteRequest) readItems(r *sotto.Rewriter, texts [][]byte, items []int) (*sotto.Pending, error) {
	if req.Spans == nil {
		return r.Read(texts)
	}
	spans := make([]text.Spans, len(items))
	for i, item := range items {
		spans[i] = req.Spans[item]
	}
	return r.ReadSpans(texts, spans, sotto.Position{})
}

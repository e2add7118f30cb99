package sottohttp

import (
	"bytes"
	"errors"
	"net/http"
)

// Responses returns a handler that rewrites the fields of each JSON body that
// next writes before it is sent. It buffers a body until it is complete. It drops a body
// that cannot be rewritten: an error status stays, and any other status becomes 500, or 403
// if the charge is refused. It does not offer streaming, push and hijacking to next.
func Responses(next http.Handler, cfg Config) (http.Handler, error) {
	c, err := cfg.open()
	if err != nil {
		return nil, err
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		held := &heldResponse{header: http.Header{}, most: c.MaxBytes}
		next.ServeHTTP(held, r)
		body, err := c.response(r, held)
		if err != nil {
			status := http.StatusInternalServerError
			var refused *refusal
			if held.status >= http.StatusBadRequest {
				status = held.status
			} else if errors.As(err, &refused) && refused.status == http.StatusForbidden {
				status = refused.status
			}
			http.Error(w, http.StatusText(status), status)
			return
		}
		for name, values := range held.header {
			w.Header()[name] = values
		}
		describe(w.Header(), len(body))
		if r.Method == http.MethodHead || held.status == http.StatusNoContent || held.status == http.StatusNotModified {
			w.Header().Del("Content-Length")
		}
		w.WriteHeader(held.code())
		_, _ = w.Write(body)
	}), nil
}

func (c *rewriting) response(r *http.Request, held *heldResponse) ([]byte, error) {
	switch {
	case held.long:
		return nil, &refusal{http.StatusInternalServerError, "the body is too long"}
	case held.body.Len() == 0:
		return nil, nil
	case !isJSON(mediaType(held.header)):
		return nil, &refusal{http.StatusInternalServerError, "the body must be JSON, in UTF-8 and not encoded"}
	}
	return c.document(r.Context(), held.body.Bytes())
}

// heldResponse buffers what a handler writes.
type heldResponse struct {
	header http.Header
	status int
	body   bytes.Buffer
	most   int64
	long   bool
}

func (h *heldResponse) Header() http.Header { return h.header }

func (h *heldResponse) WriteHeader(status int) {
	if h.status == 0 && status >= http.StatusOK { // informational ones are not passed on
		h.status = status
	}
}

func (h *heldResponse) Write(p []byte) (int, error) {
	h.WriteHeader(http.StatusOK)
	if int64(h.body.Len()+len(p)) > h.most {
		h.long = true
		return 0, &refusal{http.StatusInternalServerError, "the body is too long"}
	}
	return h.body.Write(p)
}

func (h *heldResponse) code() int {
	if h.status == 0 {
		return http.StatusOK
	}
	return h.status
}

// Package sottohttp privatises chosen fields of HTTP bodies as they pass:
// [Requests] before a handler sees them, [Responses] before a client does.
//
// # What it protects
//
// It protects the words in the named fields of JSON bodies and, in requests, of forms and
// query strings, under the rewriter's claim for each token. It fails closed: it stops a
// body of another kind, and a body that is encoded, too long or malformed, lacks a required
// field, or holds something other than a text at or before the end of a path. It also stops
// a body whose charge is refused.
//
// A rewriter for whole texts protects each field as a whole, including its length and
// language: the field becomes a public text. Stopping a body still reveals that it was too
// long, malformed or without a text in its place.
//
// # What it does not protect
//
// It does not protect other fields, keys, the order and white space of a document, the
// path, headers and cookies. It does not hide the number, origin, time and duration of
// requests, or the length of each text. A claim for whole texts hides the length, but only
// from the handler or client behind this package. A body is rewritten each time it is sent,
// so a text that is sent again, for example by a client that retries, spends again. Servers
// and proxies in front of this one may record the original.
package sottohttp

import (
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/text"
)

// Config configures what is rewritten.
type Config struct {
	Rewriter *sotto.Rewriter // required
	// Fields are paths of JSON strings, such as note, user.note or items[*].body.
	// Each must be in every body. Keys match in any case and lead through lists, and
	// the key user.note is note in user.
	// In a form user.note is user.note, user[note], user[][note] or user[0].note,
	// and note is note[] too.
	Fields []string
	// Optional are paths that may be missing.
	Optional []string
	// MaxBytes bounds a body; 0 is DefaultMaxBytes.
	MaxBytes int64
	// Charge, if not nil, is called before each draw. If it fails, the response is 403.
	Charge func(ctx context.Context, p *sotto.Pending) error
}

// DefaultMaxBytes is 1 MiB.
const DefaultMaxBytes = 1 << 20

// rewriting is a checked Config.
type rewriting struct {
	Config
	json *text.JSONFields
}

func (c Config) open() (*rewriting, error) {
	switch {
	case c.Rewriter == nil:
		return nil, privacy.Missing("sottohttp", "a rewriter", "")
	case len(c.Fields)+len(c.Optional) == 0:
		return nil, privacy.Missing("sottohttp", "fields", "")
	case c.MaxBytes < 0:
		return nil, privacy.Bad("sottohttp", "most bytes", c.MaxBytes, "0 or more")
	case c.MaxBytes == 0:
		c.MaxBytes = DefaultMaxBytes
	}
	fields, err := text.NewJSONFields(c.Fields, c.Optional)
	return &rewriting{c, fields}, err
}

// refusal is the reason why a body is stopped. Its text holds nothing of the body.
type refusal struct {
	status int
	what   string
}

func (r *refusal) Error() string { return r.what }

// Requests returns a handler that rewrites the fields of each request and hands
// it to next. A request without a body and without the fields in its query
// passes unchanged. Refusals are 400, 403, 413, 415 and 500 with a line of
// text.
func Requests(next http.Handler, cfg Config) (http.Handler, error) {
	c, err := cfg.open()
	if err != nil {
		return nil, err
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		private, err := c.request(w, r)
		if err != nil {
			var refused *refusal
			if !errors.As(err, &refused) {
				refused = &refusal{http.StatusInternalServerError, "the fields cannot be rewritten"}
			}
			http.Error(w, refused.what, refused.status)
			return
		}
		next.ServeHTTP(w, private)
	}), nil
}

func (c *rewriting) request(w http.ResponseWriter, r *http.Request) (*http.Request, error) {
	query, err := c.form(r.Context(), r.URL.RawQuery, false)
	if err != nil {
		return nil, err
	}
	private := r.Clone(r.Context())
	private.URL.RawQuery = query
	private.RequestURI = private.URL.RequestURI()
	private.Form, private.PostForm, private.MultipartForm, private.GetBody = nil, nil, nil, nil
	if r.Body == nil || r.Body == http.NoBody {
		return private, nil
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, c.MaxBytes))
	var long *http.MaxBytesError
	switch {
	case errors.As(err, &long):
		return nil, &refusal{http.StatusRequestEntityTooLarge, "the body is too long"}
	case err != nil:
		return nil, &refusal{http.StatusBadRequest, "the body cannot be read"}
	case len(body) == 0:
		private.Body = http.NoBody
		return private, nil
	}
	kind := mediaType(r.Header)
	switch {
	case isJSON(kind):
		body, err = c.document(r.Context(), body)
	case kind == "application/x-www-form-urlencoded":
		var form string
		form, err = c.form(r.Context(), string(body), true)
		body = []byte(form)
	default:
		err = &refusal{http.StatusUnsupportedMediaType, "the body must be JSON or a form, in UTF-8 and not encoded"}
	}
	if err != nil {
		return nil, err
	}
	describe(private.Header, len(body))
	private.ContentLength, private.TransferEncoding, private.Trailer = int64(len(body)), nil, nil
	private.Body = io.NopCloser(strings.NewReader(string(body)))
	return private, nil
}

// document rewrites a JSON body.
func (c *rewriting) document(ctx context.Context, body []byte) ([]byte, error) {
	found, err := c.json.Find(body)
	var fault *text.InputError
	if errors.As(err, &fault) {
		return nil, &refusal{http.StatusBadRequest, fault.What}
	}
	if err != nil {
		return nil, err
	}
	private, err := c.draw(ctx, found.Texts())
	if err != nil {
		return nil, err
	}
	return found.Replace(private)
}

// form rewrites the fields of an encoded form; required is whether the required
// fields must be there.
func (c *rewriting) form(ctx context.Context, encoded string, required bool) (string, error) {
	if encoded == "" && !required {
		return "", nil
	}
	values, err := url.ParseQuery(encoded)
	if err != nil {
		return "", &refusal{http.StatusBadRequest, "the form is malformed"}
	}
	changed, found := false, map[string]bool{}
	for _, key := range sortedKeys(values) { // so that a seeded run is reproducible
		rewrites := false
		for _, f := range slices.Concat(c.Fields, c.Optional) {
			switch shape := compareNames(namesOf(f), namesOf(key)); shape {
			case sameField:
				rewrites, found[f] = true, true
			case otherShape:
				return "", &refusal{http.StatusBadRequest, "the form has a part of the field " + f + ", or a field that contains it: configure the whole path"}
			}
		}
		if !rewrites {
			continue
		}
		texts := make([][]byte, len(values[key]))
		for i, v := range values[key] {
			texts[i] = []byte(v)
		}
		private, err := c.draw(ctx, texts)
		if err != nil {
			return "", err
		}
		for i, p := range private {
			values[key][i] = string(p)
		}
		changed = true
	}
	for _, f := range c.Fields {
		if required && !found[f] {
			return "", &refusal{http.StatusBadRequest, "there is no field " + f}
		}
	}
	if !changed {
		return encoded, nil
	}
	return values.Encode(), nil
}

func sortedKeys(values url.Values) []string {
	keys := make([]string, 0, len(values))
	for k := range values {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// draw charges for texts and returns their private copies.
func (c *rewriting) draw(ctx context.Context, texts [][]byte) ([][]byte, error) {
	p, err := c.Rewriter.Read(texts)
	if err != nil {
		return nil, err
	}
	if c.Charge != nil {
		if err := c.Charge(ctx, p); err != nil {
			return nil, &refusal{http.StatusForbidden, "the charge is refused"}
		}
	}
	return p.Draw(ctx)
}

// mediaType returns the type of a body that is not encoded and is UTF-8. It returns an
// empty string for any other body, and if headers contradict each other. In another charset
// a field may have other bytes, so a reader could find a field that was not rewritten.
func mediaType(h http.Header) string {
	for _, e := range h.Values("Content-Encoding") {
		if e != "" && !strings.EqualFold(e, "identity") {
			return ""
		}
	}
	if len(h.Values("Content-Type")) != 1 {
		return ""
	}
	kind, parameters, err := mime.ParseMediaType(h.Get("Content-Type"))
	charset := strings.ToLower(parameters["charset"])
	if err != nil || charset != "" && charset != "utf-8" && charset != "utf8" && charset != "us-ascii" {
		return ""
	}
	return kind
}

func isJSON(kind string) bool {
	return kind == "application/json" || strings.HasPrefix(kind, "application/") && strings.HasSuffix(kind, "+json")
}

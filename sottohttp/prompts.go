package sottohttp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/text"
	"github.com/sotto-dp/sotto/typed"
)

// PromptConfig configures [Prompts].
type PromptConfig struct {
	// Marks opens the types. Prompts sets Strict and Distinct, and Kept if it is nil: a value
	// has one surrogate as long as the transport lives.
	Marks sotto.Marks
	// Detect marks a text: names by a detector of yours, and what has a shape by package
	// text/detect. What it misses is sent in clear. Required.
	Detect func(ctx context.Context, prompt []byte) (text.Spans, error)
	// Fields and Optional are paths of the prompts in the body of a request, as in [Config].
	Fields, Optional []string
	// Answers are paths of the texts of a JSON answer in which originals are put back, such
	// as choices[*].message.content; Deltas those of each event of a stream, such as
	// choices[*].delta.content. None are required to be there.
	Answers, Deltas []string
	// MaxBytes bounds a body and an answer that is read; 0 is DefaultMaxBytes.
	MaxBytes int64
	// Charge: see [Config].
	Charge func(ctx context.Context, p *sotto.Pending) error
}

// Prompts returns a transport that replaces marks in what a program sends to a language model,
// and puts the originals back in the answer. The map of both never leaves the process.
//
// It fails closed: a body that is no JSON, is encoded or too long, lacks a prompt or holds
// something else in its place is not sent, and the error repeats nothing of it. A request
// without a body passes. Other fields, headers and the path pass as they are.
//
// Only the surrogates of marks of this request are put back, and only in a successful answer, at the
// configured paths: errors are logged, and two users of one transport must not get each
// other's originals. Surrogates that may mean something else are left ([typed.Map]
// Back), and so is every answer that is encoded, too long or of another kind. A stream of
// events is held until it ends: a surrogate may be cut by any two of them.
//
// The claim is that of marks: for what is marked, given what is not. A model that quotes a
// part of a surrogate, or happens to invent the same name, is not told apart.
func Prompts(ctx context.Context, next http.RoundTripper, cfg PromptConfig) (http.RoundTripper, error) {
	if cfg.Detect == nil {
		return nil, privacy.Missing("sottohttp", "a detector", "")
	}
	if next == nil {
		next = http.DefaultTransport
	}
	cfg.Marks.Strict, cfg.Marks.Distinct = true, true
	if cfg.Marks.Kept == nil {
		cfg.Marks.Kept = typed.NewMap()
	}
	rewriter, err := sotto.Open(ctx, cfg.Marks)
	if err != nil {
		return nil, err
	}
	p := &prompts{next: next, PromptConfig: cfg}
	if p.rewriting, err = (Config{Rewriter: rewriter, Fields: cfg.Fields, Optional: cfg.Optional, MaxBytes: cfg.MaxBytes, Charge: cfg.Charge}).open(); err != nil {
		return nil, err
	}
	p.answers.most = p.rewriting.MaxBytes
	if p.answers.texts, err = text.NewJSONFields(nil, cfg.Answers); err != nil {
		return nil, err
	}
	p.answers.deltas, err = text.NewJSONFields(nil, cfg.Deltas)
	return p, err
}

// prompts is the transport. The rewriting has the fields of requests.
type prompts struct {
	PromptConfig
	rewriting *rewriting
	next      http.RoundTripper
	answers   answers
}

// RoundTrip sends a private copy of a request.
func (p *prompts) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body == nil || r.Body == http.NoBody {
		return p.next.RoundTrip(r)
	}
	body, err := p.body(r)
	var back *typed.Back
	if err == nil {
		body, back, err = p.private(r.Context(), body)
	}
	if err != nil {
		return nil, fmt.Errorf("sottohttp: the request was not sent: %w", err)
	}
	private := r.Clone(r.Context())
	describe(private.Header, len(body))
	// Without it, the transport of package net/http asks for an encoding that it removes itself.
	private.Header.Del("Accept-Encoding")
	private.ContentLength, private.TransferEncoding, private.Trailer = int64(len(body)), nil, nil
	private.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	private.Body, _ = private.GetBody()
	answer, err := p.next.RoundTrip(private)
	if err != nil {
		return nil, err
	}
	if answer.Request == private {
		answer.Request = r
	}
	return answer, p.answers.putBack(answer, back)
}

// body reads and closes the body of a request.
func (p *prompts) body(r *http.Request) ([]byte, error) {
	defer r.Body.Close()
	if !isJSON(mediaType(r.Header)) {
		return nil, errors.New("the body must be JSON, in UTF-8 and not encoded")
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, p.rewriting.MaxBytes+1))
	switch {
	case err != nil:
		return nil, errors.New("the body cannot be read")
	case int64(len(body)) > p.rewriting.MaxBytes:
		return nil, errors.New("the body is too long")
	}
	return body, nil
}

// private replaces the marks of a body. It returns what puts them back.
func (p *prompts) private(ctx context.Context, body []byte) ([]byte, *typed.Back, error) {
	found, err := p.rewriting.json.Find(body)
	if err != nil {
		return nil, nil, errors.New("a prompt is missing, or something else is in its place")
	}
	texts := found.Texts()
	spans := make([]text.Spans, len(texts))
	var values []typed.Value
	var clear [][]byte
	for i, t := range texts {
		if spans[i], err = p.Detect(ctx, t); err != nil {
			return nil, nil, errors.New("the detector failed")
		}
		kept, marked, err := text.Cut(t, spans[i])
		if err != nil {
			return nil, nil, errors.New("the detector's spans do not fit the prompt")
		}
		clear = append(clear, kept...)
		for k, s := range spans[i].Sorted() {
			values = append(values, typed.Value{Type: s.Type, Value: string(marked[k])})
		}
	}
	pending, err := p.rewriting.Rewriter.ReadSpans(texts, spans, sotto.Position{})
	if err != nil {
		return nil, nil, errors.New("a mark has a type without a codebook")
	}
	if p.Charge != nil && p.Charge(ctx, pending) != nil {
		return nil, nil, errors.New("the charge is refused")
	}
	drawn, err := pending.Draw(ctx)
	if err != nil {
		return nil, nil, errors.New("the marks cannot be replaced")
	}
	private, err := found.Replace(drawn)
	if err != nil {
		return nil, nil, errors.New("the prompts cannot be replaced")
	}
	return private, p.Marks.Kept.Back(values, clear), nil
}

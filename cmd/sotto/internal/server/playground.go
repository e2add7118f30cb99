package server

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/gate"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/playground"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/wire"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/segment"
	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/request"
	"github.com/sotto-dp/sotto/text/detect"
	"github.com/sotto-dp/sotto/typed"
)

// The page draws through /v1/rewrite like any client, with the rights of its key. The
// routes below draw nothing.

// playgroundRoutes are the page's files, and the endpoints that only the page uses.
func (s *Server) playgroundRoutes() ([]gate.Route, error) {
	routes := []gate.Route{
		{
			Method: "GET", Pattern: "/v1/playground", Access: gate.Keyed,
			Summary: "Return the settings that the playground may offer this key.",
			Answer:  wire.PlaygroundResponse{}, Handle: s.settings,
		}, {
			Method: "POST", Pattern: "/v1/read", Access: gate.Keyed, Place: true,
			Summary: "Count the tokens of texts and the cost of rewriting them. Nothing is drawn or charged.",
			Request: wire.ReadRequest{}, Answer: wire.ReadResponse{}, Refuses: []int{422}, Handle: s.readTexts,
		}, {
			Method: "POST", Pattern: "/v1/figures", Access: gate.Keyed, Place: true,
			Summary: "Return the exact figures of a setting. Nothing is drawn or charged.",
			Request: wire.FiguresRequest{}, Answer: wire.FiguresResponse{}, Refuses: []int{422}, Handle: s.figures,
		},
	}
	assets, err := playground.Assets()
	for _, a := range assets {
		r := gate.Route{
			Method: "GET", Pattern: a.Path, Answer: gate.Media(a.Type), Also: map[int]any{304: nil},
			Reads: []wire.Header{wire.KnownHeader}, Sets: []wire.Header{wire.EntityHeader}, Handle: page(a),
		}
		if a.Path == "/" {
			r.Pattern, r.Summary = rootPattern, "Show the playground."
		}
		routes = append(routes, r)
	}
	return routes, err
}

// rootPattern matches "/" only, and nothing below it.
const rootPattern = "/{$}"

// pagePolicy lets the page run its own script and style and call its own origin, and
// nothing else.
const pagePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

// page serves one file.
func page(a playground.Asset) func(*gate.Exchange, *http.Request) error {
	cache := "no-cache"
	if a.Forever {
		cache = "public, max-age=31536000, immutable"
	}
	return func(w *gate.Exchange, r *http.Request) error {
		h := w.Header()
		h.Set("Content-Security-Policy", pagePolicy)
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
		h.Set("Cache-Control", cache)
		wire.EntityHeader.Set(w, a.ETag)
		for _, known := range strings.Split(r.Header.Get(wire.KnownHeader.Name), ",") {
			if strings.TrimPrefix(strings.TrimSpace(known), "W/") == a.ETag {
				w.WriteHeader(http.StatusNotModified)
				return nil
			}
		}
		h.Set("Content-Type", a.Type)
		h.Set("Content-Length", fmt.Sprint(len(a.Body)))
		w.WriteHeader(http.StatusOK)
		if r.Method != http.MethodHead {
			_, _ = w.Write(a.Body) // a client that went away is not an error
		}
		return nil
	}
}

func (s *Server) settings(e *gate.Exchange, _ *http.Request) error {
	a := wire.PlaygroundResponse{
		Version: sotto.Version, Keys: s.gate.Keyed(), Uncharged: e.Key.Permits("") && !s.cfg.RequireAccount,
		Ledger: s.accounts != nil, Texts: s.limits.Texts, Text: s.limits.Text, Body: s.limits.Body, Tables: []wire.PlaygroundTable{}, Corpora: []wire.PlaygroundCorpus{},
	}
	if !e.Key.Permits(gate.AnyAccount) { // anyAccount is not the name of an account
		a.Accounts = e.Key.Accounts
	}
	for _, t := range s.cfg.Tables {
		table := wire.PlaygroundTable{Name: t.Name(), Language: t.Segmentation().Language(), Words: t.Len(), Dimensions: t.Dim(), Pieces: t.Segmentation().Kind() == segment.Pieces}
		for _, entry := range catalog.All() {
			table.Members = append(table.Members, s.member(entry, t))
		}
		a.Tables = append(a.Tables, table)
	}
	whole, _ := catalog.Default(mechanism.UseTexts, "")
	offered := s.codebooks
	if s.checkListed() != nil {
		offered = nil // requests for them are refused
	}
	for _, c := range offered {
		a.Corpora = append(a.Corpora, wire.PlaygroundCorpus{Name: c.Name(), Texts: c.Len(), Stops: playground.Stops(whole.Name), Start: wholeStart})
	}
	a.Records = wire.PlaygroundScale{Stops: playground.Stops(whole.Name), Start: recordStart}
	if s.cfg.Spans && a.Uncharged { // no account can pay for copied parts
		a.Marks = &wire.PlaygroundMarks{Types: typed.Types(), Stops: markStops, Start: markStart}
	}
	return wire.Answer(e, http.StatusOK, a)
}

// wholeStart is the initial epsilon for whole texts. Half of the draws are then from the
// set.
const wholeStart = 4

// recordStart is the initial epsilon for the records of a corpus.
const recordStart = 2

// linkageAmong is the number of texts that the risk of a whole text is stated for, as by
// sotto limits.
const linkageAmong = 200

// member determines how a mechanism may be opened, by the same rules as for all requests.
func (s *Server) member(entry mechanism.Entry, table *embedding.Table) wire.PlaygroundMember {
	m := wire.PlaygroundMember{Name: entry.Name, Stops: playground.Stops(entry.Name)}
	m.Recommended = slices.ContainsFunc(entry.DefaultFor, func(d mechanism.Default) bool { return d.Use == mechanism.UseWords })
	m.Start = m.Stops[len(m.Stops)/2]
	if entry.New == nil {
		m.Closed = "vectors-only"
		return m
	}
	o := &wire.Opening{Opening: request.Opening{Mechanism: entry.Name, Epsilon: &m.Start}, Vocabulary: request.Vocabulary{Embeddings: table.Name()}}
	if entry.Standing < privacy.Proved {
		m.Accept, o.Accept = entry.Standing.String(), entry.Standing.String()
	}
	if entry.ShippedWords > 0 && table.Digest() == s.english {
		m.Notion = string(entry.Notion)
		o.Mechanism, o.Notion = "", m.Notion
	}
	if _, err := s.asked(o, reading{}); err != nil {
		m.Closed = wire.ProblemOf(err).Type
	}
	return m
}

func (s *Server) readTexts(e *gate.Exchange, r *http.Request) error {
	e.Private = true
	var req wire.ReadRequest
	if err := e.Decode(&req); err != nil {
		return err
	}
	if err := s.admitTexts(e, len(req.Texts)); err != nil {
		return err
	}
	asked := &wire.RewriteRequest{Texts: req.Texts, Opening: req.Opening}
	if err := s.readMarks(e, &req, asked); err != nil {
		return err
	}
	rewriter, err := s.open(r.Context(), &req.Opening, reading{marked: req.Typed, typed: req.Typed, strict: req.Typed})
	if err != nil {
		return err
	}
	e.Opened(rewriter.Claim().Unit)
	d, err := s.newDraft(e, asked, rewriter)
	if err != nil {
		return err
	}
	if err := s.admitTokens(e, d.pending.Size(), 0); err != nil { // the answer is not held in memory
		return err
	}
	a := wire.ReadResponse{Results: []wire.ReadResult{}, Statement: rewriter.Statement(d.pending.Counts())}
	if a.Promise = promise(rewriter.Claim(), rewriter.Table()); req.Typed { // of the types that occur
		a.Promise = promiseMark(a.Statement.Claim)
	}
	if req.MarkPatterns {
		a.Statement.Detected(detect.Version())
	}
	if claim := rewriter.Claim(); claim.Notion != privacy.None && !req.Typed {
		if cost, err := ledger.Cost(claim, d.pending.Draws()); err == nil {
			a.Cost = &cost
		}
	}
	if claim := rewriter.Claim(); claim.Unit == privacy.Text && claim.Notion == privacy.Pure {
		limit, err := audit.LinkageLimit(claim.Epsilon, linkageAmong)
		if err != nil {
			return err
		}
		a.Linkage = &wire.ReadLinkage{Among: linkageAmong, Limit: limit, Blind: 1.0 / linkageAmong}
	}
	out := wire.NewStream(e)
	out.Around(a, "results", func() {
		text := 0
		for i, refused := range d.results {
			out.Comma(i)
			if refused.Error != "" {
				out.Value(wire.ReadResult{Error: refused.Error})
				continue
			}
			out.Raw(`{`)
			n := 0
			for word := range d.pending.Words(text) {
				if n == 0 {
					out.Raw(`"words":[`)
				}
				out.Comma(n)
				out.Value(word)
				n++
			}
			if n > 0 {
				out.Raw(`]`)
			}
			if req.Typed {
				out.Raw(`"marks":`)
				out.Value(marksOf(asked.Spans[i]))
			}
			out.Raw(`}`)
			text++
		}
	})
	return out.End()
}

package server

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/playground"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/segment"
	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/release"
)

// The page draws through /v1/rewrite like any client, with the rights of its key. The
// routes below draw nothing.

// playgroundRoutes are the page's files, and the endpoints that only the page uses.
func (s *Server) playgroundRoutes() ([]route, error) {
	routes := []route{
		{
			method: "GET", pattern: "/v1/playground", access: keyed,
			summary: "Return the settings that the playground may offer this key.",
			answer:  PlaygroundResponse{}, handle: s.settings,
		}, {
			method: "POST", pattern: "/v1/read", access: keyed, place: true,
			summary: "Count the tokens of texts and the cost of rewriting them. Nothing is drawn or charged.",
			request: ReadRequest{}, answer: ReadResponse{}, refuses: []int{422}, handle: s.readTexts,
		}, {
			method: "POST", pattern: "/v1/figures", access: keyed, place: true,
			summary: "Return the exact figures of a setting. Nothing is drawn or charged.",
			request: FiguresRequest{}, answer: FiguresResponse{}, refuses: []int{422}, handle: s.figures,
		},
	}
	assets, err := playground.Assets()
	for _, a := range assets {
		r := route{
			method: "GET", pattern: a.Path, answer: media(a.Type), also: map[int]any{304: nil},
			reads: []header{knownHeader}, sets: []header{entityHeader}, handle: page(a),
		}
		if a.Path == "/" {
			r.pattern, r.summary = rootPattern, "Show the playground."
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
func page(a playground.Asset) func(*exchange, *http.Request) error {
	cache := "no-cache"
	if a.Forever {
		cache = "public, max-age=31536000, immutable"
	}
	return func(w *exchange, r *http.Request) error {
		h := w.Header()
		h.Set("Content-Security-Policy", pagePolicy)
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
		h.Set("Cache-Control", cache)
		entityHeader.set(w, a.ETag)
		for _, known := range strings.Split(r.Header.Get(knownHeader.name), ",") {
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

// PlaygroundResponse lists what the page may offer.
type PlaygroundResponse struct {
	Version   string             `json:"version"`
	Keys      bool               `json:"keys" doc:"Whether the server needs API keys."`
	Uncharged bool               `json:"uncharged" doc:"Whether this key may draw without an account."`
	Ledger    bool               `json:"ledger" doc:"Whether the server has accounts."`
	Accounts  []string           `json:"accounts" schema:"{\"type\":\"array\",\"items\":{\"type\":\"string\"},\"nullable\":true}" doc:"Accounts of this key; null is any."`
	Texts     int                `json:"texts" doc:"Largest number of texts of one request."`
	Text      int                `json:"text" doc:"Largest size of one text, in bytes."`
	Tables    []PlaygroundTable  `json:"tables"`
	Corpora   []PlaygroundCorpus `json:"corpora" doc:"Corpora of public texts that replace whole texts."`
}

// PlaygroundCorpus is a corpus that requests may name.
type PlaygroundCorpus struct {
	Name  string    `json:"name"`
	Texts int       `json:"texts"`
	Stops []float64 `json:"stops" doc:"Epsilons of a whole text to choose from."`
	Start float64   `json:"start" doc:"Initial epsilon."`
}

// PlaygroundTable is a table that requests may name.
type PlaygroundTable struct {
	Name       string             `json:"name"`
	Language   string             `json:"language" doc:"Language that the rules of the table are for, such as en; empty for any."`
	Words      int                `json:"words"`
	Pieces     bool               `json:"pieces,omitempty" doc:"Whether the words of the table are pieces of words."`
	Dimensions int                `json:"dimensions"`
	Members    []PlaygroundMember `json:"members"`
}

// PlaygroundMember is a mechanism over one table.
type PlaygroundMember struct {
	Name   string    `json:"name"`
	Closed string    `json:"closed,omitempty" doc:"Why this server does not open it: a problem type, or vectors-only."`
	Accept string    `json:"accept,omitempty" doc:"What a request must accept to open it."`
	Notion string    `json:"notion,omitempty" doc:"To be sent in place of the mechanism's name: it opens the mechanism over the words of the table that it ships for."`
	Stops  []float64 `json:"stops" doc:"Epsilons to choose from, in the unit of the claim."`
	Start  float64   `json:"start" doc:"Initial epsilon."`
}

func (s *Server) settings(e *exchange, _ *http.Request) error {
	a := PlaygroundResponse{
		Version: sotto.Version, Keys: s.gate.keyed(), Uncharged: e.key.permits("") && !s.cfg.RequireAccount,
		Ledger: s.accounts != nil, Texts: s.limits.Texts, Text: s.limits.Text, Tables: []PlaygroundTable{}, Corpora: []PlaygroundCorpus{},
	}
	if !e.key.permits(anyAccount) { // anyAccount is not the name of an account
		a.Accounts = e.key.accounts
	}
	for _, t := range s.cfg.Tables {
		table := PlaygroundTable{Name: t.Name(), Language: t.Segmentation().Language(), Words: t.Len(), Dimensions: t.Dim(), Pieces: t.Segmentation().Kind() == segment.Pieces}
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
		a.Corpora = append(a.Corpora, PlaygroundCorpus{Name: c.Name(), Texts: c.Len(), Stops: playground.Stops(whole.Name), Start: wholeStart})
	}
	return answer(e, http.StatusOK, a)
}

// wholeStart is the initial epsilon for whole texts. Half of the draws are then from the
// set.
const wholeStart = 4

// member determines how a mechanism may be opened, by the same rules as for all requests.
func (s *Server) member(entry mechanism.Entry, table *embedding.Table) PlaygroundMember {
	m := PlaygroundMember{Name: entry.Name, Stops: playground.Stops(entry.Name)}
	m.Start = m.Stops[len(m.Stops)/2]
	if entry.New == nil {
		m.Closed = "vectors-only"
		return m
	}
	o := &Opening{Mechanism: entry.Name, Epsilon: &m.Start, Embeddings: table.Name()}
	if entry.Standing < privacy.Proved {
		m.Accept, o.Accept = entry.Standing.String(), entry.Standing.String()
	}
	if entry.ShippedWords > 0 && table.Digest() == s.english {
		m.Notion = string(entry.Notion)
		o.Mechanism, o.Notion = "", m.Notion
	}
	if _, err := s.config(o, reading{}); err != nil {
		m.Closed = problemOf(err).Type
	}
	return m
}

// ReadRequest asks for the tokens and the cost of texts.
type ReadRequest struct {
	Texts []*string `json:"texts" doc:"What to read, one document an item."`
	Opening
}

// ReadResponse reports what would be drawn and what it would cost.
type ReadResponse struct {
	Results   []ReadResult    `json:"results"`
	Promise   string          `json:"promise" doc:"The claim in one sentence for people."`
	Statement sotto.Statement `json:"statement"`
	Cost      *ledger.Amount  `json:"cost" doc:"What an account would be charged; null where no account could pay."`
}

// ReadResult describes one text as it is tokenised. It is as private as the text.
type ReadResult struct {
	Words []release.ReadWord `json:"words,omitempty"`
	Error string             `json:"error,omitempty"`
}

func (s *Server) readTexts(e *exchange, r *http.Request) error {
	e.private = true
	var req ReadRequest
	if err := e.read(&req); err != nil {
		return err
	}
	e.sized = !req.whole()
	if err := s.admitTexts(e, len(req.Texts)); err != nil {
		return err
	}
	rewriter, err := s.open(r.Context(), &req.Opening, reading{})
	if err != nil {
		return err
	}
	d, err := s.newDraft(e, &RewriteRequest{Texts: req.Texts, Opening: req.Opening}, rewriter)
	if err != nil {
		return err
	}
	if err := s.admitTokens(e, d.pending.Size(), 0); err != nil { // the answer is not held in memory
		return err
	}
	a := ReadResponse{Results: []ReadResult{}, Promise: promise(rewriter.Claim(), rewriter.Table()), Statement: rewriter.Statement(d.pending.Counts())}
	if claim := rewriter.Claim(); claim.Notion != privacy.None {
		if cost, err := ledger.Cost(claim, d.pending.Draws()); err == nil {
			a.Cost = &cost
		}
	}
	out := newStream(e)
	out.around(a, "results", func() {
		text := 0
		for i, refused := range d.results {
			out.comma(i)
			if refused.Error != "" {
				out.value(ReadResult{Error: refused.Error})
				continue
			}
			out.raw(`{`)
			n := 0
			for word := range d.pending.Words(text) {
				if n == 0 {
					out.raw(`"words":[`)
				}
				out.comma(n)
				out.value(word)
				n++
			}
			if n > 0 {
				out.raw(`]`)
			}
			out.raw(`}`)
			text++
		}
	})
	return out.end()
}

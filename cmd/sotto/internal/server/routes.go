package server

import (
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/gate"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/wire"
)

// routes are all endpoints.
func (s *Server) routes() []gate.Route {
	return append([]gate.Route{{
		Method: "POST", Pattern: "/v1/rewrite", Access: gate.Keyed, Place: true,
		Summary: "Make private copies of texts.",
		Request: wire.RewriteRequest{}, Answer: wire.RewriteResponse{}, Charge: s.rewrite,
	}, {
		Method: "POST", Pattern: "/v1/cost", Access: gate.Keyed, Place: true,
		Summary: "Count what a rewrite of texts would spend; nothing is drawn or charged.",
		Request: wire.CostRequest{}, Answer: wire.CostResponse{}, Refuses: []int{404, 409, 422}, Handle: s.cost,
	}, {
		Method: "POST", Pattern: "/v1/synthesize", Access: gate.Keyed, Place: true,
		Summary: "Make a private copy of a small corpus of records.",
		Request: wire.SynthesizeRequest{}, Values: recordValues, Answer: wire.SynthesizeResponse{}, Charge: s.synthesize,
	}, {
		Method: "POST", Pattern: "/v1/explain", Access: gate.Keyed, Place: true,
		Summary: "Give the exact output distributions of words.",
		Request: wire.ExplainRequest{}, Answer: wire.ExplainResponse{}, Refuses: []int{422}, Handle: s.explain,
	}, {
		Method: "GET", Pattern: "/v1/mechanisms", Access: gate.Keyed,
		Summary: "List the catalogue: guarantee, standing, paper.",
		Answer:  wire.MechanismsResponse{}, Handle: s.mechanisms,
	}, {
		Method: "GET", Pattern: "/v1/accounts/{id...}", Id: "Name of the account.", Access: gate.Keyed, Place: true,
		Summary: "Show an account: granted, spent, left.",
		Answer:  accountResponse{}, Refuses: []int{400, 404}, Handle: s.account,
	}, {
		Method: "GET", Pattern: "/openapi.json",
		Summary: "Describe this interface.",
		Answer:  map[string]any{}, Handle: s.describeSelf,
	}, {
		Method: "GET", Pattern: "/healthz",
		Summary: "Report that the process runs.",
		Answer:  wire.Health{}, Handle: s.healthz,
	}, {
		Method: "GET", Pattern: "/readyz",
		Summary: "Report whether requests can be answered.",
		Answer:  wire.Health{}, Also: map[int]any{503: wire.Health{}}, Handle: s.readyz,
	}, {
		Method: "GET", Pattern: "/metrics", Access: gate.Admins,
		Summary: "Counters for Prometheus; they hold no text.",
		Answer:  gate.Media("text/plain"), Handle: s.showMetrics,
	}}, s.page...)
}

package server

// routes are all endpoints.
func (s *Server) routes() []route {
	return append([]route{{
		method: "POST", pattern: "/v1/rewrite", access: keyed, place: true,
		summary: "Make private copies of texts.",
		request: RewriteRequest{}, answer: RewriteResponse{}, charge: s.rewrite,
	}, {
		method: "POST", pattern: "/v1/cost", access: keyed, place: true,
		summary: "Count what a rewrite of texts would spend; nothing is drawn or charged.",
		request: CostRequest{}, answer: CostResponse{}, refuses: []int{404, 409, 422}, handle: s.cost,
	}, {
		method: "POST", pattern: "/v1/synthesize", access: keyed, place: true,
		summary: "Make a private copy of a small corpus of records.",
		request: SynthesizeRequest{}, values: recordValues, answer: SynthesizeResponse{}, charge: s.synthesize,
	}, {
		method: "POST", pattern: "/v1/explain", access: keyed, place: true,
		summary: "Give the exact output distributions of words.",
		request: ExplainRequest{}, answer: ExplainResponse{}, refuses: []int{422}, handle: s.explain,
	}, {
		method: "GET", pattern: "/v1/mechanisms", access: keyed,
		summary: "List the catalogue: guarantee, standing, paper.",
		answer:  MechanismsResponse{}, handle: s.mechanisms,
	}, {
		method: "GET", pattern: "/v1/accounts/{id...}", id: "Name of the account.", access: keyed, place: true,
		summary: "Show an account: granted, spent, left.",
		answer:  accountResponse{}, refuses: []int{400, 404}, handle: s.account,
	}, {
		method: "GET", pattern: "/openapi.json",
		summary: "Describe this interface.",
		answer:  map[string]any{}, handle: s.describeSelf,
	}, {
		method: "GET", pattern: "/healthz",
		summary: "Report that the process runs.",
		answer:  Health{}, handle: s.healthz,
	}, {
		method: "GET", pattern: "/readyz",
		summary: "Report whether requests can be answered.",
		answer:  Health{}, also: map[int]any{503: Health{}}, handle: s.readyz,
	}, {
		method: "GET", pattern: "/metrics", access: admins,
		summary: "Counters for Prometheus; they hold no text.",
		answer:  media("text/plain"), handle: s.showMetrics,
	}}, s.page...)
}

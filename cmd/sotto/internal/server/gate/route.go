package gate

import (
	"net/http"
	"slices"
	"strings"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/till"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/wire"
)

// access lists the keys that may use a route.
type access int

const (
	Public access = iota
	Keyed
	Admins
)

// Route declares one endpoint. Requests, OpenAPI, metrics and logs all use this
// declaration, and what follows from its facts is written nowhere else: which headers it
// reads and sets, and which problems it has.
type Route struct {
	Method, Pattern string
	Summary         string // empty for files that the page asks for itself: OpenAPI leaves them out
	Id              string // what {id...} in the pattern means
	Access          access
	Place           bool // takes one of the places for requests in progress

	Request any           // zero value of the JSON type; nil for none
	Values  int           // the most values of its body for each text that a request may have; 0 is 1
	Answer  any           // zero value of the JSON type, or a media
	Also    map[int]any   // other answers that are no problems; nil has no body
	Reads   []wire.Header // beyond those that follow
	Sets    []wire.Header // with its answers that are no problems, beyond those that follow
	Refuses []int         // statuses of problems, beyond those that follow

	// A route has one of two handlers. Only charge can charge an account, because only it
	// gets a payment; for that the mux reads the idempotency key.
	Handle func(*Exchange, *http.Request) error
	Charge func(*Exchange, *http.Request, *till.Payment) error
}

// Media is the type of an answer that is not JSON.
type Media string

// Name is the route in logs and metrics.
func (r *Route) Name() string { return r.Method + " " + r.Pattern }

// Path returns the pattern as OpenAPI writes it.
func (r *Route) Path() string {
	return strings.NewReplacer("{id...}", "{id}", "{$}", "").Replace(r.Pattern)
}

// matches reports whether the route has a path, whatever the method.
func (r *Route) matches(path string) bool {
	prefix, open := strings.CutSuffix(r.Pattern, "{id...}")
	return path == strings.TrimSuffix(r.Pattern, "{$}") || open && strings.HasPrefix(path, prefix)
}

// Charges reports whether requests may charge an account.
func (r *Route) Charges() bool { return r.Charge != nil }

// ReadHeaders returns the headers that the route reads, without those of all requests.
func (r *Route) ReadHeaders() []wire.Header {
	if r.Charges() {
		return append([]wire.Header{wire.KeyHeader}, r.Reads...)
	}
	return r.Reads
}

// SetHeaders returns the headers of the route's answers with a status.
func (r *Route) SetHeaders(status int) []wire.Header {
	headers := []wire.Header{wire.RequestHeader}
	switch {
	case status == http.StatusUnauthorized:
		headers = append(headers, wire.ChallengeHeader)
	case r.Also[status] == nil && (status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable):
		headers = append(headers, wire.RetryHeader)
	case status < 400:
		if headers = append(headers, r.Sets...); r.Charges() && status == http.StatusOK {
			headers = append(headers, wire.ReplayedHeader)
		}
	}
	return headers
}

// Problems returns the statuses of the route's problems, in order.
func (r *Route) Problems() []int {
	all := append([]int{http.StatusInternalServerError}, r.Refuses...)
	if r.Access != Public {
		all = append(all, http.StatusUnauthorized, http.StatusForbidden, http.StatusMisdirectedRequest)
	}
	if r.Place {
		all = append(all, http.StatusTooManyRequests, http.StatusServiceUnavailable)
	}
	if r.Request != nil {
		all = append(all, http.StatusBadRequest, http.StatusRequestTimeout, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType)
	}
	if r.Charges() {
		all = append(all, http.StatusBadRequest, http.StatusNotFound, http.StatusConflict, http.StatusGone,
			http.StatusUnprocessableEntity, http.StatusTooManyRequests, http.StatusServiceUnavailable)
	}
	slices.Sort(all)
	return slices.DeleteFunc(slices.Compact(all), func(status int) bool {
		_, other := r.Also[status]
		return other
	})
}

package server

import (
	"net/http"
	"slices"
	"strings"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/till"
)

// access lists the keys that may use a route.
type access int

const (
	public access = iota
	keyed
	admins
)

// route declares one endpoint. Requests, OpenAPI, metrics and logs all use this
// declaration, and what follows from its facts is written nowhere else: which headers it
// reads and sets, and which problems it has.
type route struct {
	method, pattern string
	summary         string // empty for files that the page asks for itself: OpenAPI leaves them out
	id              string // what {id...} in the pattern means
	access          access
	place           bool // takes one of the places for requests in progress

	request any         // zero value of the JSON type; nil for none
	values  int         // the most values of its body for each text that a request may have; 0 is 1
	answer  any         // zero value of the JSON type, or a media
	also    map[int]any // other answers that are no problems; nil has no body
	reads   []header    // beyond those that follow
	sets    []header    // with its answers that are no problems, beyond those that follow
	refuses []int       // statuses of problems, beyond those that follow

	// A route has one of two handlers. Only charge can charge an account, because only it
	// gets a payment; for that the mux reads the idempotency key.
	handle func(*exchange, *http.Request) error
	charge func(*exchange, *http.Request, *till.Payment) error
}

// media is the type of an answer that is not JSON.
type media string

// name is the route in logs and metrics.
func (r *route) name() string { return r.method + " " + r.pattern }

// path returns the pattern as OpenAPI writes it.
func (r *route) path() string {
	return strings.NewReplacer("{id...}", "{id}", "{$}", "").Replace(r.pattern)
}

// matches reports whether the route has a path, whatever the method.
func (r *route) matches(path string) bool {
	prefix, open := strings.CutSuffix(r.pattern, "{id...}")
	return path == strings.TrimSuffix(r.pattern, "{$}") || open && strings.HasPrefix(path, prefix)
}

// charges reports whether requests may charge an account.
func (r *route) charges() bool { return r.charge != nil }

// readHeaders returns the headers that the route reads, without those of all requests.
func (r *route) readHeaders() []header {
	if r.charges() {
		return append([]header{keyHeader}, r.reads...)
	}
	return r.reads
}

// setHeaders returns the headers of the route's answers with a status.
func (r *route) setHeaders(status int) []header {
	headers := []header{requestHeader}
	switch {
	case status == http.StatusUnauthorized:
		headers = append(headers, challengeHeader)
	case r.also[status] == nil && (status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable):
		headers = append(headers, retryHeader)
	case status < 400:
		if headers = append(headers, r.sets...); r.charges() && status == http.StatusOK {
			headers = append(headers, replayedHeader)
		}
	}
	return headers
}

// problems returns the statuses of the route's problems, in order.
func (r *route) problems() []int {
	all := append([]int{http.StatusInternalServerError}, r.refuses...)
	if r.access != public {
		all = append(all, http.StatusUnauthorized, http.StatusForbidden, http.StatusMisdirectedRequest)
	}
	if r.place {
		all = append(all, http.StatusTooManyRequests, http.StatusServiceUnavailable)
	}
	if r.request != nil {
		all = append(all, http.StatusBadRequest, http.StatusRequestTimeout, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType)
	}
	if r.charges() {
		all = append(all, http.StatusBadRequest, http.StatusNotFound, http.StatusConflict, http.StatusGone,
			http.StatusUnprocessableEntity, http.StatusTooManyRequests, http.StatusServiceUnavailable)
	}
	slices.Sort(all)
	return slices.DeleteFunc(slices.Compact(all), func(status int) bool {
		_, other := r.also[status]
		return other
	})
}

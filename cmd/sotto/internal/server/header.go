package server

import (
	"net/http"

	"github.com/sotto-dp/sotto/ledger"
)

// header is a header of this interface, as OpenAPI describes it. Routes declare theirs.
// Headers that only tell browsers and caches how to treat an answer are not among them.
type header struct {
	name, doc string
	schema    map[string]any
}

var (
	keyHeader = header{"Idempotency-Key", "A retry under the same key gets the same answer and is charged once. Must be unguessable, such as a random UUID, and needs an account.",
		map[string]any{"type": "string", "minLength": minSecret, "maxLength": ledger.MaxKey}}
	replayedHeader  = header{"Idempotent-Replayed", "Present if an earlier request under the same idempotency key was charged and this is its answer.", map[string]any{"type": "string", "enum": []string{"true"}}}
	requestHeader   = header{"X-Request-Id", "Identifier of the request, as in the log.", map[string]any{"type": "string", "format": "uuid"}}
	retryHeader     = header{"Retry-After", "Seconds to wait before a retry. Absent if waiting does not help.", map[string]any{"type": "integer", "format": "int64", "minimum": 1}}
	challengeHeader = header{"WWW-Authenticate", "How to authenticate.", map[string]any{"type": "string"}}
	entityHeader    = header{"ETag", "Version of the file.", map[string]any{"type": "string"}}
	knownHeader     = header{"If-None-Match", "Versions of the file that the client has.", map[string]any{"type": "string"}}
)

// set sets the header of an answer.
func (h header) set(w http.ResponseWriter, value string) { w.Header().Set(h.name, value) }

package sottohttp

import (
	"net/http"
	"strconv"
	"strings"
)

// describe sets the headers of a body of n bytes, and removes those computed
// from the original.
func describe(h http.Header, n int) {
	for _, name := range []string{"Content-Md5", "Digest", "Content-Digest", "Repr-Digest", "Etag", "Trailer", "Signature", "Signature-Input"} {
		h.Del(name)
	}
	for name := range h { // trailers that a handler did not announce
		if strings.HasPrefix(name, http.TrailerPrefix) {
			delete(h, name)
		}
	}
	h.Set("Content-Length", strconv.Itoa(n))
}

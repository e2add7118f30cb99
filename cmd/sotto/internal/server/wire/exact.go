package wire

import (
	"errors"
	"net/http"

	"github.com/sotto-dp/sotto/internal/strictjson"
)

func malformed(detail string) error { return NewProblem(http.StatusBadRequest, "malformed", detail) }

// exact refuses names of fields that occur twice, or in another case: a proxy or a log in
// front of the server may take another one of two.
func exact(data []byte, into any) error {
	switch err := strictjson.Exact(data, into); {
	case errors.Is(err, strictjson.ErrName):
		return malformed("the name of a field has letters of the wrong case: GET /openapi.json lists the fields of each request")
	case err != nil:
		return malformed("an object has a field twice, in the same or another case")
	}
	return nil
}

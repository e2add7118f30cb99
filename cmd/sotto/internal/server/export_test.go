package server

import (
	"crypto/sha256"
	"encoding/json"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/wire"
	"github.com/sotto-dp/sotto/ledger"
)

// RequestHash returns the digest that identifies a retry of the same request.
func RequestHash(body string) ledger.Hash {
	var req wire.RewriteRequest
	if err := wire.Decode([]byte(body), 1000, &req); err != nil {
		panic(err)
	}
	whole, err := json.Marshal(req)
	if err != nil {
		panic(err)
	}
	return sha256.Sum256(whole)
}

// Document returns the OpenAPI document of a server.
func Document(s *Server) []byte { return s.openAPI }

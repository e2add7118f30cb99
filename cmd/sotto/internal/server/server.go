// Package server offers sotto over HTTP, with budgets that cannot be overdrawn.
//
// A rewrite request is decoded, its mechanism is opened, and its texts are cut into words
// and counted. Then the account is charged, durably, and only after that is anything
// drawn. Every error is a problem document (RFC 9457) that repeats no string of the
// request. Logs and metrics hold counts, never text.
//
// Without API keys the server binds to loopback only, and answers only requests for
// loopback host names, so that a web page elsewhere cannot reach it through a host name
// of its own.
package server

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"runtime"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/gate"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/openapi"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/till"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/privacy"
)

// New checks a configuration and returns its server.
func New(cfg Config) (*Server, error) {
	limits, err := cfg.Limits.Resolve()
	if err != nil {
		return nil, err
	}
	if cfg.RequireAccount && cfg.Ledger == nil {
		return nil, privacy.Missing("serve", "a ledger", "accounts are required")
	}
	if cfg.Model != nil && !cfg.Model.Card().Public {
		return nil, privacy.Wrong("serve", "model", "its corpus was not declared public, and the claim depends on that", "train it on a corpus declared public")
	}
	if cfg.Language != nil && !cfg.Language.Card().Public {
		return nil, privacy.Wrong("serve", "language model", "its corpus was not declared public, and the claim depends on that", "train it on a corpus declared public")
	}
	english, err := builtin.English()
	if err != nil {
		return nil, err
	}
	if len(cfg.Tables) == 0 {
		cfg.Tables = []*embedding.Table{english}
	}
	s := &Server{
		accounts: till.Read(cfg.Ledger), limits: limits, log: cfg.Log, tables: map[string]*embedding.Table{}, english: english.Digest(),
		openings: gate.NewOpenings[*sotto.Rewriter](limits.Openings, limits.Mechanisms, limits.OpenWait),
		plans:    gate.NewOpenings[*corpusPlan](limits.Openings, limits.Mechanisms, limits.OpenWait), metrics: gate.NewMetrics(cfg.Ledger),
		explaining: gate.NewTurns(runtime.GOMAXPROCS(0)),
		computing:  gate.NewTurns(1),
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	for _, t := range cfg.Tables {
		if s.tables[t.Name()] != nil {
			return nil, privacy.Wrong("serve", "table", "two tables are named "+t.Name(), "name each once")
		}
		s.tables[t.Name()] = t
	}
	if s.codebooks, err = codebooks(cfg.Corpora, cfg.Tables, cfg.Encode); err != nil {
		return nil, err
	}
	s.gate = gate.New(limits, cfg.Keys, s.log, s.metrics)
	s.cfg = cfg
	s.cfg.Ledger = nil // handlers read s.accounts, and charge by the payment that the mux gives them
	if cfg.Playground {
		if s.page, err = s.playgroundRoutes(); err != nil {
			return nil, err
		}
	}
	if s.openAPI, err = openapi.Describe(s.routes()); err != nil {
		return nil, err
	}
	s.handler = s.gate.Handler(s.routes(), till.New(cfg.Ledger))
	return s, nil
}

// Handler returns the server's handler, without the connection limits that Serve adds.
func (s *Server) Handler() http.Handler { return s.handler }

// SetKeys replaces the accepted keys and logs the names of those that change. A key that is
// revoked or no longer in the list stops working with the next request; with an empty list
// the server refuses everybody. Authentication cannot be switched on or off: SetKeys returns
// an error if keys is nil or if the server was made without keys.
func (s *Server) SetKeys(keys *gate.Keys) error { return s.gate.SetKeys(keys) }

// Serve answers on a listener until ctx ends. Then it accepts no new request, finishes
// those in progress, which may have been charged, and returns nil. A nil certs means
// plain HTTP. Without keys Serve refuses an address that is not loopback.
func (s *Server) Serve(ctx context.Context, listener net.Listener, certs *tls.Config) error {
	if !s.gate.Keyed() && !loopback(listener.Addr()) {
		_ = listener.Close()
		return privacy.Bad("serve", "address", listener.Addr(), "loopback unless API keys are given")
	}
	h := &http.Server{
		Handler: s.handler, ReadHeaderTimeout: s.limits.HeaderTime, ReadTimeout: s.limits.BodyTime,
		WriteTimeout: s.limits.WriteTime, IdleTimeout: s.limits.IdleTime, MaxHeaderBytes: s.limits.Headers,
		// The defaults would let one connection hold a megabyte and 250 requests.
		HTTP2:    &http.HTTP2Config{MaxConcurrentStreams: 64, MaxReceiveBufferPerConnection: 256 << 10, MaxReceiveBufferPerStream: 128 << 10},
		ErrorLog: s.metrics.ErrorLog(),
	}
	open := gate.Bound(listener, s.limits.Connections)
	h.ConnState, h.ConnContext = open.Used, open.Context
	bounded := net.Listener(open)
	if certs != nil {
		certs = certs.Clone()
		certs.NextProtos = []string{"h2", "http/1.1"}
		h.TLSConfig = certs
		bounded = tls.NewListener(bounded, certs)
	}
	failed := make(chan error, 1)
	go func() { failed <- h.Serve(bounded) }()
	s.log.Info("serving", "address", listener.Addr().String(), "tls", certs != nil, "keys", s.gate.Keyed(), "ledger", s.accounts != nil)
	s.warnOfEmptyLedger(ctx)
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	s.stopping.Store(true)
	s.log.Info("stopping")
	defer s.openings.End()
	defer s.plans.End()
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.limits.StopTime)
	defer cancel()
	err := h.Shutdown(grace)
	if errors.Is(err, context.DeadlineExceeded) {
		_ = h.Close()
		err = fmt.Errorf("serve: requests were still in progress %s after the stop", s.limits.StopTime)
	}
	s.log.Info("stopped")
	return err
}

// warnOfEmptyLedger logs that no account has a budget: the ledger's name may be misspelt,
// and the new empty ledger does not contain earlier charges.
func (s *Server) warnOfEmptyLedger(ctx context.Context) {
	if s.accounts == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), gate.BudgetsTime) // whoever stops it early wants to know why too
	defer cancel()
	if accounts, err := s.accounts.Accounts(ctx); err == nil && len(accounts) == 0 {
		s.log.Warn("the ledger has no account: grant a budget, or check the name of the ledger")
	}
}

func loopback(a net.Addr) bool {
	tcp, ok := a.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}

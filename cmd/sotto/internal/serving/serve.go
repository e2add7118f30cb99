// Package serving has the commands of the service: serve, health and key.
package serving

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"log/slog"
	"net"
	"time"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/grammar"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/opening"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/gate"
	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/ledger/open"
)

type ServeCmd struct {
	Listen         string        `default:"127.0.0.1:8080" placeholder:"ADDR" group:"input" help:"Address to listen on; without --keys loopback only."`
	Ledger         string        `path:"ledger" placeholder:"FILE|URL" group:"budget" help:"Ledger of the accounts: SQLite file (created if missing), or postgres://user@host/database."`
	RequireAccount bool          `group:"budget" help:"Rewrite only with an account to charge."`
	KeepAnswers    time.Duration `default:"24h" placeholder:"TIME" group:"advanced" help:"How long the answer under an idempotency key is stored for retries; 0 means forever (default: 24h)."`
	KeepBytes      int64         `default:"1073741824" placeholder:"BYTES" group:"advanced" help:"Bytes of answers stored per account; beyond them a new idempotency key gets 429; 0 means no bound (default: 1 GiB)."`
	Keys           string        `path:"file" placeholder:"FILE" group:"privacy" help:"File of accepted API keys (see sotto key); reloaded at SIGHUP."`
	TLSCert        string        `path:"file" name:"tls-cert" placeholder:"FILE" group:"privacy" help:"Certificate chain for TLS, PEM; reloaded at SIGHUP."`
	TLSKey         string        `path:"file" name:"tls-key" placeholder:"FILE" group:"privacy" help:"Private key for TLS, PEM."`
	Embeddings     []string      `path:"table" placeholder:"NAME|FILE" sep:"none" group:"input" help:"Table that requests may name (repeatable; the first is the default; default: english)."`
	Never          string        `path:"table" placeholder:"FILE|default" group:"privacy" help:"Public list of words that never come out, for every served table. Requests for whole texts are then refused, and so are --corpus, --model and --lm: their texts may have listed words."`
	Corpus         []string      `path:"table" placeholder:"NAME|FILE" sep:"none" group:"input" help:"Corpus of public texts, declared public, that requests for whole texts may name (repeatable; the first is the default; default: english)."`
	Model          string        `path:"read" placeholder:"FILE" group:"input" help:"Model of sotto train autoencoder, declared public, for requests that name adept."`
	LM             string        `name:"lm" path:"read" placeholder:"FILE" group:"input" help:"Model of sotto train language-model, declared public, for requests for a synthetic corpus with from_model."`
	Accept         string        `placeholder:"STANDING" group:"privacy" help:"Let a request open mechanisms whose standing is below proved if it accepts it: refuted or stated."`
	AllowSpans     bool          `group:"privacy" help:"Let a request rewrite only what its spans mark and copy the rest. The guarantee is then conditional on the spans, and there is none for a text."`
	SlowOpenings   bool          `group:"advanced" help:"Let a request open mechanisms that compute for a long time first, such as balanced."`
	Playground     bool          `default:"true" negatable:"" group:"output" help:"Serve the playground, a page to try mechanisms, at / (on by default)."`
	LogFormat      string        `default:"json" enum:"json,text" group:"output" help:"Form of the log on standard error: json or text."`

	MaxBody        int64         `placeholder:"BYTES" group:"advanced" help:"Bytes per request (default: 1 MiB)."`
	MaxTexts       int           `placeholder:"N" group:"advanced" help:"Texts per request (default: 10000)."`
	MaxText        int           `placeholder:"BYTES" group:"advanced" help:"Bytes per text (default: 256 KiB)."`
	MaxTokens      int           `placeholder:"N" group:"advanced" help:"Tokens per request; more get 413 (default: 250000)."`
	MaxProducts    int64         `placeholder:"N" group:"advanced" help:"Component products to compare the texts of one request with a corpus; more get 413 (default: 5e11, ten seconds of a core)."`
	MaxMemory      int64         `placeholder:"BYTES" group:"advanced" help:"Memory of all requests in progress; more get 429 (default: 256 MiB)."`
	MaxMechanisms  int           `placeholder:"N" group:"advanced" help:"Mechanisms kept open, about 30 MB each (default: 16)."`
	MaxRequests    int           `placeholder:"N" group:"advanced" help:"Requests whose bodies have arrived and that are not answered yet; more get 429 (default: 256)."`
	MaxConnections int           `placeholder:"N" group:"advanced" help:"Open connections; a new one closes the longest idle one (default: 1024)."`
	HeaderTimeout  time.Duration `placeholder:"TIME" group:"advanced" help:"Time to send the headers (default: 5s)."`
	BodyTimeout    time.Duration `placeholder:"TIME" group:"advanced" help:"Time to send headers and body (default: 30s)."`
	IdleTimeout    time.Duration `placeholder:"TIME" group:"advanced" help:"Time between requests of a connection (default: 1m)."`
	StopTimeout    time.Duration `placeholder:"TIME" group:"advanced" help:"Time to finish requests in progress at shutdown (default: 1m)."`
}

// Run serves until it is told to stop, then finishes the requests in progress.
func (c *ServeCmd) Run(ctx context.Context, term *cli.Terminal, variables *grammar.Environment) error {
	cfg, pair, err := c.config(ctx, term)
	if err != nil {
		return err
	}
	if len(variables.Used) > 0 {
		cfg.Log.Info("configured by the environment", "variables", variables.Used)
	}
	if c.Ledger != "" {
		if cfg.Ledger, err = open.With(ctx, c.Ledger, open.Create, ledger.Config{Answers: ledger.Keeping{For: c.KeepAnswers, Bytes: c.KeepBytes}}); err != nil {
			return err
		}
		defer closeWithin(cfg.Ledger, ledgerCloseTime, cfg.Log)
	}
	s, err := server.New(cfg)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", c.Listen)
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	c.reload(ctx, s, pair, cfg.Log)
	var certs *tls.Config
	if pair != nil {
		certs = pair.config()
	}
	return s.Serve(ctx, listener, certs)
}

// ledgerCloseTime bounds how long shutdown waits for a batch in progress, after the
// requests have had --stop-timeout. systemd and Docker kill the process after 75 s.
const ledgerCloseTime = 10 * time.Second

// closeWithin closes something that may hang, such as a ledger whose database is gone.
// Giving up is like kill -9, which loses no charge.
func closeWithin(what io.Closer, most time.Duration, log *slog.Logger) {
	closed := make(chan error, 1)
	go func() { closed <- what.Close() }()
	timer := time.NewTimer(most)
	defer timer.Stop()
	select {
	case err := <-closed:
		if err != nil {
			log.Error("the ledger closed with an error", "cause", fmt.Sprintf("%T", err))
		}
	case <-timer.C:
		log.Error("the ledger did not close in time: a request in progress may be charged or not, and its retry under the same key is charged once")
	}
}

// config converts the flags to the server's configuration.
func (c *ServeCmd) config(ctx context.Context, term *cli.Terminal) (cfg server.Config, pair *certificate, err error) {
	cfg = server.Config{RequireAccount: c.RequireAccount, Slow: c.SlowOpenings, Spans: c.AllowSpans, Playground: c.Playground, Cache: cli.UserCache(), Limits: gate.Limits{
		Body: c.MaxBody, Texts: c.MaxTexts, Text: c.MaxText, Tokens: c.MaxTokens, Products: c.MaxProducts, Memory: c.MaxMemory, Mechanisms: c.MaxMechanisms, Requests: c.MaxRequests, Connections: c.MaxConnections,
		HeaderTime: c.HeaderTimeout, BodyTime: c.BodyTimeout, IdleTime: c.IdleTimeout, StopTime: c.StopTimeout,
	}}
	switch c.Accept {
	case "":
	case "refuted", "stated":
		if err := cfg.Accept.UnmarshalText([]byte(c.Accept)); err != nil {
			return cfg, nil, err
		}
	default:
		return cfg, nil, cli.WrongUsage("", "--accept must be refuted or stated, got %q", c.Accept)
	}
	if err := c.checkListen(); err != nil {
		return cfg, nil, err
	}
	if c.RequireAccount && c.Ledger == "" {
		return cfg, nil, cli.WrongUsage("", "--require-account needs --ledger, the file or URL with the budgets")
	}
	if (c.TLSCert == "") != (c.TLSKey == "") {
		return cfg, nil, cli.WrongUsage("", "--tls-cert and --tls-key must be given together")
	}
	if c.TLSCert != "" {
		pair = &certificate{chain: c.TLSCert, key: c.TLSKey}
		if err := pair.read(); err != nil {
			return cfg, nil, err
		}
	}
	if c.Keys != "" {
		if cfg.Keys, err = readKeys(c.Keys); err != nil {
			return cfg, nil, err
		}
		if cfg.Keys.Len() == 0 {
			return cfg, nil, fmt.Errorf("%s: the file has no key, so every request would be refused; sotto key add NAME --keys FILE adds one", c.Keys)
		}
	}
	if c.Never != "" && (len(c.Corpus) > 0 || c.Model != "" || c.LM != "") {
		return cfg, nil, cli.WrongUsage("run another server for whole texts", "--never cannot be used with --corpus, --model or --lm: their texts may have listed words")
	}
	if c.Never != "" && len(c.Embeddings) == 0 {
		c.Embeddings = []string{builtin.Name}
	}
	if err := c.open(ctx, &cfg); err != nil {
		return cfg, nil, err
	}
	cfg.Log = newLog(term.Err, c.LogFormat)
	return cfg, pair, nil
}

// open opens the tables, corpora and models that requests may use.
func (c *ServeCmd) open(ctx context.Context, cfg *server.Config) (err error) {
	for _, name := range c.Embeddings {
		table, err := opening.Table(ctx, name)
		if err == nil {
			table, err = opening.Without(ctx, table, c.Never)
		}
		if err != nil {
			return err
		}
		cfg.Tables = append(cfg.Tables, table)
	}
	for _, name := range c.Corpus {
		opened, err := opening.Corpus(ctx, name)
		if err != nil {
			return err
		}
		cfg.Corpora = append(cfg.Corpora, opened)
	}
	if c.Model != "" {
		if cfg.Model, err = opening.Model(ctx, c.Model); err != nil {
			return err
		}
	}
	if c.LM != "" {
		if cfg.Language, err = opening.LanguageModel(ctx, c.LM, nil, false); err != nil {
			return err
		}
	}
	return nil
}

// checkListen reports a wrong address before anything is opened. Without keys the server
// itself also refuses any address that is not loopback, whatever its name resolves to.
func (c *ServeCmd) checkListen() error {
	host, port, err := net.SplitHostPort(c.Listen)
	if err != nil {
		return cli.WrongUsage("", "--listen must be HOST:PORT, got %q", c.Listen)
	}
	if _, err := net.LookupPort("tcp", port); err != nil {
		return cli.WrongUsage("", "the port of --listen must be 0 to 65535, got %q", port)
	}
	ip := net.ParseIP(host)
	if c.Keys == "" && host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return cli.WrongUsage("make a key with sotto key add; without keys only loopback is served", "--listen %s needs --keys", c.Listen)
	}
	return nil
}

func newLog(w io.Writer, format string) *slog.Logger {
	if format == "text" {
		return slog.New(slog.NewTextHandler(w, nil))
	}
	return slog.New(slog.NewJSONHandler(w, nil))
}

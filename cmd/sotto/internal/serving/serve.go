// Package serving has the commands of the service: serve, health and key.
package serving

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"log/slog"
	"net"
	"slices"
	"time"

	"github.com/alecthomas/kong"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/grammar"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/opening"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/gate"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/ledger/open"
)

// Run serves until it is told to stop, then finishes the requests in progress.
func (c *ServeCmd) Run(ctx context.Context, parsed *kong.Context, term *cli.Terminal, variables *grammar.Environment) error {
	if err := refuseZero(parsed); err != nil {
		return err
	}
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
	if c.Playground && cli.OnTerminal(term.Err) {
		scheme := "http"
		if pair != nil {
			scheme = "https"
		}
		fmt.Fprintf(term.Err, "Open %s://%s\n", scheme, listener.Addr())
	}
	c.reload(ctx, s, pair, cfg.Log)
	var certs *tls.Config
	if pair != nil {
		certs = pair.config()
	}
	err = s.Serve(ctx, listener, certs)
	if ctx.Err() != nil { // the signal asked for a clean stop, and this says that it was none
		return cli.Final(err)
	}
	return err
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

// pageCorpus is the corpus of a field that the page begins with.
const pageCorpus = "support"

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
		return cfg, nil, cli.WrongUsage("", "give both --tls-cert and --tls-key, or neither")
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
	if len(c.Corpus) == 0 && c.Never == "" && c.Playground && cli.OnTerminal(term.Err) {
		c.Corpus = []string{corpus.EnglishName, pageCorpus} // somebody will look at the page
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
	if c.EncoderProgram != "" {
		if cfg.Encode, err = encoder(ctx, c.EncoderProgram, cfg.Corpora); err != nil {
			return err
		}
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

// encodeTime is how long the encoder may take for a line of texts of a request.
const encodeTime = 30 * time.Second

// encoder starts the program that made the vectors of corpora; ctx ends it.
func encoder(ctx context.Context, command string, corpora []*corpus.Corpus) (corpus.TextEncoder, error) {
	made := slices.DeleteFunc(slices.Clone(corpora), func(c *corpus.Corpus) bool { return c.Card().Encoder.Kind != corpus.Brought })
	if len(made) == 0 {
		return nil, cli.WrongUsage("", "--encoder-program needs a --corpus built with it")
	}
	p, err := opening.EncoderProgram(ctx, command, made[0])
	if err != nil {
		return nil, err
	}
	p.Wait = encodeTime
	context.AfterFunc(ctx, p.Close)
	for _, c := range made[1:] {
		if err := p.Fits(ctx, c); err != nil {
			return nil, err
		}
	}
	return p, nil
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

package serving

import (
	"strings"
	"time"

	"github.com/alecthomas/kong"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
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
	EncoderProgram string        `placeholder:"CMD" group:"input" help:"Command of the program that made the vectors of a --corpus: it makes those of the texts, for all requests. It sees the texts, and must look at one text at a time."`
	Model          string        `path:"read" placeholder:"FILE" group:"input" help:"Model of sotto train autoencoder, declared public, for requests that name adept."`
	LM             string        `name:"lm" path:"read" placeholder:"FILE" group:"input" help:"Model of sotto train language-model, declared public, for requests for a synthetic corpus with from_model."`
	Accept         string        `placeholder:"STANDING" group:"privacy" help:"Let a request open mechanisms whose standing is below proved if it accepts it: refuted or stated."`
	AllowSpans     bool          `group:"privacy" help:"Let a request rewrite only what its spans mark and copy the rest. The guarantee is then conditional on the spans, and there is none for a text."`
	SlowOpenings   bool          `group:"advanced" help:"Let a request open mechanisms that compute for a long time first, such as balanced."`
	Playground     bool          `default:"true" negatable:"" group:"output" help:"Serve the playground, a page to try mechanisms, at / (on by default)."`
	LogFormat      string        `default:"json" enum:"json,text" group:"output" help:"Form of the log on standard error: json or text."`

	MaxBody        int64         `placeholder:"BYTES" group:"advanced" help:"Bytes per request (default: 1 MiB)."`
	MaxTexts       int           `placeholder:"N" group:"advanced" help:"Texts per request (default: 10000)."`
	MaxText        int           `placeholder:"BYTES" group:"advanced" help:"Bytes per text whose length is not protected (default: 256 KiB)."`
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

// refuseZero refuses a limit that is given as 0: the server would take its default, and 0 may
// have been meant as no limit, or as nothing at all.
func refuseZero(parsed *kong.Context) error {
	for _, at := range parsed.Path {
		if at.Flag == nil || !at.Flag.Target.IsZero() {
			continue
		}
		if name := at.Flag.Name; strings.HasPrefix(name, "max-") || strings.HasSuffix(name, "-timeout") {
			return cli.WrongUsage("leave it out for its default", "--%s must be above 0", name)
		}
	}
	return nil
}

package serving

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"time"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
)

type HealthCmd struct {
	URL     string        `arg:"" optional:"" default:"http://127.0.0.1:8080" env:"SOTTO_HEALTH_URL" help:"Address of the service (default: http://127.0.0.1:8080)."`
	Live    bool          `group:"input" help:"Check only that the process answers, not that its ledger can be read."`
	CA      string        `name:"ca" path:"file" placeholder:"FILE" group:"input" help:"CA certificates for the service's, PEM (default: the system's)."`
	Timeout time.Duration `default:"4s" placeholder:"TIME" group:"advanced" help:"Time to answer (default: 4s)."`
}

// Run checks whether a running service is ready, so that a container needs no other
// program for its health check.
func (c *HealthCmd) Run(ctx context.Context, _ *cli.Terminal) error {
	u, err := url.Parse(c.URL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil {
		return cli.WrongUsage("try sotto health http://127.0.0.1:8080", "the address must be http://HOST:PORT or https://HOST:PORT")
	}
	if c.Timeout <= 0 {
		return cli.WrongUsage("", "--timeout must be positive, got %s", c.Timeout)
	}
	transport := &http.Transport{DisableKeepAlives: true} // no proxy: the request is for this service
	if c.CA != "" {
		pool, err := readPool(c.CA)
		if err != nil {
			return err
		}
		transport.TLSClientConfig = &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: pool}
	}
	path := "/readyz"
	if c.Live {
		path = "/healthz"
	}
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	q, err := http.NewRequestWithContext(ctx, http.MethodGet, u.JoinPath(path).String(), nil)
	if err != nil {
		return err
	}
	a, err := transport.RoundTrip(q)
	if err != nil {
		return fmt.Errorf("the service does not answer: %w", withoutAddress(err))
	}
	_ = a.Body.Close()
	switch a.StatusCode {
	case http.StatusOK:
		return nil
	case http.StatusServiceUnavailable:
		return errors.New("the service is not ready: it is stopping, or its ledger cannot be read")
	case http.StatusBadRequest:
		if u.Scheme == "http" {
			return errors.New("the address answers status 400: use https:// if the service has --tls-cert")
		}
	}
	return fmt.Errorf("the address answers status %d: it is of another service or of a proxy", a.StatusCode)
}

func readPool(name string) (*x509.CertPool, error) {
	certificates, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, cli.PlainError(err))
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(certificates) {
		return nil, fmt.Errorf("%s: no PEM certificate in the file", name)
	}
	return pool, nil
}

// withoutAddress returns the cause of a failed connection and, if TLS failed, what to do.
func withoutAddress(err error) error {
	var (
		header    tls.RecordHeaderError
		authority x509.UnknownAuthorityError
		name      x509.HostnameError
		invalid   x509.CertificateInvalidError
		op        *net.OpError
	)
	switch {
	case errors.As(err, &header):
		return errors.New("no TLS at this address: use http:// if the service has no --tls-cert")
	case errors.As(err, &authority):
		return errors.New("no known authority signed its certificate: give the authority's certificate with --ca FILE")
	case errors.As(err, &name):
		return fmt.Errorf("%w: use a name of the certificate in the address", name)
	case errors.As(err, &invalid):
		return fmt.Errorf("%w: renew the certificate of --tls-cert", invalid)
	case errors.As(err, &op) && op.Err != nil:
		return op.Err
	}
	return err
}

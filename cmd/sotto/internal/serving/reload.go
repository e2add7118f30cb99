package serving

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/gate"
)

// certificate is the pair of TLS files, which SIGHUP reloads.
type certificate struct {
	chain, key string
	now        atomic.Pointer[tls.Certificate]
}

func (c *certificate) read() error {
	pair, err := tls.LoadX509KeyPair(c.chain, c.key)
	if err == nil {
		c.now.Store(&pair)
	}
	return err
}

func (c *certificate) config() *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return c.now.Load(), nil }}
}

func readKeys(name string) (*gate.Keys, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, cli.PlainError(err))
	}
	defer f.Close()
	keys, err := gate.ReadKeys(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return keys, nil
}

func rereadKeys(name string) (*gate.Keys, error) {
	if err := regular(name); err != nil {
		return nil, err
	}
	return readKeys(name)
}

// regular refuses pipes. Reading a pipe again blocks until somebody writes, and delays
// every later signal, so that a revoked key would silently keep working.
func regular(name string) error {
	info, err := os.Stat(name)
	if err != nil {
		return fmt.Errorf("%s: %w", name, cli.PlainError(err))
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s: not a regular file, so it cannot be reloaded", name)
	}
	return nil
}

// reload reloads keys and certificate at each SIGHUP until ctx ends. A file that cannot
// be read changes nothing, and is logged.
func (c *ServeCmd) reload(ctx context.Context, s *server.Server, pair *certificate, log *slog.Logger) {
	told := make(chan os.Signal, 1)
	signal.Notify(told, syscall.SIGHUP)
	go func() {
		defer signal.Stop(told)
		for {
			select {
			case <-ctx.Done():
				return
			case <-told:
			}
			if c.Keys != "" {
				keys, err := rereadKeys(c.Keys)
				if err == nil {
					err = s.SetKeys(keys)
				}
				logReload(log, "keys", err)
				if err == nil && keys.Len() == 0 {
					log.Warn("the file has no key: every request that needs one is refused", "what", "keys")
				}
			}
			if pair != nil {
				err := errors.Join(regular(pair.chain), regular(pair.key))
				if err == nil {
					err = pair.read()
				}
				logReload(log, "certificate", err)
			}
		}
	}()
}

// logReload logs what was reloaded. Errors of these files quote no key.
func logReload(log *slog.Logger, what string, err error) {
	if err != nil {
		log.Error("not reloaded, the old one stays in use", "what", what, "cause", err.Error())
		return
	}
	log.Info("read again", "what", what)
}

package postgres

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

const (
	// connectTime is how long one host may take to connect, if the URL does not say.
	connectTime = 10 * time.Second
	// patience is how long the server may take for one statement. One that hangs never answers.
	patience = 30 * time.Second
)

// Open connects to a database.
func Open(ctx context.Context, cfg Config) (*Store, error) { return connect(ctx, cfg, patience) }

func connect(ctx context.Context, cfg Config, patience time.Duration) (_ *Store, err error) {
	s := &Store{name: redact(cfg.URL), patience: patience, readOnly: cfg.ReadOnly}
	if err := CheckAddress(cfg.URL); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			_ = s.Close()
			err = s.wrap(err)
		}
	}()
	config, err := pgxpool.ParseConfig(cfg.URL)
	if err != nil {
		return nil, unread(err)
	}
	if config.ConnConfig.ConnectTimeout == 0 {
		config.ConnConfig.ConnectTimeout = min(connectTime, patience)
	}
	config.ConnConfig.RuntimeParams["application_name"] = "sotto"
	config.ConnConfig.RuntimeParams["synchronous_commit"] = "on"
	// Plans are kept from when the tables were small: they must not scan them later.
	// Where only a scan is possible, its inflated cost must not trigger JIT compilation.
	config.ConnConfig.RuntimeParams["enable_seqscan"] = "off"
	config.ConnConfig.RuntimeParams["jit"] = "off"
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	s.pool = pool
	ctx, cancel := s.soon(ctx)
	defer cancel()
	return s, s.prepare(ctx, cfg)
}

// unread returns why a URL cannot be used. The driver's own text quotes the URL.
func unread(err error) error {
	var file *fs.PathError
	if errors.As(err, &file) {
		return fmt.Errorf("the URL or the environment names the file %q, which cannot be read: %w", file.Path, file.Err)
	}
	return errAddress
}

package postgres

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"
)

// Open connects to a database.
func Open(ctx context.Context, cfg Config) (_ *Store, err error) {
	s := &Store{name: redact(cfg.URL)}
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
		return nil, errAddress // the driver's own text quotes the URL
	}
	config.ConnConfig.RuntimeParams["application_name"] = "sotto"
	config.ConnConfig.RuntimeParams["synchronous_commit"] = "on"
	// Plans are kept from when the tables were small: they must not scan them later.
	// Where only a scan is possible, its inflated cost must not trigger JIT compilation.
	config.ConnConfig.RuntimeParams["enable_seqscan"] = "off"
	config.ConnConfig.RuntimeParams["jit"] = "off"
	if cfg.ReadOnly {
		config.ConnConfig.RuntimeParams["default_transaction_read_only"] = "on"
	}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	s.pool = pool
	return s, s.prepare(ctx, cfg)
}

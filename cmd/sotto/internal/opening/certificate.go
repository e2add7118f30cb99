package opening

import (
	"context"
	"fmt"

	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
)

// Certificate reads a certificate's file.
func Certificate(ctx context.Context, name string) (*audit.Certificate, error) {
	file, err := cli.OpenInput(ctx, name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	cert, err := audit.ReadCertificate(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return cert, nil
}

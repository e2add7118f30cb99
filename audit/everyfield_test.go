package audit

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"

	"github.com/sotto-dp/sotto/internal/altered"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
)

// Whichever field of a certificate is another, with a checksum that is computed again, the
// certificate does not hold. Its version is for information. The caller opened the mechanism by
// its name and by the request. Earlier versions wrote null for a loss of 0.
func TestEveryFieldOfACertificateIsVerified(t *testing.T) {
	stage.Unraced(t)
	table := randomTable(t, 40, 3)
	for _, name := range []string{"neighbours", "exponential", "tem", "response", "classes"} {
		c, m := certificate(t, table, name, mechanism.Spec{Epsilon: 2})
		checkFields(t, c, func(c *Certificate) error { return c.Verify(t.Context(), m, table, nil) })
	}
	entry, _ := catalog.Find("retrieval")
	for _, size := range []string{"5", "40"} {
		spec := mechanism.Spec{Epsilon: 2, Parameters: mechanism.Values{"neighbours": size}}
		f, err := RunTexts(t.Context(), entry, stripes{40, 3}, Options{Spec: spec})
		if err != nil {
			t.Fatal(err)
		}
		r, err := entry.NewRetriever(t.Context(), stripes{40, 3}, spec)
		if err != nil {
			t.Fatal(err)
		}
		checkFields(t, f.Certificate, func(c *Certificate) error { return c.VerifyTexts(t.Context(), r, stripes{40, 3}, nil) })
	}
}

func checkFields(t *testing.T, c *Certificate, verify func(c *Certificate) error) {
	t.Helper()
	data, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	free := []string{"version", "mechanism", "request", "request.epsilon", "request.parameters", "request.parameters.*"}
	if c.PureEpsilon.High == 0 {
		free = append(free, "pure_epsilon")
	}
	first := true
	altered.Check(t, data, 0, free, func(altered []byte) error {
		forged := &Certificate{}
		if err := json.Unmarshal(altered, forged); err != nil {
			return err
		}
		var file bytes.Buffer
		if err := WriteCertificate(&file, forged); err != nil {
			return err
		}
		read, err := ReadCertificate(&file)
		if err != nil {
			return err
		}
		again, err := json.Marshal(read)
		if same := bytes.Equal(again, data); err != nil || same && !first || read.Source == "" {
			return errors.New("not another, or of an earlier version")
		}
		first = false
		return verify(read)
	})
}

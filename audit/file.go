package audit

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/samefields"
	"github.com/sotto-dp/sotto/internal/strictjson"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
)

// OpenedWith sets the request of a certificate to the specification that its mechanism was
// opened with. The published calibration is requested only of a mechanism that has one.
func (c *Certificate) OpenedWith(spec mechanism.Spec) {
	c.Request = RequestOf(spec)
	c.Request.Published = c.published()
}

// published reports whether the parameters in force are the published calibration.
func (c *Certificate) published() bool { return c.Parameters["calibrate"] == "published" }

// RequestOf returns the parts of spec that identify a configured mechanism.
func RequestOf(spec mechanism.Spec) *Request {
	r := &Request{Epsilon: spec.Epsilon, Parameters: mechanism.Values{}, Published: spec.Published}
	maps.Copy(r.Parameters, spec.Parameters)
	return r
}

// Spec returns the specification to open the mechanism with again.
func (r *Request) Spec() mechanism.Spec {
	return mechanism.Spec{Epsilon: r.Epsilon, Parameters: maps.Clone(r.Parameters), Published: r.Published}
}

// certificateFile is the format on disk: the certificate and its checksum. The
// checksum detects accidents; recomputation detects forgery.
type certificateFile struct {
	Format      string       `json:"format"`
	Certificate *Certificate `json:"certificate"`
	SHA256      string       `json:"sha256"`
}

const certificateFormat = "sotto certificate 1"

// WriteCertificate writes a certificate with its checksum.
func WriteCertificate(w io.Writer, c *Certificate) error {
	sum, err := c.checksum()
	if err != nil {
		return err
	}
	data, err := json.MarshalIndent(certificateFile{certificateFormat, c, sum}, "", "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(data, '\n'))
	return err
}

// maxCertificate is far above the size of any certificate.
const maxCertificate = 1 << 20

// ReadCertificate reads what WriteCertificate wrote. It refuses unknown fields, a field
// twice or in another case, anything after the document, and contents that do not match
// the checksum.
func ReadCertificate(r io.Reader) (*Certificate, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxCertificate+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxCertificate {
		return nil, fmt.Errorf("certificate: more than %d bytes", maxCertificate)
	}
	var file certificateFile
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&file); err != nil { // not quoted: it may name parts of a text given by mistake
		return nil, fmt.Errorf("certificate: not in the form %q, near byte %d", certificateFormat, d.InputOffset())
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, fmt.Errorf("certificate: something follows the document")
	}
	if file.Format != certificateFormat || file.Certificate == nil {
		return nil, fmt.Errorf("certificate: not in the form %q", certificateFormat)
	}
	sum, err := file.Certificate.checksum()
	if err != nil {
		return nil, fmt.Errorf("certificate: %w", err)
	}
	if sum != file.SHA256 {
		return nil, fmt.Errorf("certificate: its contents do not match its checksum")
	}
	// The checksum is of the decoded values: another reader may decode others.
	if strictjson.Unmarshal(data, &certificateFile{}) != nil {
		return nil, fmt.Errorf("certificate: it is not in the form of this version: a field is repeated, in another case or in another order")
	}
	return file.Certificate, nil
}

func (c *Certificate) checksum() (string, error) {
	data, err := json.Marshal(c)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:]), nil
}

// Fits returns an error unless the certificate is for this mechanism and table, and
// for the weights of this program's channel format. It recomputes nothing. The program's
// version does not matter.
func (c *Certificate) Fits(name string, m mechanism.Mechanism, table *embedding.Table) error {
	switch {
	case c.Mechanism != name:
		return fmt.Errorf("certificate: it is for mechanism %s, not %s", c.Mechanism, name)
	case c.Codebook != nil:
		return errors.New("certificate: it is for whole texts of a codebook, not for words of a table")
	case c.Table != table.Digest():
		return fmt.Errorf("certificate: it is for another table (%.12s of %d words, not %.12s of %d)", c.Table, c.Words, table.Digest(), table.Len())
	case c.Words != table.Len():
		return fmt.Errorf("certificate: it states %d words, its table has %d", c.Words, table.Len())
	}
	return c.fitsSettings(name, m)
}

// fitsSettings compares the channel format and the parameters in force.
func (c *Certificate) fitsSettings(name string, m Configured) error {
	switch {
	case c.ChannelFormat != mechanism.ChannelFormat:
		return fmt.Errorf("certificate: it is for channel format %d (0: before formats were numbered), this program has %d: it must be made again", c.ChannelFormat, mechanism.ChannelFormat)
	}
	own, stated := written(ParametersOf(m.Settings())), written(c.Parameters)
	for _, key := range slices.Sorted(maps.Keys(own)) {
		if own[key] != stated[key] {
			return fmt.Errorf("certificate: it is for another %s (%s, not %s)", key, orNone(stated[key]), own[key])
		}
	}
	for _, key := range slices.Sorted(maps.Keys(stated)) {
		if _, ok := own[key]; !ok {
			return fmt.Errorf("certificate: it names %s, which %s does not have", key, name)
		}
	}
	return nil
}

// Covers returns an error unless the certified loss is at most the claimed one,
// in the claim's notion. A certificate compares any two inputs, so it covers only claims
// under privacy.Replace.
func (c *Certificate) Covers(claim privacy.Claim) error {
	if claim.Neighbouring != privacy.Replace {
		return fmt.Errorf("certificate: it is for a %s that is %s, not %s", claim.Unit, privacy.Replace.Change(), claim.Neighbouring.Change())
	}
	figure, what := c.PureEpsilon, "pure"
	switch claim.Notion {
	case privacy.Pure, privacy.Approximate:
	case privacy.Metric, privacy.MetricApproximate:
		figure, what = c.MetricEpsilon, "metric"
	default:
		return fmt.Errorf("certificate: %s has no guarantee to certify", c.Mechanism)
	}
	if !figure.Known() {
		return fmt.Errorf("certificate: it states no %s epsilon", what)
	}
	if figure.High > claim.Epsilon*(1+1e-9) {
		return fmt.Errorf("certificate: its %s epsilon of %.6g is above the %.6g that is claimed", what, figure.High, claim.Epsilon)
	}
	return nil
}

// Understates returns an error if the certificate states a smaller loss than one that the
// mechanism itself knew when it was opened attains. A nil one is of a mechanism that knew none.
func (c *Certificate) Understates(known *Certificate) error {
	if known == nil {
		return nil
	}
	for _, f := range []struct {
		what          string
		stated, known Interval
	}{{"metric", c.MetricEpsilon, known.MetricEpsilon}, {"pure", c.PureEpsilon, known.PureEpsilon}} {
		if f.stated.Known() && f.known.Known() && outwardBy(f.stated.High) < f.known.Low {
			return fmt.Errorf("certificate: it states a %s epsilon of %.9g, and the mechanism loses %.9g", f.what, f.stated.High, f.known.Low)
		}
	}
	return nil
}

// written returns each setting in JSON, so that a file can be compared with a
// mechanism.
func written(p Parameters) map[string]string {
	text := map[string]string{}
	for key, v := range p {
		if data, err := json.Marshal(v); err == nil {
			text[key] = string(data)
		}
	}
	return text
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

func outwardBy(v float64) float64 { return float64(v*(1+samefields.Places)) + samefields.Places }

package serving

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// issue writes a certificate with a serial number, and its key.
func issue(t *testing.T, chain, private string, serial int64) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(serial), NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	for name, block := range map[string]*pem.Block{chain: {Type: "CERTIFICATE", Bytes: der}, private: {Type: "PRIVATE KEY", Bytes: secret}} {
		if err := os.WriteFile(name, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestRenewedCertificateIsShownAndABrokenOneIsNot(t *testing.T) {
	dir := t.TempDir()
	c := &certificate{chain: filepath.Join(dir, "cert.pem"), key: filepath.Join(dir, "key.pem")}
	shown := func() int64 {
		pair, err := c.config().GetCertificate(nil)
		if err != nil || pair == nil {
			t.Fatalf("no certificate: %v", err)
		}
		return pair.Leaf.SerialNumber.Int64()
	}
	for serial := int64(1); serial <= 2; serial++ {
		issue(t, c.chain, c.key, serial)
		if err := c.read(); err != nil || shown() != serial {
			t.Fatalf("certificate %d is shown (%v), want %d", shown(), err, serial)
		}
	}
	if err := os.WriteFile(c.key, []byte("broken"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := c.read(); err == nil || shown() != 2 {
		t.Errorf("a broken key gives %v", err)
	}
}

type closer func() error

func (c closer) Close() error { return c() }

func TestEndDoesNotWaitForALedgerThatHangs(t *testing.T) {
	var said bytes.Buffer
	log := newLog(&said, "json")
	release := make(chan struct{})
	closeWithin(closer(func() error { <-release; return nil }), time.Nanosecond, log) // would never return
	close(release)
	if !strings.Contains(said.String(), "did not close in time") {
		t.Errorf("the log says %q", said.String())
	}
	said.Reset()
	closeWithin(closer(func() error { return nil }), time.Hour, log)
	if said.Len() != 0 {
		t.Errorf("of a ledger that closes the log says %q", said.String())
	}
}

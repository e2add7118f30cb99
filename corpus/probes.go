package corpus

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
)

// probes are public texts of several kinds and languages. Their answers tell encoders apart.
var probes = [][]byte{
	nil, []byte("no"), []byte("The train leaves in the morning."), []byte("My order 4711 has not arrived, and nobody answers the phone!"),
	[]byte("The nurse on the ward was kind to my mother."), []byte("the film was dull"), []byte("Die Lieferung kam eine Woche zu sp\u00e4t."),
	[]byte("Le rendez-vous est report\u00e9 \u00e0 jeudi."), []byte("\u6211\u7684\u8ba2\u5355\u8fd8\u6ca1\u5230\u3002"), []byte("\u043f\u0438\u0441\u044c\u043c\u043e \u043d\u0435 \u043f\u0440\u0438\u0448\u043b\u043e"),
	[]byte("a \"quoted\" word,\na new line and a \\"), []byte(strings.Repeat("A long text about nothing in particular goes on. ", 40)),
}

// Prober is an encoder that keeps what it answered for the probes.
type Prober interface {
	TextEncoder
	Probes(ctx context.Context) (string, error)
}

// Probes returns the SHA-256 of fixed public texts and of what an encoder of the caller's answers
// for them, on the grid. Equal encoders have equal ones, if their machines round alike. It shows
// nothing of what the encoder does with other texts.
func Probes(ctx context.Context, e TextEncoder) (string, error) {
	if p, ok := e.(Prober); ok {
		return p.Probes(ctx)
	}
	return Probe(ctx, e)
}

// Probe is Probes for an encoder that keeps nothing.
func Probe(ctx context.Context, e TextEncoder) (string, error) {
	vectors, err := e.Vectors(ctx, probes)
	if err != nil {
		return "", err
	}
	if len(vectors) != len(probes) {
		return "", errors.New("corpus: the encoder must return one vector per text")
	}
	h := sha256.New()
	h.Write([]byte("sotto probes 1\x00"))
	number := func(n int) { h.Write(binary.LittleEndian.AppendUint32(nil, uint32(n))) }
	number(len(probes))
	number(e.Dim())
	for i, t := range probes {
		number(len(t))
		h.Write(t)
		for _, x := range Quantize(nil, vectors[i]) {
			h.Write([]byte{byte(x)})
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// EncoderFails is what a run with an encoder of the caller's shows if that fails.
const EncoderFails = "that the run did not end early at the encoder: it ends where the encoder fails, gives no answer in time, or gives something else than finite vectors, which may depend on a text"

// CheckProbes refuses what no release states: what is not a digest, or a digest although the encoder is
// that of the corpus. Empty is possible: the vectors came with the texts.
func CheckProbes(digest string, brought bool) error {
	data, err := hex.DecodeString(digest)
	switch {
	case digest == "":
		return nil
	case !brought:
		return errors.New("the encoder is that of the corpus, which is not asked")
	case err != nil || len(data) != sha256.Size || strings.ToLower(digest) != digest:
		return errors.New("not a SHA-256")
	}
	return nil
}

// SameProbes refuses an encoder with other probes than a release states.
func SameProbes(stated, own string) error {
	switch {
	case stated == "":
		return errors.New("the report does not state what an encoder answered: its vectors came with the texts")
	case stated != own:
		return fmt.Errorf("the encoder answers otherwise than the one of the release (probes %.12s, not %.12s): it is another one, or this machine rounds otherwise", own, stated)
	}
	return nil
}

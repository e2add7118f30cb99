package run

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"sync"

	"github.com/sotto-dp/sotto/internal/simd"
	"github.com/sotto-dp/sotto/noise"
)

// Attempted identifies an attempt at an output: all that its draws depend on.
type Attempted struct {
	Output   string
	Number   int    // of the attempt, from 1
	Settings []byte // of the run: everything that the draws depend on but the input
	Input    string // digest of the whole input
}

// Draws returns the key of an attempt's draws under the key of the run. Another input, other
// settings, another output or attempt, and another program or processor, each have a stream
// of their own, so the same noise meets nothing else.
func Draws(key []byte, a Attempted) (noise.Key, error) {
	of, err := program()
	if err != nil {
		return noise.Key{}, err
	}
	return noise.NewKey(key).Derive([]byte("sotto run"), []byte(a.Output), []byte(strconv.Itoa(a.Number)), a.Settings, []byte(a.Input), of), nil
}

// program identifies what turns a stream into draws: this program, the instructions that its
// kernels use, and what may change those of its mathematics. Another one might make other
// draws of the same numbers.
var program = sync.OnceValues(func() ([]byte, error) {
	f, err := executable()
	if err != nil {
		return nil, fmt.Errorf("the program of the run: %w", err)
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return nil, fmt.Errorf("the program of the run: %w", err)
	}
	return fmt.Appendf(h.Sum(nil), "%s %s %s %s", runtime.GOOS, runtime.GOARCH, simd.Machine(), os.Getenv("GODEBUG")), nil
})

// executable opens the program that runs. Its name may be that of another one by now, if it
// was replaced while it ran, so Linux is asked for the file itself.
func executable() (*os.File, error) {
	if runtime.GOOS == "linux" {
		if f, err := os.Open("/proc/self/exe"); err == nil {
			return f, nil
		}
	}
	name, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return os.Open(name)
}

package release

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/typed"
)

// keptMap is the map of --keep-map. A release is of no use without it, so it is written before
// the texts that have its values.
type keptMap struct {
	*typed.Map
	name   string
	unlock func()
}

// opener opens a map.
type opener func(ctx context.Context, name string) (*typed.Map, error)

// holding locks the map before it is opened, until close: of two runs that read one map, the
// second to write it would lose what the first drew.
func (k *keptMap) holding(term *cli.Terminal, open opener) opener {
	return func(ctx context.Context, name string) (_ *typed.Map, err error) {
		if k.unlock, err = cli.Lock(term, name); err != nil {
			return nil, err
		}
		k.name = name
		k.Map, err = open(ctx, name)
		return k.Map, err
	}
}

func (k *keptMap) close() {
	if k.unlock != nil {
		k.unlock()
	}
}

// write writes the map, if there is one.
func (k *keptMap) write(term *cli.Terminal) error {
	if k.Map == nil {
		return nil
	}
	return cli.WritePrivate(term, k.name, k.Map.Write)
}

// held is what an output gets when the map is written: at once if there is no map, or if the
// output has its name only then. Otherwise a file without a name has it, where a file can do
// without one.
type held struct {
	out  *cli.OutputFile
	file *os.File
}

func (k *keptMap) before(out *cli.OutputFile) (h held, err error) {
	h.out = out
	if k.Map == nil || out.Pending != nil {
		return h, nil
	}
	if h.file, err = os.CreateTemp("", "sotto-held-"); err != nil {
		return h, fmt.Errorf("no place for the output until its map is written: %w", cli.PlainError(err))
	}
	_ = os.Remove(h.file.Name())
	return h, nil
}

// writer is where texts are written until the map is.
func (h held) writer() io.Writer {
	if h.file != nil {
		return h.file
	}
	return h.out
}

// deliver writes what was held.
func (h held) deliver() error {
	if h.file == nil {
		return nil
	}
	if _, err := h.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	_, err := io.Copy(h.out, h.file)
	return err
}

func (h held) close() {
	if h.file != nil {
		_ = h.file.Close()
		_ = os.Remove(h.file.Name())
	}
}

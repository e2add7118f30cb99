package mechanism

import (
	"fmt"
	"io"

	"github.com/sotto-dp/sotto/privacy"
)

// file returns the name of a file given for a parameter. Where spec opens no
// files a name is refused, whatever it names.
func (p *parameters) file(name string, spec Spec) (file string, given bool) {
	file, given = p.take(name)
	if given && spec.Open == nil {
		p.fail(privacy.Bad(p.who, name, "a file", "left out: files cannot be read here"))
	}
	return file, given
}

// mostFileBytes bounds a file that is read into memory.
const mostFileBytes = 1 << 30

// readBounded reads a file to its end, and fails beyond a number of bytes.
func readBounded(f io.Reader, most int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(data)) > most {
		return nil, fmt.Errorf("the file has more than %d bytes", most)
	}
	return data, err
}

// readChannel reads a channel file into memory, where nobody changes it after it
// was certified.
func readChannel(f io.Reader) (*Compiled, error) {
	data, err := readBounded(f, mostFileBytes)
	if err != nil {
		return nil, err
	}
	return ReadCompiled(data)
}

package synthesis

import (
	"errors"

	"github.com/sotto-dp/sotto/internal/strictjson"
)

var errNoStatement = errors.New("synthesize: not a statement with exactly the fields that this version writes")

// ReadStatement reads a statement. It refuses a document unless this version would write
// the same one, so a document cannot contain anything that Verify does not check. The error
// does not quote the data.
func ReadStatement(data []byte) (*Statement, error) {
	s := &Statement{}
	if strictjson.Unmarshal(data, s) != nil {
		return nil, errNoStatement
	}
	return s, nil
}

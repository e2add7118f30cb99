package strictjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
)

// ErrTwice is returned for a document that different readers may understand differently.
var ErrTwice = errors.New("not one JSON document whose keys occur once")

// object is an object that is being read; keys is nil for an array.
type object struct {
	keys  map[string]bool
	value bool // the next token begins the value of a key
}

// Unique refuses a document in which an object has a key twice, in whatever case, and
// anything after the document: a lenient reader takes the last of equal keys, and another
// program may take the first. Its error does not quote the data.
func Unique(data []byte) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var open []object
	documents := 0
	for {
		t, err := d.Token()
		if err == io.EOF && len(open) == 0 && documents == 1 {
			return nil
		}
		if err != nil || len(open) == 0 && documents == 1 {
			return ErrTwice
		}
		if t == json.Delim('}') || t == json.Delim(']') {
			open = open[:len(open)-1]
			continue
		}
		if len(open) == 0 {
			documents++
		} else if at := &open[len(open)-1]; at.keys != nil {
			if at.value = !at.value; at.value {
				key := strings.ToLower(strings.ToUpper(t.(string))) // as encoding/json folds keys
				if at.keys[key] {
					return ErrTwice
				}
				at.keys[key] = true
				continue
			}
		}
		switch t {
		case json.Delim('{'):
			open = append(open, object{keys: map[string]bool{}})
		case json.Delim('['):
			open = append(open, object{})
		}
	}
}

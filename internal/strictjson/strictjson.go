// Package strictjson reads JSON documents with exactly the content that the program would
// write. A lenient reader takes the last of several equal keys, in any case, and another
// program may take the first. The two would then find different claims in one file.
package strictjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
)

// ErrOther is returned for a document that differs from what the program writes for its
// value.
var ErrOther = errors.New("not a JSON document as this version writes it")

// Unmarshal reads data into v, a pointer. It refuses a document unless v is written as the
// same document, apart from white space and the form of numbers. Unknown, repeated or
// missing fields, names in another case, and anything after the document are refused. Its
// error does not quote the data.
func Unmarshal(data []byte, v any) error {
	if json.Unmarshal(data, v) != nil {
		return ErrOther
	}
	again, err := json.Marshal(v)
	if err != nil || !sameTokens(data, again) {
		return ErrOther
	}
	return nil
}

// sameTokens reports whether two JSON documents have the same tokens, numbers of the same
// value.
func sameTokens(a, b []byte) bool {
	x, y := json.NewDecoder(bytes.NewReader(a)), json.NewDecoder(bytes.NewReader(b))
	x.UseNumber()
	y.UseNumber()
	for {
		s, err1 := x.Token()
		t, err2 := y.Token()
		if err1 != nil || err2 != nil {
			return err1 == io.EOF && err2 == io.EOF
		}
		if s != t && !sameNumber(s, t) {
			return false
		}
	}
}

func sameNumber(s, t json.Token) bool {
	m, ok1 := s.(json.Number)
	n, ok2 := t.(json.Number)
	if !ok1 || !ok2 {
		return false
	}
	x, err1 := strconv.ParseFloat(m.String(), 64)
	y, err2 := strconv.ParseFloat(n.String(), 64)
	return err1 == nil && err2 == nil && x == y
}

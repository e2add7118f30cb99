package text

import (
	"errors"

	"github.com/sotto-dp/sotto/text/fault"
	"github.com/sotto-dp/sotto/text/internal/records"
)

// MaxRecord bounds one record (a line, or a CSV record with its line breaks), in bytes.
const MaxRecord = records.Most

// ErrNotReplaced is returned by Write for a batch whose texts were not replaced.
var ErrNotReplaced = errors.New("text: a batch is written before its texts are replaced")

// ErrNotWritten is returned by Replace if Options.Each is set, since batches are then only
// read.
var ErrNotWritten = errors.New("text: batches with one text per record and field are not written")

// FieldError reports a choice of fields that a format or a header does not allow.
type FieldError = fault.FieldError

// InputError reports a fault of the input by its position.
type InputError = fault.InputError

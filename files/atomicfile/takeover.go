package atomicfile

import "errors"

// ErrOwner is returned by File.TakeOver for a file whose owner or group the process may not
// give to another file.
var ErrOwner = errors.New("its owner and group cannot be kept")

// ErrLinks is returned by File.TakeOver for a file with hard links: under its other names the
// old content would remain.
var ErrLinks = errors.New("it has another name (a hard link), under which it would not change")

package cli

import (
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// OnTerminal reports whether w is a terminal.
func OnTerminal(w io.Writer) bool {
	f := FileOf(w)
	return f != nil && term.IsTerminal(int(f.Fd()))
}

// FileOf returns the file behind a writer of a terminal, nil for any other writer.
func FileOf(w io.Writer) *os.File {
	if waits, ok := w.(*WaitingFile); ok {
		return waits.File
	}
	f, _ := w.(*os.File)
	return f
}

// newBarFunc makes a bar for a number of bytes; -1 means unknown.
type newBarFunc func(what string, total int64) *progressbar.ProgressBar

func newBar(w io.Writer, total int64, what string, bytes bool) *progressbar.ProgressBar {
	return progressbar.NewOptions64(total,
		progressbar.OptionSetWriter(&settled{w, time.Now().Add(time.Second)}),
		progressbar.OptionSetDescription(what),
		progressbar.OptionShowBytes(bytes),
		progressbar.OptionSetWidth(24),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionSetElapsedTime(true),
		progressbar.OptionSetPredictTime(bytes), // bytes come at one rate; see estimate for the rest
	)
}

// settled drops the frames of a bar until a time: a rate that is measured over milliseconds
// is off by any factor.
type settled struct {
	io.Writer
	from time.Time
}

func (s *settled) Write(p []byte) (int, error) {
	if time.Now().Before(s.from) {
		return len(p), nil
	}
	return s.Writer.Write(p)
}

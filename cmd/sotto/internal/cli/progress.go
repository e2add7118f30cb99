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
	if waits, ok := w.(*WaitingFile); ok {
		w = waits.File
	}
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// newBarFunc makes a bar for a number of bytes; -1 means unknown.
type newBarFunc func(what string, total int64) *progressbar.ProgressBar

func newBar(w io.Writer, total int64, what string, bytes bool) *progressbar.ProgressBar {
	return progressbar.NewOptions64(total,
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetDescription(what),
		progressbar.OptionShowBytes(bytes),
		progressbar.OptionSetWidth(24),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionSetPredictTime(true),
	)
}

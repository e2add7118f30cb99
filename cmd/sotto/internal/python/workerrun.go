package python

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"slices"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/grammar"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/worker"
)

// runWithin runs one command of the program with the payload as its standard input. The
// payload of the reply is its standard output.
func runWithin(ctx context.Context, r worker.Request, payload []byte) (none worker.Reply, err error) {
	var o struct {
		Args   []string `json:"args"`
		Folder *string  `json:"folder"` // in which files are named
	}
	if err := json.Unmarshal(r.Options, &o); err != nil {
		return none, cli.WrongUsage("", "worker: the options of run are malformed")
	}
	if len(o.Args) == 0 || slices.Contains([]string{"worker", "serve"}, o.Args[0]) {
		return none, cli.WrongUsage("", "worker runs commands that end by themselves")
	}
	stdin, feed, err := os.Pipe()
	if err != nil {
		return none, err
	}
	defer stdin.Close()
	fed := make(chan struct{})
	go func() {
		_, _ = feed.Write(payload) // fails if the command does not read it all
		_ = feed.Close()
		close(fed)
	}()
	var out, messages bytes.Buffer
	code := 0
	err = inFolder(o.Folder, func() error {
		code, err = grammar.Invoke(ctx, &cli.Terminal{In: stdin, Out: &out, Err: &messages}, o.Args)
		return err
	})
	_ = stdin.Close()
	<-fed
	var exit *cli.ExitError
	if errors.As(err, &exit) && exit.Err == nil {
		code, err = exit.Code, nil // the document says what was found
	}
	if err != nil {
		return none, err
	}
	return worker.Reply{Result: map[string]any{"code": max(0, code)}, Payload: [][]byte{out.Bytes()}}, nil
}

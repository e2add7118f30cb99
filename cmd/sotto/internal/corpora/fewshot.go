package corpora

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/synthesis"
	"github.com/sotto-dp/sotto/text"
)

// fewShot is the value of --as for demonstrations.
const fewShot = "few-shot"

// checkFewShot refuses what is no set of labelled demonstrations.
func (c *SynthesizeCmd) checkFewShot() error {
	switch form := cli.Formats.Of(c.Output); {
	case c.As != fewShot:
		return nil
	case len(c.By) == 0:
		return cli.WrongUsage("give the label column and its public labels", "--as few-shot needs --by: a demonstration is a text with its label")
	case c.Weights:
		return cli.WrongUsage("", "--as few-shot cannot be used with --weights: messages have none")
	case orZero(c.Size) < 1 || *c.Size > mostShots:
		return cli.WrongUsage("try --size 16", "--as few-shot needs --size, the number of demonstrations, 1 to %d", mostShots)
	case form != text.JSON && form != text.Lines:
		return cli.WrongUsage("name it .json", "--as few-shot writes JSON, not %s", form)
	}
	return nil
}

// chatWriter writes rows as messages of a chat: the text as the user's, the labels as the answer.
// It reads only the release and the public labels.
type chatWriter struct {
	out      io.Writer
	columns  []*synthesis.Column
	messages []chatMessage
}

type chatMessage struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// mostShots bounds the demonstrations of a prompt, which are all in memory. It is checked before
// anything is charged.
const mostShots = 10_000

func newChatWriter(out io.Writer, columns []synthesis.Column) *chatWriter {
	w := &chatWriter{out: out}
	var ask []string
	for i := range columns {
		w.columns = append(w.columns, &columns[i])
		var labels []string
		for _, l := range columns[i].Values() {
			labels = append(labels, strconv.Quote(l))
		}
		ask = append(ask, fmt.Sprintf("%s, one of %s", columns[i].Name(), strings.Join(labels, ", ")))
	}
	w.messages = []chatMessage{{"system", "Answer each text with its " + strings.Join(ask, "; and its ") + "."}}
	return w
}

// Write adds a demonstration: the labels, then the text.
func (w *chatWriter) Write(values ...[]byte) error {
	labels, body := values[:len(values)-1], values[len(values)-1]
	answer := string(labels[0])
	if len(labels) > 1 {
		var lines []string
		for i, l := range labels {
			lines = append(lines, w.columns[i].Name()+": "+string(l))
		}
		answer = strings.Join(lines, "\n")
	}
	w.messages = append(w.messages, chatMessage{"user", string(body)}, chatMessage{"assistant", answer})
	return nil
}

// Close writes the messages as the body of a chat-completion request without its model.
func (w *chatWriter) Close() error {
	e := json.NewEncoder(w.out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(map[string]any{"messages": w.messages})
}

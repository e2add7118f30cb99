package sottohttp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/sotto-dp/sotto/text"
	"github.com/sotto-dp/sotto/typed"
)

// answers are the places of an answer in which originals are put back.
type answers struct {
	texts, deltas *text.JSONFields
	most          int64 // bytes that are read
}

// putBack puts originals back in a successful answer. Any other is left as it is.
func (p *answers) putBack(answer *http.Response, back *typed.Back) error {
	kind := mediaType(answer.Header)
	if answer.StatusCode < http.StatusOK || answer.StatusCode >= http.StatusMultipleChoices || !isJSON(kind) && kind != eventStream {
		return nil
	}
	body, err := io.ReadAll(io.LimitReader(answer.Body, p.most+1))
	if err != nil || int64(len(body)) > p.most {
		answer.Body = &joined{io.MultiReader(bytes.NewReader(body), failing{err}, answer.Body), answer.Body}
		return nil
	}
	if err := answer.Body.Close(); err != nil {
		return fmt.Errorf("sottohttp: the answer cannot be read: %w", err)
	}
	restored, err := body, error(nil)
	if kind == eventStream {
		restored, err = p.stream(body, back)
	} else {
		restored, err = replaced(p.texts, body, back.Text)
	}
	if err != nil { // of another form: it is passed on with its surrogates
		restored = body
	}
	describe(answer.Header, len(restored))
	answer.ContentLength, answer.TransferEncoding, answer.Body = int64(len(restored)), nil, io.NopCloser(bytes.NewReader(restored))
	return nil
}

// failing is a reader that fails, or ends at once for nil.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) {
	if f.err != nil {
		return 0, f.err
	}
	return 0, io.EOF
}

// joined is what was read of a body with the rest of it.
type joined struct {
	io.Reader
	io.Closer
}

// replaced replaces each text of a document.
func replaced(at *text.JSONFields, document []byte, of func(string) string) ([]byte, error) {
	found, err := at.Find(document)
	if err != nil {
		return nil, err
	}
	texts := found.Texts()
	for i, t := range texts {
		texts[i] = []byte(of(string(t)))
	}
	return found.Replace(texts)
}

const eventStream = "text/event-stream"

// stream puts originals back in a stream of events that has ended. The texts of one choice are
// joined, and the first event of the choice gets all of it, so that a surrogate is found
// wherever it was cut.
func (p *answers) stream(body []byte, back *typed.Back) ([]byte, error) {
	lines := strings.SplitAfter(string(body), "\n")
	whole := map[string]string{}
	each := func(of func(choice, part string) string) error {
		for i, line := range lines {
			data, ok := strings.CutPrefix(line, "data:")
			if !ok || !json.Valid([]byte(data)) {
				continue
			}
			choice, part := choiceOf(data), 0
			event, err := replaced(p.deltas, []byte(strings.TrimSpace(data)), func(t string) string {
				part++
				return of(fmt.Sprint(choice, part), t)
			})
			if err != nil {
				return err
			}
			lines[i] = "data: " + string(event) + line[len(strings.TrimRight(line, "\r\n")):]
		}
		return nil
	}
	if err := each(func(choice, t string) string { whole[choice] += t; return t }); err != nil {
		return nil, err
	}
	err := each(func(choice, _ string) string {
		text := back.Text(whole[choice])
		delete(whole, choice)
		return text
	})
	return []byte(strings.Join(lines, "")), err
}

// choiceOf returns the numbers under the key index of an event, which tell its choice, or its
// block of an answer.
func choiceOf(event string) string {
	var found []string
	d := json.NewDecoder(strings.NewReader(event))
	d.UseNumber()
	isIndex := false
	for {
		token, err := d.Token()
		if err != nil {
			return strings.Join(found, " ")
		}
		if n, ok := token.(json.Number); ok && isIndex {
			found = append(found, n.String())
		}
		key, ok := token.(string)
		isIndex = ok && key == "index"
	}
}

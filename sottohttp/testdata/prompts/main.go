// Command prompts asks a language model, which never sees the names and numbers of the question.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/sottohttp"
	"github.com/sotto-dp/sotto/text"
	"github.com/sotto-dp/sotto/text/detect"
)

func main() {
	question, err := io.ReadAll(os.Stdin)
	if err == nil {
		err = ask(context.Background(), os.Args[1], string(question))
	}
	if err != nil {
		log.Fatal(err)
	}
}

// mark finds what has a shape. A detector of names adds its spans: what no detector marks is
// sent in clear.
func mark(_ context.Context, prompt []byte) (text.Spans, error) {
	return detect.Patterns(prompt, nil)
}

func ask(ctx context.Context, endpoint, question string) error {
	transport, err := sottohttp.Prompts(ctx, http.DefaultTransport, sottohttp.PromptConfig{
		Marks:   sotto.Marks{Epsilon: 4},
		Detect:  mark,
		Fields:  []string{"messages[*].content"},
		Answers: []string{"choices[*].message.content"},
		Deltas:  []string{"choices[*].delta.content"},
	})
	if err != nil {
		return err
	}
	client := &http.Client{Transport: transport}
	body, err := json.Marshal(map[string]any{
		"model":    "any",
		"messages": []map[string]string{{"role": "user", "content": question}},
	})
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, endpoint+"/chat/completions", bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+os.Getenv("MODEL_KEY"))
	answer, err := client.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("the model answers %s", answer.Status)
	}
	_, err = io.Copy(os.Stdout, answer.Body)
	return err
}

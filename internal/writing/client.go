package writing

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Client asks a language model by the chat-completions protocol, which local servers and
// providers speak.
type Client struct {
	Endpoint string // with the version: http://127.0.0.1:8080/v1
	Model    string
	// Key is sent to the endpoint alone, and is in no error.
	Key     string
	Timeout time.Duration // of one request; 0 means 5 minutes
	// Wait waits before a request is repeated. Nil waits that long.
	Wait func(ctx context.Context, d time.Duration) error
	// Again, if not nil, is told before such a wait why the request is repeated. Several
	// goroutines may call it.
	Again func(err error, wait time.Duration)
}

// The limits of a request.
const (
	attempts     = 8
	firstWait    = time.Second
	longestWait  = 10 * time.Minute
	largestReply = 4 << 20
	// mostTokens bounds the tokens that an answer is trusted to have used: sums of them do
	// not overflow, so that the bound of a run holds.
	mostTokens = 1 << 30
)

// answer is what the model wrote.
type answer struct {
	text   string
	tokens int // of prompt and answer
}

// errAnswer is an answer that cannot be used: asking again may give another.
var errAnswer = errors.New("the answer cannot be used")

// Check refuses an endpoint to which a key would go in the clear, or that holds a password.
func (c *Client) Check() error {
	u, err := url.Parse(c.Endpoint)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return errors.New("the endpoint must be a URL such as http://127.0.0.1:8080/v1")
	case u.User != nil:
		return errors.New("the endpoint must not hold a user or password: give the key in its variable")
	case u.Fragment != "":
		return errors.New("the endpoint must not hold a part after #")
	case c.Key != "" && u.Scheme == "http" && !isLocal(u.Hostname()):
		return fmt.Errorf("the key would go to %s in the clear: use https", u.Hostname())
	case strings.ContainsAny(c.Key, "\r\n"):
		return errors.New("the key holds a line break")
	}
	return nil
}

func isLocal(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// url returns where requests go.
func (c *Client) url() string {
	base, query, has := strings.Cut(c.Endpoint, "?")
	if base = strings.TrimSuffix(base, "/"); !strings.HasSuffix(base, "/chat/completions") {
		base += "/chat/completions"
	}
	if has {
		base += "?" + query
	}
	return base
}

// ask sends a prompt and repeats it, after growing waits, where the endpoint is busy, out of
// reach, or answers nothing that can be read.
func (c *Client) ask(ctx context.Context, prompt string, seed uint64, most int) (answer, error) {
	body, err := json.Marshal(map[string]any{
		"model": c.Model, "temperature": 1, "seed": seed & (1<<31 - 1), "max_tokens": most, "stream": false,
		"messages": []map[string]string{{"role": "user", "content": prompt}},
	})
	if err != nil {
		return answer{}, err
	}
	var last error
	for try := range attempts {
		a, wait, err := c.once(ctx, body)
		if err == nil {
			if a.tokens <= 0 {
				a.tokens = (len(prompt) + len(a.text)) / 4
			}
			return a, nil
		}
		if ctx.Err() != nil {
			return answer{}, ctx.Err()
		}
		if last = err; wait < 0 {
			return answer{}, err
		}
		if try == attempts-1 {
			break
		}
		if wait == 0 { // up to twice as long each time, at random, so that workers do not return together
			wait = firstWait << try
			wait = wait/2 + rand.N(wait)
		}
		wait = min(wait, longestWait)
		if c.Again != nil {
			c.Again(err, wait)
		}
		if err := c.wait(ctx, wait); err != nil {
			return answer{}, err
		}
	}
	return answer{}, fmt.Errorf("%d attempts: %w", attempts, last)
}

func (c *Client) wait(ctx context.Context, d time.Duration) error {
	if c.Wait != nil {
		return c.Wait(ctx, d)
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// once sends one request. With an error it returns how long the endpoint asks to wait: 0 if
// it does not say, below 0 if a repetition is of no use.
func (c *Client) once(ctx context.Context, body []byte) (answer, time.Duration, error) {
	timeout := c.Timeout
	if timeout == 0 {
		timeout = 5 * time.Minute
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url(), bytes.NewReader(body))
	if err != nil {
		return answer{}, -1, errors.New("the endpoint is not a URL")
	}
	r.Header.Set("Content-Type", "application/json")
	if c.Key != "" {
		r.Header.Set("Authorization", "Bearer "+c.Key)
	}
	// A redirection is not followed: the key is for this endpoint.
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	reply, err := client.Do(r)
	if err != nil {
		return answer{}, 0, c.plain(err)
	}
	defer reply.Body.Close()
	data, err := io.ReadAll(io.LimitReader(reply.Body, largestReply+1))
	switch {
	case reply.StatusCode != http.StatusOK:
		return answer{}, repeat(reply), c.refused(reply.StatusCode, data)
	case err != nil:
		return answer{}, 0, fmt.Errorf("the connection broke off: %w", c.plain(err))
	case len(data) > largestReply:
		return answer{}, 0, fmt.Errorf("%w: it has more than %d bytes", errAnswer, largestReply)
	}
	return read(data)
}

// plain returns the cause of an error of a request, without the URL. It may repeat what the
// endpoint sent, such as a line that is no header.
func (c *Client) plain(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return errors.New("no answer in time")
	}
	message := printable(err.Error())
	if message == "" || holdsKey(c.Key, message) {
		return errors.New("the endpoint does not speak the protocol")
	}
	return errors.New(message)
}

// read reads the body of an answer.
func read(data []byte) (answer, time.Duration, error) {
	var reply struct {
		Choices []struct {
			Message struct {
				Content string `json:"content"`
				Refusal string `json:"refusal"`
			} `json:"message"`
		} `json:"choices"`
		Usage struct {
			Total int `json:"total_tokens"`
		} `json:"usage"`
	}
	if err := json.Unmarshal(data, &reply); err != nil {
		return answer{}, 0, fmt.Errorf("%w: it is not the JSON of chat completions", errAnswer)
	}
	if len(reply.Choices) == 0 {
		return answer{}, 0, fmt.Errorf("%w: it has no choices", errAnswer)
	}
	m := reply.Choices[0].Message
	if m.Content == "" {
		m.Content = m.Refusal
	}
	return answer{m.Content, min(reply.Usage.Total, mostTokens)}, 0, nil
}

// repeat returns how long to wait before a request that was refused is repeated.
func repeat(reply *http.Response) time.Duration {
	switch reply.StatusCode {
	case http.StatusRequestTimeout, http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
	default:
		return -1
	}
	after := reply.Header.Get("Retry-After")
	if seconds, err := strconv.Atoi(after); err == nil && seconds >= 0 {
		return time.Duration(min(seconds, 3600))*time.Second + time.Millisecond
	}
	if at, err := http.ParseTime(after); err == nil {
		return max(time.Until(at), time.Millisecond)
	}
	return 0
}

// refused words a status other than 200. What the endpoint says is repeated, unless it may
// hold a part of the key.
func (c *Client) refused(status int, body []byte) error {
	said := fmt.Sprintf("the endpoint answered %d %s", status, http.StatusText(status))
	if status == http.StatusUnauthorized || status == http.StatusForbidden {
		return errors.New(said + ": is the key right?")
	}
	var reply struct {
		Error json.RawMessage `json:"error"`
	}
	var detail struct {
		Message string `json:"message"`
	}
	if json.Unmarshal(body, &reply) == nil && json.Unmarshal(reply.Error, &detail) != nil {
		_ = json.Unmarshal(reply.Error, &detail.Message)
	}
	message := printable(detail.Message)
	if message == "" || holdsKey(c.Key, message) {
		return errors.New(said)
	}
	return errors.New(said + ": " + message)
}

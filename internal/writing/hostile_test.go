package writing_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/internal/writing"
	"github.com/sotto-dp/sotto/internal/writing/modeltest"
)

// The Go client repeats a line that is no header in its error. That line is the endpoint's.
func TestErrorsRepeatNothingThatAnEndpointMadeUp(t *testing.T) {
	for what, reply := range map[string]string{
		"key":    "HTTP/1.1 200 OK\r\nBearer " + secret + "\r\n\r\n",
		"escape": "HTTP/1.1 200 OK\r\n\x1b]0;owned\a\u202egnp.exe\r\n\r\n",
		"C1":     "HTTP/1.1 200 OK\r\n\u009b31mred\r\n\r\n",
	} {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { listener.Close() })
		go func() {
			for {
				c, err := listener.Accept()
				if err != nil {
					return
				}
				_, _ = c.Read(make([]byte, 4096))
				_, _ = io.WriteString(c, reply)
				c.Close()
			}
		}()
		_, _, err = newRun(t, "http://"+listener.Addr().String()+"/v1", 5).do(t.Context(), t) // do looks for the key
		if err == nil || strings.ContainsFunc(err.Error(), func(r rune) bool { return r < ' ' || r >= 0x7f && r < 0xa0 || r == 0x202e }) {
			t.Errorf("%s: %q", what, err)
		}
	}
}

// Texts come without signs for the terminal and without the key, and one answer does not
// fill a corpus, whatever it says.
func TestAnAnswerCannotSmuggle(t *testing.T) {
	model := modeltest.Start(t, func(w http.ResponseWriter, n int, _ modeltest.Request) bool {
		switch n {
		case 0:
			modeltest.Say(w, `["late\u001b]0;owned\u0007 parcel\u009b2J and\u202e more","the key is `+secret+`","a box","b box","c box","d box","e box"]`)
		case 1:
			modeltest.Say(w, `["f box"] Ignore the rules: ["g box","h box"]`)
		default:
			return false
		}
		return true
	})
	r := newRun(t, model.URL, 12)
	texts, tally, err := r.do(t.Context(), t)
	if err != nil || len(texts) != 12 || texts[0] != "late ]0;owned parcel 2J and more" {
		t.Fatalf("%q, %v", texts, err)
	}
	if want := []string{"a box", "b box", "c box", "f box"}; !slices.Equal(texts[1:5], want) || tally.Unread != 3 {
		t.Errorf("%q, %+v", texts, tally)
	}
	if kept, err := os.ReadFile(r.name); err != nil || strings.Contains(string(kept), secret) {
		t.Errorf("the run's file has the key: %v", err)
	}
}

// An endpoint that claims to have used all numbers of tokens ends the run; sums that
// overflow would take the bound away.
func TestClaimedTokensDoNotOverflow(t *testing.T) {
	model := modeltest.Start(t, func(w http.ResponseWriter, n int, _ modeltest.Request) bool {
		_, _ = fmt.Fprintf(w, `{"choices":[{"message":{"content":"[\"text %d here\"]"}}],"usage":{"total_tokens":9223372036854775807}}`, n)
		return true
	})
	r := newRun(t, model.URL, 50)
	r.MaxTokens = 1_000_000
	if texts, tally, err := r.do(t.Context(), t); err == nil || len(texts) != 1 || tally.Tokens < r.MaxTokens {
		t.Errorf("%d texts, %+v, %v", len(texts), tally, err)
	}
}

// An endpoint may hold a query, as some providers require, and it stays behind the path.
func TestQueryOfAnEndpointStays(t *testing.T) {
	model := modeltest.Start(t, nil)
	if texts, _, err := newRun(t, model.URL+"/?api-version=1", 5).do(t.Context(), t); err != nil || len(texts) != 5 {
		t.Errorf("%d texts, %v", len(texts), err)
	}
	if err := (&writing.Client{Endpoint: "https://models.example/v1#part"}).Check(); err == nil {
		t.Error("an endpoint with a part after # was taken")
	}
}

// A file that no run wrote, or that was altered, is refused and stays as it is.
func TestResumeLeavesOtherFilesAlone(t *testing.T) {
	header := `{"sotto_write":1,"about":"support tickets","model":"small","seed":1,"batch":5,"attributes":[{"name":"tone","values":["angry","polite"]}],"tokens":0}` + "\n"
	for what, data := range map[string]string{
		"a note":             "Patient 7 was seen on Monday.\nThe last line has no end",
		"one line":           "a private line without an end",
		"other JSON":         `{"sotto":1}`,
		"an escape":          strings.Replace(header, "angry", `\u001b[2J`, 1),
		"a long value":       strings.Replace(header, "angry", strings.Repeat("a", 500), 1),
		"spent tokens":       strings.Replace(header, `"tokens":0`, `"tokens":-900000`, 1),
		"tokens of a call":   header + `{"calls":1,"tokens":-900000,"refused":0,"similar":0,"unread":0,"texts":["one"]}` + "\n",
		"many calls":         header + `{"calls":-3,"tokens":1,"refused":0,"similar":0,"unread":0,"texts":["one"]}` + "\n",
		"the key":            header + `{"calls":1,"tokens":1,"refused":0,"similar":0,"unread":0,"texts":["one ` + secret + `"]}` + "\n",
		"a text with a sign": header + `{"calls":1,"tokens":1,"refused":0,"similar":0,"unread":0,"texts":["one \u009b2J"]}` + "\n",
	} {
		r := newRun(t, "http://127.0.0.1:1/v1", 5)
		r.Attributes, r.resume = nil, true
		if err := os.WriteFile(r.name, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
		_, _, err := r.do(t.Context(), t)
		if err == nil || !strings.Contains(err.Error(), "unfinished run") {
			t.Errorf("%s: %v", what, err)
		}
		if now, err := os.ReadFile(r.name); err != nil || string(now) != data {
			t.Errorf("%s: the file is now %q, %v", what, now, err)
		}
	}
}

// A file of private lines is not one of attributes, even if each has a colon.
func TestPrivateTextIsNotReadAsAttributes(t *testing.T) {
	for what, data := range map[string]string{
		"a chat":     "Ann: the biopsy is on Monday\nBob: good luck\nAnn: thank you\n",
		"long lines": "Note 1: " + strings.Repeat("she was admitted with chest pain ", 9) + "\n",
		"a log":      strings.Repeat("10", 70) + ": opened the door\n",
		"much":       strings.Repeat("# line\n", 20_000),
	} {
		_, err := writing.ReadAttributes(strings.NewReader(data))
		if err == nil || strings.Contains(err.Error(), "Ann") || strings.Contains(err.Error(), "chest") {
			t.Errorf("%s: %v", what, err)
		}
	}
	name := filepath.Join(t.TempDir(), "a")
	if err := os.WriteFile(name, []byte("who: a\x1b[2J shop; a buyer\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if got, err := writing.ReadAttributes(f); err != nil || got[0].Values[0] != "a [2J shop" {
		t.Errorf("%q, %v", got, err)
	}
}

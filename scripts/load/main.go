// Command load measures a server of its own on loopback, with a ledger in a new
// SQLite file: first short requests from many connections, then bulk requests. Its figures
// cover client, server and ledger together, on one machine.
//
//	go run ./scripts/load [-time 10s] [-connections 64] [-tokens 20] [-bulk 1000] [-keyed] [-ledger PLACE]
//	go run ./scripts/load -soak -time 10m
//
// The server is a separate process, built from this source, so that its
// processor time and memory are measured separately.
package main

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

func main() {
	length := flag.Duration("time", 10*time.Second, "length of each measurement")
	connections := flag.Int("connections", 64, "connections of the short requests")
	tokens := flag.Int("tokens", 20, "tokens of a text")
	bulk := flag.Int("bulk", 1000, "texts of a bulk request")
	bulkers := flag.Int("bulk-connections", 4, "connections of the bulk requests")
	keyed := flag.Bool("keyed", false, "send an idempotency key with each request")
	mechanism := flag.String("mechanism", "neighbours", "mechanism")
	epsilon := flag.Float64("epsilon", 8, "epsilon")
	place := flag.String("ledger", "", "ledger; default: a new SQLite file")
	soak := flag.Bool("soak", false, "short and bulk requests together for the whole time, and a line fitted to the server's memory")
	flag.Parse()
	l := load{length: *length, keyed: *keyed, mechanism: *mechanism, epsilon: *epsilon, long: *soak}
	if err := l.run(*place, *connections, *tokens, *bulk, *bulkers); err != nil {
		fmt.Fprintf(os.Stderr, "load: %v\n", err)
		os.Exit(1)
	}
}

type load struct {
	length    time.Duration
	keyed     bool
	mechanism string
	epsilon   float64
	url       string
	long      bool // soak
}

func (l *load) run(place string, connections, tokens, bulk, bulkers int) error {
	dir, err := os.MkdirTemp("", "sotto-load")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "sotto")
	if out, err := exec.Command("go", "build", "-o", program, "./cmd/sotto").CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	if place == "" {
		place = filepath.Join(dir, "budgets.db")
	}
	for i := range accounts {
		if out, err := exec.Command(program, "ledger", "grant", "--ledger", place, account(i), "--epsilon", "9000000000").CombinedOutput(); err != nil {
			return fmt.Errorf("%w: %s", err, out)
		}
	}
	address, err := freeAddress()
	if err != nil {
		return err
	}
	l.url = "http://" + address
	server := exec.Command(program, "serve", "--ledger", place, "--listen", address, "--require-account")
	if err := server.Start(); err != nil {
		return err
	}
	defer func() {
		_ = server.Process.Signal(os.Interrupt)
		_ = server.Wait()
		fmt.Printf("server: %.1f s of processor time\n", server.ProcessState.UserTime().Seconds()+server.ProcessState.SystemTime().Seconds())
		verified, err := exec.Command(program, "ledger", "verify", "--ledger", place).Output()
		fmt.Printf("%s", verified)
		if err != nil {
			fmt.Printf("the ledger does not verify: %v\n", err)
		}
	}()
	if err := l.ready(); err != nil {
		return err
	}
	short := text(tokens)
	if _, err := l.measure("warm up", connections, []string{short}, tokens, time.Second); err != nil {
		return err
	}
	if l.long {
		return l.soak(server.Process.Pid, connections, tokens, bulk, bulkers)
	}
	if _, err := l.measure(fmt.Sprintf("%d connections, one text of %d tokens", connections, tokens), connections, []string{short}, tokens, l.length); err != nil {
		return err
	}
	many := slices.Repeat([]string{short}, bulk)
	if _, err := l.measure(fmt.Sprintf("%d connections, %d texts of %d tokens", bulkers, bulk, tokens), bulkers, many, tokens*bulk, l.length); err != nil {
		return err
	}
	memory, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", server.Process.Pid))
	for line := range strings.Lines(string(memory)) {
		if err == nil && (strings.HasPrefix(line, "VmHWM") || strings.HasPrefix(line, "VmRSS")) {
			fmt.Print("server: " + line)
		}
	}
	return nil
}

// accounts share the load: one budget, of at most 9.2 billion in nano-epsilon of
// 64 bits, lasts some minutes of bulk requests.
const accounts = 16

func account(i int) string { return fmt.Sprintf("load-%d", i) }

// text returns n common words.
func text(n int) string {
	words := strings.Fields("the food was good and my doctor said that they had seen a house near the old river in town last year")
	var all []string
	for i := range n {
		all = append(all, words[i%len(words)])
	}
	return strings.Join(all, " ")
}

func freeAddress() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return listener.Addr().String(), listener.Close()
}

func (l *load) ready() error {
	for range 500 {
		if a, err := http.Get(l.url + "/readyz"); err == nil {
			_ = a.Body.Close()
			if a.StatusCode == http.StatusOK {
				return nil
			}
		}
		time.Sleep(20 * time.Millisecond)
	}
	return errors.New("the server does not answer")
}

// measure sends requests over the given number of connections for a time, and
// prints the rates. Every answer must be complete.
func (l *load) measure(what string, connections int, texts []string, tokens int, length time.Duration) (took []time.Duration, err error) {
	bodies := make([][]byte, accounts)
	for i := range bodies {
		if bodies[i], err = json.Marshal(map[string]any{"texts": texts, "mechanism": l.mechanism, "epsilon": l.epsilon, "account": account(i)}); err != nil {
			return nil, err
		}
	}
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: connections, MaxConnsPerHost: connections, DisableCompression: true}}
	defer client.CloseIdleConnections()
	each := make([][]time.Duration, connections)
	failures := make([]error, connections)
	start := time.Now()
	var wait sync.WaitGroup
	for i := range connections {
		wait.Go(func() {
			for n := i; time.Since(start) < length; n++ {
				at := time.Now()
				if failures[i] = l.ask(client, bodies[n%accounts], len(texts)); failures[i] != nil {
					return
				}
				each[i] = append(each[i], time.Since(at))
			}
		})
	}
	wait.Wait()
	seconds := time.Since(start).Seconds()
	if err := errors.Join(failures...); err != nil {
		return nil, err
	}
	took = slices.Concat(each...)
	slices.Sort(took)
	at := func(q float64) time.Duration { return took[int(q*float64(len(took)-1))].Round(10 * time.Microsecond) }
	fmt.Printf("%s: %.0f requests/s, %.0f tokens/s, p50 %v, p99 %v, longest %v\n", what, float64(len(took))/seconds,
		float64(len(took)*tokens)/seconds, at(.5), at(.99), at(1))
	return took, nil
}

func (l *load) ask(client *http.Client, body []byte, texts int) error {
	q, err := http.NewRequest(http.MethodPost, l.url+"/v1/rewrite", bytes.NewReader(body))
	if err != nil {
		return err
	}
	q.Header.Set("Content-Type", "application/json")
	if l.keyed {
		q.Header.Set("Idempotency-Key", rand.Text())
	}
	a, err := client.Do(q)
	if err != nil {
		return err
	}
	defer a.Body.Close()
	got, err := io.ReadAll(a.Body)
	if err != nil {
		return err
	}
	if a.StatusCode != http.StatusOK || bytes.Count(got, []byte(`"text":`)) != texts {
		return fmt.Errorf("%s: %.200s", a.Status, got)
	}
	return nil
}

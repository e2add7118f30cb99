//go:build linux

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// A meter runs programs and benchmarks, and writes a line of each for benchstat.
type meter struct {
	ctx     context.Context
	data    string // folder of the data sets
	work    string // scratch folder
	program string // the build of sotto that is measured
	rounds  int
	lines   io.Writer
}

// A cost is what one run of a program took.
type cost struct {
	seconds, processor float64
	peak               int64 // bytes
}

func (m *meter) build() error {
	return m.command(nil, "go", "build", "-trimpath", "-o", m.program, "./cmd/sotto")
}

// command runs a command whose cost does not count, with the caches of the user.
func (m *meter) command(out io.Writer, name string, args ...string) error {
	c := exec.CommandContext(m.ctx, name, args...)
	var messages bytes.Buffer
	c.Stdout, c.Stderr = out, &messages
	if err := c.Run(); err != nil {
		return fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, messages.Bytes())
	}
	return nil
}

// sotto runs the program once.
func (m *meter) sotto(args ...string) (cost, error) {
	c := exec.CommandContext(m.ctx, m.program, args...)
	c.Env = m.environment()
	return costOf(c)
}

// costOf runs a command, and counts the programs that it waits for too.
func costOf(c *exec.Cmd) (cost, error) {
	var messages bytes.Buffer
	c.Stderr = &messages
	start := time.Now()
	if err := c.Run(); err != nil {
		return cost{}, fmt.Errorf("%s: %w\n%s", strings.Join(c.Args, " "), err, messages.Bytes())
	}
	used := c.ProcessState.SysUsage().(*syscall.Rusage)
	return cost{time.Since(start).Seconds(), (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds(), used.Maxrss << 10}, nil
}

// environment has the tables that were imported, and calibrations of this run alone.
func (m *meter) environment() []string {
	return append(os.Environ(), "SOTTO_HOME="+filepath.Join(m.work, "home"), "XDG_CACHE_HOME="+m.cache())
}

func (m *meter) cache() string { return filepath.Join(m.work, "cache") }

// A job is a command line of sotto with the name of its measurement.
type job struct {
	name string
	args []string
}

// inTurns runs each job once per round, one after the other, and returns its run with the
// least processor time.
func (m *meter) inTurns(jobs []job) ([]cost, error) {
	least := make([]cost, len(jobs))
	for round := range m.rounds {
		for i, j := range jobs {
			c, err := m.sotto(j.args...)
			if err != nil {
				return nil, err
			}
			fmt.Fprintf(m.lines, "Benchmark%s 1 %.0f ns/op %.3f cpu-s %d peak-B\n", j.name, c.seconds*1e9, c.processor, c.peak)
			if round == 0 || c.processor < least[i].processor {
				least[i] = c
			}
		}
	}
	return least, nil
}

// A benchmark is the best line of a Go benchmark: its values by their unit.
type benchmark struct {
	name   string
	values map[string]float64
}

var processors = regexp.MustCompile(`-\d+$`)

// benchmarks runs the benchmarks of a package that match.
func (m *meter) benchmarks(pkg, pattern string, flags ...string) ([]benchmark, error) {
	var out bytes.Buffer
	if err := m.command(&out, "go", append([]string{"test", pkg, "-run", "^$", "-timeout", "1h", "-bench", pattern}, flags...)...); err != nil {
		return nil, err
	}
	for line := range strings.Lines(out.String()) {
		if strings.HasPrefix(line, "Benchmark") {
			fmt.Fprint(m.lines, line)
		}
	}
	found, err := parse(out.String())
	if err == nil && len(found) == 0 {
		err = fmt.Errorf("%s has no benchmark %s", pkg, pattern)
	}
	return found, err
}

// parse reads the output of go test -bench. Of lines with one name the one with the least
// ns/op counts.
func parse(out string) ([]benchmark, error) {
	var found []benchmark
	at := map[string]int{}
	for line := range strings.Lines(out) {
		fields := strings.Fields(line)
		if len(fields) < 4 || !strings.HasPrefix(fields[0], "Benchmark") {
			continue
		}
		b := benchmark{processors.ReplaceAllString(fields[0], ""), map[string]float64{}}
		for i := 2; i+1 < len(fields); i += 2 {
			x, err := strconv.ParseFloat(fields[i], 64)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", line, err)
			}
			b.values[fields[i+1]] = x
		}
		i, ok := at[b.name]
		switch {
		case !ok:
			at[b.name], found = len(found), append(found, b)
		case b.values["ns/op"] < found[i].values["ns/op"]:
			found[i] = b
		}
	}
	return found, nil
}

func megabytes(bytes int64) string { return fmt.Sprintf("%d MB", int(math.Ceil(float64(bytes)/1e6))) }

package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
)

// sampling is how often the memory is read. The line is fitted to blocks means,
// because neighbouring samples are correlated and means over a tenth of the
// time hardly are.
const (
	sampling = time.Second
	blocks   = 10
)

// soak has short and bulk requests run together for a long time and fits a line
// to the server's resident memory. It ignores the first fifth as warm-up.
// Memory counts as flat if the slope, less three of its standard errors, is not
// positive, or if the line rises by less than a fiftieth over the whole time: a
// longer soak needs a smaller slope.
func (l *load) soak(pid, connections, tokens, bulk, bulkers int) error {
	short := []string{text(tokens)}
	ctx, cancel := context.WithCancel(context.Background())
	var memory []float64
	sampled := make(chan error, 1)
	go func() {
		tick := time.NewTicker(sampling)
		defer tick.Stop()
		for {
			m, err := resident(pid)
			if err != nil {
				sampled <- err
				return
			}
			memory = append(memory, m)
			select {
			case <-ctx.Done():
				sampled <- nil
				return
			case <-tick.C:
			}
		}
	}()
	var both errgroup.Group
	both.Go(func() error {
		_, err := l.measure("soak, short requests", connections, short, tokens, l.length)
		return err
	})
	both.Go(func() error {
		_, err := l.measure("soak, bulk requests", bulkers, slices.Repeat(short, bulk), tokens*bulk, l.length)
		return err
	})
	err := both.Wait()
	cancel()
	if err := errors.Join(err, <-sampled); err != nil {
		return err
	}
	kept := memory[len(memory)/5:]
	if len(kept) < 2*blocks {
		return fmt.Errorf("%d samples of memory are too few: soak for longer", len(memory))
	}
	slope, spread, mean := line(kept)
	fmt.Printf("memory: %d samples after warm-up, %.1f MiB on average, from %.1f to %.1f in blocks; slope %.3f MiB per minute, standard error %.3f\n",
		len(kept), mean, slices.Min(means(kept)), slices.Max(means(kept)), slope, spread)
	if slope-3*spread > 0 && slope*l.length.Minutes() > mean/50 {
		return fmt.Errorf("memory grows by %.3f MiB per minute", slope)
	}
	return nil
}

// resident returns a process's resident memory in MiB.
func resident(pid int) (float64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	for l := range strings.Lines(string(status)) {
		var kib float64
		if n, _ := fmt.Sscanf(l, "VmRSS: %f kB", &kib); n == 1 {
			return kib / 1024, nil
		}
	}
	return 0, errors.New("this system does not report resident memory")
}

// means cuts samples into blocks of one length and returns their means.
func means(samples []float64) []float64 {
	n := len(samples) / blocks
	out := make([]float64, blocks)
	for i := range out {
		for _, v := range samples[i*n : (i+1)*n] {
			out[i] += v / float64(n)
		}
	}
	return out
}

// line fits a straight line to the means of the blocks by least squares. It
// returns the slope per minute, its standard error, and the mean.
func line(samples []float64) (slope, spread, mean float64) {
	y := means(samples)
	step := float64(len(samples)/blocks) * sampling.Minutes()
	middle := float64(blocks-1) / 2
	var xx, xy float64
	for _, v := range y {
		mean += v / blocks
	}
	for i, v := range y {
		x := (float64(i) - middle) * step
		xx += x * x
		xy += x * (v - mean)
	}
	slope = xy / xx
	rest := 0.0
	for i, v := range y {
		d := v - mean - slope*(float64(i)-middle)*step
		rest += d * d
	}
	return slope, math.Sqrt(rest / (blocks - 2) / xx), mean
}

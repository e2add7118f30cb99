package vectors

import (
	"bufio"
	"container/heap"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/sotto-dp/sotto/files/atomicfile"
)

// fanIn is the number of runs merged at once, each an open file.
const fanIn = 64

// runs holds sorted pairs in files: levels of runs, each level merged into one run of
// the next when it has fanIn. Several goroutines may add runs.
type runs struct {
	path string // the files' names are made of it

	mu     sync.Mutex
	levels [][]*run
}

// run is a file of pairs in increasing order of row and column.
type run struct{ file *atomicfile.File }

// add writes the pairs that take gives to a new run.
func (r *runs) add(ctx context.Context, take func(give func(pair) error) error) error {
	one, err := r.write(ctx, take)
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.keep(ctx, one, 0)
}

func (r *runs) keep(ctx context.Context, one *run, level int) error {
	if level == len(r.levels) {
		r.levels = append(r.levels, nil)
	}
	r.levels[level] = append(r.levels[level], one)
	if len(r.levels[level]) < fanIn {
		return nil
	}
	merged, err := r.write(ctx, func(give func(pair) error) error { return merge(r.levels[level], give) })
	if err != nil {
		return err
	}
	remove(r.levels[level])
	r.levels[level] = nil
	return r.keep(ctx, merged, level+1)
}

func (r *runs) write(ctx context.Context, take func(give func(pair) error) error) (*run, error) {
	f, err := atomicfile.Create(r.path + ".pairs")
	if err != nil {
		return nil, err
	}
	w := bufio.NewWriterSize(f, 1<<16)
	var row, column uint32
	var buf [3 * binary.MaxVarintLen64]byte
	written := 0
	err = take(func(p pair) error {
		if written++; written&0xffff == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if p.row != row {
			column = 0
		}
		b := binary.AppendUvarint(buf[:0], uint64(p.row-row))
		b = binary.AppendUvarint(b, uint64(p.column-column))
		b = binary.AppendUvarint(b, p.count)
		row, column = p.row, p.column
		_, err := w.Write(b)
		return err
	})
	if err == nil {
		err = w.Flush()
	}
	if err != nil {
		_ = f.Cleanup()
		return nil, err
	}
	return &run{f}, nil
}

// all calls give with the pairs of all runs in order, each once, with the sum of its
// counts.
func (r *runs) all(give func(pair) error) error {
	var list []*run
	for _, level := range r.levels {
		list = append(list, level...)
	}
	return merge(list, give)
}

// close removes the files.
func (r *runs) close() {
	for _, level := range r.levels {
		remove(level)
	}
	r.levels = nil
}

func remove(list []*run) {
	for _, one := range list {
		_ = one.file.Cleanup()
	}
}

// reader reads one run.
type reader struct {
	in   *bufio.Reader
	file *os.File
	at   pair
}

// next reads the next pair; io.EOF is the end.
func (r *reader) next() error {
	row, err := binary.ReadUvarint(r.in)
	if err != nil {
		return err
	}
	column, err1 := binary.ReadUvarint(r.in)
	count, err2 := binary.ReadUvarint(r.in)
	if err1 != nil || err2 != nil {
		return fmt.Errorf("vectors: a temporary file of pairs was cut off")
	}
	if row > 0 {
		r.at.column = 0
	}
	r.at = pair{r.at.row + uint32(row), r.at.column + uint32(column), count}
	return nil
}

// readers is a heap by row and column.
type readers []*reader

func (h readers) Len() int      { return len(h) }
func (h readers) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h readers) Less(i, j int) bool {
	a, b := h[i].at, h[j].at
	return a.row < b.row || a.row == b.row && a.column < b.column
}
func (h *readers) Push(x any) { *h = append(*h, x.(*reader)) }
func (h *readers) Pop() any {
	old := *h
	last := old[len(old)-1]
	*h = old[:len(old)-1]
	return last
}

func merge(list []*run, give func(pair) error) error {
	var h readers
	defer func() {
		for _, r := range h {
			r.file.Close()
		}
	}()
	for _, one := range list {
		f, err := os.Open(one.file.Name())
		if err != nil {
			return err
		}
		r := &reader{in: bufio.NewReaderSize(f, 1<<16), file: f}
		h = append(h, r)
		if err := r.next(); err == io.EOF {
			h = h[:len(h)-1]
			f.Close()
		} else if err != nil {
			return err
		}
	}
	heap.Init(&h)
	for h.Len() > 0 {
		sum := pair{h[0].at.row, h[0].at.column, 0}
		for h.Len() > 0 && h[0].at.row == sum.row && h[0].at.column == sum.column {
			sum.count += h[0].at.count
			if err := h[0].next(); err == io.EOF {
				heap.Pop(&h).(*reader).file.Close()
			} else if err != nil {
				return err
			} else {
				heap.Fix(&h, 0)
			}
		}
		if err := give(sum); err != nil {
			return err
		}
	}
	return nil
}

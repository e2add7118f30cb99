package vectors

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"iter"

	"golang.org/x/sync/errgroup"
)

// Corpus yields the texts of a corpus, the same ones each time. The bytes of a text
// may change after the call. It stops after the first error.
type Corpus = iter.Seq2[[]byte, error]

// batchBytes is the size of a batch of texts. How a corpus is cut into batches changes
// no count.
const batchBytes = 1 << 18

// read calls one of works, each in its own goroutine, for every batch of texts, and
// returns what identifies the corpus.
func read(ctx context.Context, c Corpus, works []func(texts [][]byte) error) (id identity, err error) {
	group, ctx := errgroup.WithContext(ctx)
	batches := make(chan [][]byte)
	for _, work := range works {
		group.Go(func() error {
			for batch := range batches {
				if err := work(batch); err != nil {
					return err
				}
			}
			return nil
		})
	}
	group.Go(func() error {
		defer close(batches)
		var err error
		id, err = send(ctx, c, batches)
		return err
	})
	err = group.Wait()
	return id, err
}

// identity tells one corpus from another.
type identity struct {
	texts  int64
	bytes  int64
	digest [sha256.Size]byte // of the texts, each after its length
}

// send sends the texts of c in batches until ctx ends. A nil channel receives none.
func send(ctx context.Context, c Corpus, batches chan<- [][]byte) (id identity, err error) {
	h := sha256.New()
	var memory []byte
	var batch [][]byte
	flush := func() error {
		if batches == nil {
			memory, batch = memory[:0], batch[:0]
			return ctx.Err()
		}
		select {
		case batches <- batch:
			memory, batch = make([]byte, 0, batchBytes), nil
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	for text, err := range c {
		if err != nil {
			return id, err
		}
		var length [8]byte
		binary.LittleEndian.PutUint64(length[:], uint64(len(text)))
		h.Write(length[:])
		h.Write(text)
		id.texts, id.bytes = id.texts+1, id.bytes+int64(len(text))
		start := len(memory)
		memory = append(memory, text...)
		batch = append(batch, memory[start:len(memory):len(memory)])
		if len(memory) >= batchBytes {
			if err := flush(); err != nil {
				return id, err
			}
		}
	}
	h.Sum(id.digest[:0])
	return id, flush()
}

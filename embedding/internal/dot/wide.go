package dot

// Wide is a table of integers held in float32, packed for squared distances in
// float64: panels of a few words, one dimension after the other.
type Wide struct {
	kernel *wideKernel
	dim    int
	panels []float32
	norms  []float64 // squared norms of the words, zero beyond the last
}

// wideKernel is one implementation.
type wideKernel struct {
	name  string
	width int // words in a panel
	tiles []wideTile
}

// wideTile is a kernel for a fixed number of rows; see squaresGo.
type wideTile struct {
	rows    int
	squares func(dst, x, own []float64, panels []float32, norms []float64, dim, count, width int)
}

var plainWide = wideKernel{"go", 8, []wideTile{{1, squaresGo}}}

// squaresGo is the specification of every tile, here for one row and panels of 8
// words. For rows queries x (dim x rows) and count panels (each dim x words),
// dst[r*width+w] = own[r] + norms[w] - 2 sum over k of x[k][r] panels[k][w], all
// of it in whole numbers that float64 holds.
func squaresGo(dst, x, own []float64, panels []float32, norms []float64, dim, count, width int) {
	for p := range count {
		var sums [8]float64
		for k, v := range x[:dim] {
			for w, y := range panels[(p*dim+k)*8:][:8] {
				sums[w] += v * float64(y)
			}
		}
		for w, s := range sums {
			dst[p*8+w] = own[0] + norms[p*8+w] - 2*s
		}
	}
}

// PackWide packs rows of dim components.
func PackWide(rows []float32, dim int) *Wide { return packWide(wideKernels()[0], rows, dim) }

func packWide(k *wideKernel, rows []float32, dim int) *Wide {
	t := &Wide{kernel: k, dim: dim}
	words := len(rows) / dim
	t.Resize(words)
	for i := range words {
		t.Set(i, rows[i*dim:(i+1)*dim])
	}
	return t
}

// NewWide is a table with room for no words.
func NewWide(dim int) *Wide { return &Wide{kernel: wideKernels()[0], dim: dim} }

// Resize makes room for so many words. What it held is lost.
func (t *Wide) Resize(words int) {
	whole := (words + t.kernel.width - 1) / t.kernel.width * t.kernel.width
	if whole > len(t.norms) {
		t.panels, t.norms = make([]float32, whole*t.dim), make([]float64, whole)
	}
}

// Set packs one word. Words may be set by different goroutines.
func (t *Wide) Set(word int, row []float32) {
	k := t.kernel.width
	panel, norm := t.panels[word/k*k*t.dim+word%k:], 0.0
	for j, v := range row {
		panel[j*k] = v
		norm += float64(v) * float64(v)
	}
	t.norms[word] = norm
}

// WideScratch is the working memory of one caller of Squares.
type WideScratch struct{ x, own, out []float64 }

// Panels at a time: they stay in the second cache while the tiles take turns.
const widePanels = 48

// Squares writes, for each of xs, the squared distances from row x of rows, which
// need not be packed, to the words from (included) to to (excluded) into a row of
// dst; rows of dst are to-from apart.
func (t *Wide) Squares(dst []float64, rows []float32, xs []int, from, to int, s *WideScratch) {
	k, width := t.kernel, to-from
	s.x, s.own = grown(s.x, len(xs)*t.dim), grown(s.own, len(xs))
	at := 0
	for rest := xs; len(rest) > 0; {
		tall := k.tile(len(rest)).rows
		for r, x := range rest[:tall] {
			packed, norm := s.x[at*t.dim+r:], 0.0
			for j, v := range rows[x*t.dim : (x+1)*t.dim] {
				v := float64(v)
				packed[j*tall] = v
				norm += v * v
			}
			s.own[at+r] = norm
		}
		rest, at = rest[tall:], at+tall
	}
	for start := from / k.width; start*k.width < to; {
		// Whole panels go straight to dst; one that is cut goes through a scratch.
		end := min(start+widePanels, to/k.width)
		low, high := start*k.width, end*k.width
		cut := low < from || end <= start
		if cut {
			end = start + 1
			low, high = max(from, start*k.width), min(to, end*k.width)
		}
		for at := 0; at < len(xs); {
			tile := k.tile(len(xs) - at)
			out, stride := dst[at*width+low-from:], width
			if cut {
				s.out = grown(s.out, tile.rows*k.width)
				out, stride = s.out, k.width
			}
			tile.squares(out, s.x[at*t.dim:], s.own[at:], t.panels[start*k.width*t.dim:], t.norms[start*k.width:], t.dim, end-start, stride)
			for r := 0; cut && r < tile.rows; r++ {
				copy(dst[(at+r)*width+low-from:][:high-low], s.out[r*k.width+low-start*k.width:])
			}
			at += tile.rows
		}
		start = end
	}
}

// tile is the tallest tile for at most so many rows.
func (k *wideKernel) tile(rows int) wideTile {
	for _, t := range k.tiles {
		if t.rows <= rows {
			return t
		}
	}
	return k.tiles[len(k.tiles)-1]
}

func grown(s []float64, n int) []float64 {
	if cap(s) < n {
		return make([]float64, n)
	}
	return s[:n]
}

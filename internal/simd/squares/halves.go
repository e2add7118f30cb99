package squares

// Instructions for pairs of int16 make 32 products each, those of float64 make 8. A
// component is 2048 h + l in two halves, with l in [-1024, 1024), and with s = h + l
//
//	x.y = 2^22 hh + 2^11 (ss - hh - ll) + ll
//
// takes three inner products of halves (Karatsuba and Ofman 1962). The sums wrap modulo
// 2^32: those of h and of l, and the middle term, are then right where they fit an int32.
const (
	lowBits = 11
	lowHalf = 1 << (lowBits - 1)
)

// fitHalves reports whether the halves of components that are at most largest in size,
// and the inner products that must not wrap, fit.
func fitHalves(dim int, largest float32) bool {
	if largest >= 1<<24 || dim > 1<<20 {
		return false
	}
	high := int64(largest)>>lowBits + 1
	const most = 1<<31 - 1
	return high+lowHalf < 1<<15 && int64(dim)*high*high <= most && 2*int64(dim)*high*lowHalf <= most && int64(dim)*lowHalf*lowHalf <= most
}

// pairs returns the number of pairs of components.
func pairs(dim int) int { return (dim + 1) / 2 }

// split returns the halves of a component.
func split(v float32) (h, l int16) {
	whole := int32(v)
	low := whole << (32 - lowBits) >> (32 - lowBits)
	return int16((whole - low) >> lowBits), int16(low)
}

// halve writes the halves of a row's components: a pair of components is at at, the
// next one each further, and the lower halves are low after the upper. It returns the
// squared norm. Dst is zero where the last pair lacks a component.
func halve(dst []int16, row []float32, at, each, low int) (norm float64) {
	for j, v := range row {
		h, l := split(v)
		place := at + j/2*each + j%2
		dst[place], dst[place+low] = h, l
		norm += float64(v) * float64(v)
	}
	return norm
}

// halveRow writes the pairs of row r of a tile of tall rows: upper halves, lower halves
// and their sums. It returns the squared norm.
func halveRow(dst []int16, row []float32, r, tall int) (norm float64) {
	each := 6 * tall
	if len(row)%2 == 1 {
		clear(dst[6*r+len(row)/2*each:][:6])
	}
	norm = halve(dst, row, 6*r, each, 2)
	for at := 6 * r; at < pairs(len(row))*each; at += each {
		pair := dst[at : at+6]
		pair[4], pair[5] = pair[0]+pair[2], pair[1]+pair[3]
	}
	return norm
}

// squaresOfHalves is a tile of one row and panels of 16 words: squaresGo for halves. For
// each pair of components, x has the row's upper halves, lower halves and sums, and a
// panel has the upper halves of all words, then the lower ones.
func squaresOfHalves(dst []float64, x []int16, own []float64, panels []int16, norms []float64, pairs, count, _ int) {
	const words = 16
	for p := range count {
		for w := range words {
			var hh, ll, ss int32
			for k := range pairs {
				x, y := x[6*k:], panels[(p*pairs+k)*4*words+2*w:]
				for i := range 2 {
					h, l := y[i], y[2*words+i]
					hh += int32(x[i]) * int32(h)
					ll += int32(x[2+i]) * int32(l)
					ss += int32(x[4+i]) * int32(h+l)
				}
			}
			product := float64(hh)*(1<<(2*lowBits)) + float64(ss-hh-ll)*(1<<lowBits) + float64(ll)
			dst[p*words+w] = own[0] + norms[p*words+w] - 2*product
		}
	}
}

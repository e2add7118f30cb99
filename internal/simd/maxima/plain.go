package maxima

import "math"

var plain = kernels{tiles: []rows{{1, maximaGo}}, largest: 127, peaks: peaksGo, over: overGo, fours: foursGo}

// maximaGo is the specification of the kernels for one query. For a group g of vectors y,
//
//	dst[g*Lanes+lane] = max(x.(y + 128))
//
// over the vectors of the lane. The rows of dst are stride apart.
func maximaGo(dst []int32, x []uint8, y []uint8, groups, quads, _ int) {
	for w := range groups * Group {
		sum, tile := int32(0), y[(w/tile*quads*tile+w%tile)*4:]
		for k, v := range x[:quads*4] {
			sum += int32(int8(v)) * int32(tile[k/4*4*32+k%4])
		}
		out := &dst[w/Group*Lanes+w%Lanes]
		if w%Group < Lanes {
			*out = sum
		}
		*out = max(*out, sum)
	}
}

// peaksGo is the specification of the kernels: see [Peaks].
func peaksGo(best *[Lanes]float32, at *[Lanes]int32, peaks, maxima []int32, shift int32, scales, offsets []float32) {
	for l := range Lanes {
		best[l], at[l] = float32(math.Inf(-1)), 0
	}
	for s, offset := range offsets {
		for l := range Lanes {
			peak := int32(math.MinInt32)
			for g := range Span {
				peak = max(peak, maxima[(s*Span+g)*Lanes+l])
			}
			peaks[s*Lanes+l] = peak
			if v := float32(float32(peak-shift)*scales[s]) - offset; v > best[l] {
				best[l], at[l] = v, int32(s)
			}
		}
	}
}

// overGo is the specification of the kernels: see [Over].
func overGo(masks []uint16, peaks, limits []int32) {
	for s, limit := range limits {
		masks[s] = 0
		for l, peak := range peaks[s*Lanes:][:Lanes] {
			if peak > limit {
				masks[s] |= 1 << l
			}
		}
	}
}

// foursGo is the specification of the kernels: see [Fours].
func foursGo(dst []int32, x, y []int8, at []int32) {
	for i, row := range at {
		for r := range 4 {
			sum := int32(0)
			for k, v := range x {
				sum += int32(v) * int32(y[(int(row)+r)*len(x)+k])
			}
			dst[4*i+r] = sum
		}
	}
}

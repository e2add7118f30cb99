// Package multiples adds multiples of rows of float64 to another row. Each product is rounded
// before it is added, and products are added in the order of the rows, so every implementation
// gives the same bits.
package multiples

// Sum adds by[k] rows[which[k]*stride+i] to dst[i], for one k after the other.
func Sum(dst, by, rows []float64, which []uint32, stride int) {
	if len(dst) == 0 || len(by) == 0 {
		return
	}
	which = which[:len(by)]
	for _, row := range which { // the kernels check no bounds
		_ = rows[int(row)*stride:][:len(dst)]
	}
	n := sum(dst, by, rows, which, stride)
	sumGo(dst[n:], by, rows[n:], which, stride)
}

// sumGo is the specification of the kernels: see [Sum].
func sumGo(dst, by, rows []float64, which []uint32, stride int) {
	if len(dst) == 0 {
		return
	}
	for k, row := range which {
		row := rows[int(row)*stride:][:len(dst)]
		for i := range dst {
			dst[i] += float64(by[k] * row[i])
		}
	}
}

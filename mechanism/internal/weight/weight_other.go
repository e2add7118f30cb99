//go:build !amd64

package weight

const vector = false

func (l Law) constants() *[23]float64 { return nil }

func fill32AVX512(dst []uint64, q []uint32, c *[23]float64) { panic("weight: no kernel") }

func fillAVX512(dst []uint64, q []float64, c *[23]float64) { panic("weight: no kernel") }

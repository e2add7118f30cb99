package lanes

import "golang.org/x/sys/cpu"

var fast = cpu.X86.HasAVX2 && cpu.X86.HasFMA

//go:noescape
func gatherAVX2(sum *Wide, at *uint32, more *float32, src *Wide, n int)

//go:noescape
func gatherAllAVX2(sum *Wide, at *uint32, src *Wide, n int)

//go:noescape
func scatterAVX2(dst *Wide, at *uint32, more *float32, s *Wide, n int)

//go:noescape
func scatterAllAVX2(dst *Wide, at *uint32, s *Wide, n int)

// Gather adds the sum of more[i] src[at[i]] to sum.
func Gather(sum *Wide, at []uint32, more []float32, src []Wide) {
	if !fast || len(at) == 0 {
		gather(sum, at, more, src)
		return
	}
	more = more[:len(at)]
	gatherAVX2(sum, &at[0], &more[0], &src[0], len(at))
}

// GatherAll adds the sum of src[at[i]] to sum.
func GatherAll(sum *Wide, at []uint32, src []Wide) {
	if !fast || len(at) == 0 {
		gatherAll(sum, at, src)
		return
	}
	gatherAllAVX2(sum, &at[0], &src[0], len(at))
}

// Scatter adds more[i] s to dst[at[i]] for each i.
func Scatter(dst []Wide, at []uint32, more []float32, s *Wide) {
	if !fast || len(at) == 0 {
		scatter(dst, at, more, s)
		return
	}
	more = more[:len(at)]
	scatterAVX2(&dst[0], &at[0], &more[0], s, len(at))
}

// ScatterAll adds s to dst[at[i]] for each i.
func ScatterAll(dst []Wide, at []uint32, s *Wide) {
	if !fast || len(at) == 0 {
		scatterAll(dst, at, s)
		return
	}
	scatterAllAVX2(&dst[0], &at[0], s, len(at))
}

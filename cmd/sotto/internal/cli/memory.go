package cli

import (
	"math"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
)

// ReadSize parses a number of bytes with an optional suffix K, M or G for powers of
// 1,024; the empty string is 0.
func ReadSize(name, size string) (int, error) {
	if size == "" {
		return 0, nil
	}
	digits, shift := size, 0
	if at := strings.IndexByte("KMG", size[len(size)-1]); at >= 0 {
		digits, shift = size[:len(size)-1], 10*(at+1)
	}
	n, err := strconv.Atoi(digits)
	if err != nil || n < 1 || n > math.MaxInt>>shift {
		return 0, WrongUsage("", "%s must be a whole number of bytes with or without K, M or G, such as 512M, got %q", name, size)
	}
	return n << shift, nil
}

// LimitHeap makes the collector keep new allocations, garbage included, within this many
// bytes if the live heap fits.
func LimitHeap(more int) {
	runtime.GC()
	var now runtime.MemStats
	runtime.ReadMemStats(&now)
	debug.SetMemoryLimit(int64(now.Sys-now.HeapReleased) + int64(more))
}

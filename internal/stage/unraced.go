//go:build !race

package stage

const raced = false

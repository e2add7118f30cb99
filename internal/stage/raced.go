//go:build race

package stage

const raced = true

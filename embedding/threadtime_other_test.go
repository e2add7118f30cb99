//go:build !linux

package embedding

import "time"

var began = time.Now()

// threadTime is the time that has passed.
func threadTime() time.Duration { return time.Since(began) }

package mechanism

// shipped returns the largest calibration that ships with the program for a
// table and member and certifies at most epsilon.
func shipped(digest, who, key string, epsilon float64) (calibration, bool) {
	return calibration{}, false
}

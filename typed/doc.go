// Package typed has the types of marked places, such as PERSON or DATE: for each a public
// codebook of the values that can replace a value of the type, and the names under which
// detectors know it.
//
// Nothing of a value remains but its type: the written form is that of the codebook. What
// the codebook has no place for has a fixed one. So every value of a type, any bytes at all,
// has a place, and its set is the k values around this place.
package typed

// Package unit has the units of protection: words of texts, whole texts that a model rewrites or
// a corpus replaces, and vectors. Each is a [release.Unit] over an opened mechanism.
//
// Words have one batch: what is drawn for, in order, and where each text ends in it. Distinct
// words, caps and marked places are maps over this batch.
package unit

// Package statement holds what a release states about itself: the claim, the figures that
// follow from it and from what was counted, what is not protected, what a run costs, and
// the same for people. A statement holds no text. It can be read again, and compared with
// the one that its mechanism must give.
//
// A release is described by [Facts], as it was opened. [Facts.State] makes the statement
// from them and from [Counts], and [Statement.Verify] compares a statement that was read with
// it.
package statement

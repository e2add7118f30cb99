// Package lab repeats, on real data, the experiments of the papers from which this
// project's mechanisms come, and reports which claims hold.
//
// A plan is one table or figure: a file of package plan. Its trials are small
// functions over a bench (tables, sets, opened mechanisms); each leaves one row
// in a store (package result), which is addressed by everything that it depends
// on; package source finds the code. Package report makes a page, plots and CSV of the rows. See docs/results/lab.md.
package lab

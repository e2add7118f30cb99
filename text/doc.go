// Package text streams files of texts through a rewriting function: lines, whole files, CSV, TSV,
// JSON lines, and Parquet (package parquet). It cuts the input into records, finds the texts in
// them, and writes everything else as it was. It knows no vocabulary: [tokenize] cuts a text into
// words.
//
// [tokenize]: https://pkg.go.dev/github.com/sotto-dp/sotto/text/tokenize
package text

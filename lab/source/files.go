package source

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/scanner"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// sum returns the digest of the files of a package.
func (p listed) sum() (string, error) {
	sum := sha256.New()
	for _, name := range slices.Concat(p.GoFiles, p.CgoFiles, p.SFiles, p.HFiles, p.EmbedFiles) {
		data, err := os.ReadFile(filepath.Join(p.Dir, name))
		if err != nil {
			return "", fmt.Errorf("source: %w", err)
		}
		fmt.Fprintln(sum, name)
		if strings.HasSuffix(name, ".go") {
			write(sum, data)
		} else {
			sum.Write(data)
		}
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// write writes Go code without its layout and comments, except directives.
func write(w io.Writer, code []byte) {
	var s scanner.Scanner
	files := token.NewFileSet()
	s.Init(files.AddFile("", files.Base(), len(code)), code, nil, scanner.ScanComments)
	for {
		_, tok, literal := s.Scan()
		switch {
		case tok == token.EOF:
			return
		case tok == token.SEMICOLON:
			literal = ";" // it is "\n" at the end of a line
		case tok == token.COMMENT && !strings.HasPrefix(literal, "//go:"):
			continue
		case literal == "":
			literal = tok.String()
		}
		fmt.Fprintln(w, literal)
	}
}

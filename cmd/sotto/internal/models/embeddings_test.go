package models

import "testing"

// Sets that are published under one first word do not replace each other.
func TestPublishedSetsKeepTheirNames(t *testing.T) {
	for file, want := range map[string]string{
		"a/cc.de.300.vec.gz":    "cc.de.300",
		"cc.zh-min-nan.300.bin": "cc.zh-min-nan.300",
		"wiki.fr.vec":           "wiki.fr",
		"glove.6B.100d.txt":     "glove",
		"mine.vec.gz":           "mine",
		"cc.vec":                "cc",
	} {
		if got := (&embeddingsImport{File: file}).name(); got != want {
			t.Errorf("%s is named %s, want %s", file, got, want)
		}
	}
}

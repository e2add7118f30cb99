package cli

import (
	"path/filepath"
	"testing"
)

func TestFileThatNoFlagDeclaresIsNotWritten(t *testing.T) {
	term := &Terminal{}
	name := filepath.Join(t.TempDir(), "file")
	if err := WriteWhole(t.Context(), term, name, nil); err == nil {
		t.Error("writeWhole wrote it")
	}
	if _, err := CreateOutput(t.Context(), term, name); err == nil {
		t.Error("createOutput opened it")
	}
}

package result

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

func TestCommittedRowsSurviveReadingAndWriting(t *testing.T) {
	files, err := filepath.Glob("../results/*/*.csv")
	if err != nil || len(files) < 40 {
		t.Fatalf("%d files (%v)", len(files), err)
	}
	for _, file := range files {
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := ReadCSV(bytes.NewReader(want))
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		var got bytes.Buffer
		if err := WriteCSV(&got, rows); err != nil {
			t.Errorf("%s: %v", file, err)
		}
		if !bytes.Equal(got.Bytes(), want) {
			a, b := bytes.Split(got.Bytes(), []byte("\n")), bytes.Split(want, []byte("\n"))
			for i := range min(len(a), len(b)) {
				if !bytes.Equal(a[i], b[i]) {
					t.Errorf("%s:%d: read and written:\n%s\nwant\n%s", file, i+1, a[i], b[i])
					break
				}
			}
		}
	}
}

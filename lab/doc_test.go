package lab

import (
	"testing"
	"testing/fstest"
)

// Rows keep their keys while the sources stay as they are: the digest depends on them and
// on nothing else, such as the version of the library.
func TestCodeIsADigestOfSourcesAlone(t *testing.T) {
	files := fstest.MapFS{"metric/a.go": {Data: []byte("package metric\n")}, "metric/a_test.go": {Data: []byte("tests\n")}}
	code := func() string {
		t.Helper()
		code, err := digest(files)
		if err != nil {
			t.Fatal(err)
		}
		return code
	}
	first := code()
	if want := "33801586455d7757"; first != want {
		t.Errorf("the digest is %s, want %s: all rows are stale", first, want)
	}
	files["metric/a_test.go"].Data = []byte("others\n")
	if code() != first {
		t.Error("the digest depends on tests")
	}
	files["metric/a.go"].Data = []byte("package metric // changed\n")
	if code() == first {
		t.Error("the digest does not depend on the sources")
	}
}

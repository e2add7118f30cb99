package opening

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/internal/stage"
)

// A list leaves the table before anything is drawn from it, and a report is read with its
// own list alone.
func TestListsLeaveTheTable(t *testing.T) {
	stage.Unraced(t)
	english, err := builtin.English()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	lists := map[string]string{}
	for name, words := range map[string]string{"one": "doctor\nboston\n", "same": "# again\nBOSTON\ndoctor", "other": "boston"} {
		lists[name] = filepath.Join(dir, name)
		if err := os.WriteFile(lists[name], []byte(words), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cut, err := Without(t.Context(), english, lists["one"])
	if err != nil || cut.Len() != english.Len()-2 || cut.Digest() == english.Digest() {
		t.Fatalf("%d words are left (%v)", cut.Len(), err)
	}
	if same, err := Without(t.Context(), english, ""); err != nil || same != english {
		t.Errorf("a table without a list: %v", err)
	}
	for name, fits := range map[string]bool{"one": true, "same": true, "other": false, "": false} {
		again, err := Stated(t.Context(), english, cut.Len(), cut.Never(), lists[name])
		if (err == nil) != fits || fits && again.Digest() != cut.Digest() {
			t.Errorf("list %q: %v", name, err)
		}
	}
	if _, err := Stated(t.Context(), english, 20000, nil, lists["one"]); err == nil {
		t.Error("a list was taken for a report without one")
	}
	shipped, err := Without(t.Context(), english, builtin.NeverName)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := Stated(t.Context(), english, shipped.Len(), shipped.Never(), ""); err != nil || again.Digest() != shipped.Digest() {
		t.Errorf("the shipped list is not found: %v", err)
	}
}

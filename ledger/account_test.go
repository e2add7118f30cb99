package ledger

import (
	"strings"
	"testing"
)

// The message lists every accepted sign in one piece, and does not repeat the name.
func TestRefusedAccountNameSaysWhatIsAccepted(t *testing.T) {
	for _, name := range []string{"a", "a._@:/+-", strings.Repeat("a", 64)} {
		if err := CheckAccount(name); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	for name, bytes := range map[string]string{"": "0", "-a": "2", "a b": "3", strings.Repeat("a", 65): "65"} {
		want := "ledger: account must be 1 to 64 letters, digits or ._@:/+-, a letter or digit first, got a name of " + bytes + " bytes"
		if err := CheckAccount(name); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", name, err, want)
		}
	}
}

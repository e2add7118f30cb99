package corpus

import (
	"slices"
	"testing"
)

// The words of an address have a meaning for the choice of a text, where their number does
// not show: vectors are those of earlier versions.
func TestWordsOfAddressesCountInVectors(t *testing.T) {
	c, err := English()
	if err != nil {
		t.Fatal(err)
	}
	e := encoder(t, c)
	for address, words := range map[string]string{
		"https://www.football.com/goal": "https : / / www . football . com / goal",
		"football@goal.com":             "football @ goal . com",
	} {
		got, want := e.Encode(nil, []byte(address)), e.Encode(nil, []byte(words))
		if !slices.Equal(got, want) || !slices.ContainsFunc(got, func(x int8) bool { return x != 0 }) {
			t.Errorf("the vector of %q is not that of its words", address)
		}
	}
}

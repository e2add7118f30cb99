package privacy_test

import (
	"testing"

	"github.com/sotto-dp/sotto/privacy"
)

func TestParameterErrorsSayWhatIsAccepted(t *testing.T) {
	for want, err := range map[string]error{
		`tem: beta must be in (0, 1), got 2`:                         privacy.Bad("tem", "beta", 2.0, "in (0, 1)"),
		`packing needs a channel: it is large`:                       privacy.Missing("packing", "a channel", "it is large"),
		`sottolog needs a handler`:                                   privacy.Missing("sottolog", "a handler", ""),
		`serve: pieces cannot be used with spans: they have none`:    privacy.Unwanted("serve", "pieces", "with spans: they have none"),
		`sotto: unknown: "the" is in the table; choose another word`: privacy.Wrong("sotto", "unknown", `"the" is in the table`, "choose another word"),
		`adept: a text has 7 tokens, and 6 fit; cut it`:              privacy.Wrong("adept", "", "a text has 7 tokens, and 6 fit", "cut it"),
		`tem: unknown parameter "foo" (have beta, gamma)`:            privacy.UnknownParameter("tem", "foo", []string{"beta", "gamma"}),
		"neighbours: unknown parameter \"a\\nb\" (have neighbours)":  privacy.UnknownParameter("neighbours", "a\nb", []string{"neighbours"}),
		`response: unknown parameter "k" (have none)`:                privacy.UnknownParameter("response", "k", nil),
	} {
		if err.Error() != want {
			t.Errorf("the error is %q, want %q", err, want)
		}
	}
}

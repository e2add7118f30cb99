package username

import "testing"

func TestNamesHaveOneSpelling(t *testing.T) {
	for in, want := range map[string]string{
		"P001": "P001", "P001 ": "P001", "\tP001\r\n": "P001", "\u00a0P001\u3000": "P001", "p001": "p001", "P 001": "P 001",
		"Rene\u0301": "Ren\u00e9", "Ren\u00e9": "Ren\u00e9", "\u212b": "\u00c5", "\uff30001": "\uff30001", " other": Other, " \t": Other, "\u2000": Other,
		" 7.0 ": "7", "\xffP": "\xffP", "\xff ": "\xff",
	} {
		if got := Of(in); got != want {
			t.Errorf("%q names %q, want %q", in, got, want)
		}
		if got := Of(want); want != Other && got != want {
			t.Errorf("%q names %q", want, got)
		}
	}
}

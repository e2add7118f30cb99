package cli

import "testing"

func TestWordsOfAShellAreQuoted(t *testing.T) {
	for word, want := range map[string]string{
		"a/b.txt": "a/b.txt", "Klinik_Süd/n-1.txt": "Klinik_Süd/n-1.txt", "": "''", "no dir": "'no dir'", "$HOME": "'$HOME'", "a;b": "'a;b'", "let'ter": `'let'\''ter'`,
	} {
		if got := InShell(word); got != want {
			t.Errorf("%q is %s, want %s", word, got, want)
		}
	}
}

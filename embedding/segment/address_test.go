package segment_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/sotto-dp/sotto/embedding/segment"
	"pgregory.net/rapid"
)

// marked returns a text with its addresses in angle brackets.
func marked(text string) string {
	var out strings.Builder
	at := 0
	addresses := segment.NewAddresses([]byte(text))
	for {
		start, end, ok := addresses.Next()
		out.WriteString(text[at:start])
		if !ok {
			return out.String()
		}
		out.WriteString("<" + text[start:end] + ">")
		at = end
	}
}

func TestAddressesAreFoundWhole(t *testing.T) {
	for _, want := range []string{
		"",
		"no address: a/b, 3:30, e.g. this...",
		"write to <bob.smith+news@example.com>.",
		"see <https://www.example.com/a?b=1&c=d#e>, then",
		"<HTTP://EXAMPLE.COM> <www.example.com/> <WWW.a> <wWw.3com.example>",
		"(<http://x.example/a>) [<http://x.example>](<b@c.example>)",
		"<http://x.example/wiki/A_(b)> (see <a@b>) <a@b>(the boss)",
		"<http://x.example/a>(b((c) <a@b>(<c@d>(<e@f>",
		"\"<a@b.example>\" '<a@b.example>' “<a@b.example>” **<a@b.example>** <a@b>'s <o'brien@x.example>'s?",
		"<git@github.example:a/b.git> <ftp://me:secret@host:21/x> <file:///etc/passwd> <a@b.example,c@d.example>",
		"mail:<a@b> x=<a@b> a|<c@d>|e {<http://x>}",
		"@me a@ @ a @ b <3@5> 2@$5 ://x http:// a://. www. www.. www www.-a awww.b",
		"<a_@b> _@b x/<www.a> _www.b -<www.b>",
		"<jürgen@müller.example> <иван@пример.рф> <http://ex\u0301.example/\u00e9> 看<bob@x.example>看 看www.看 人@人",
		"<http://x.example/a>…<http://x.example/b>—c <http://x.example>。 <http://x>\u200b<a@b>\u00a0c",
		"<http://x/a>\xffb",
		"<a@b>\n<c@d>\t<e@f>",
	} {
		text := strings.NewReplacer("<", "", ">", "").Replace(want)
		if got := marked(text); got != want {
			t.Errorf("%q has the addresses %q, want %q", text, got, want)
		}
	}
}

var addressPieces = []string{"a", "b", "Z", "0", ".", ",", "@", "@", ":", "://", "://", "/", "www.", "www.", "WWW", "http", "'", "'s", "(", ")", "-", "_", "%", "?", "*",
	" ", "\n", "\u00a0", "\u200b", "\u00ad", "\u0301", "\u00e9", "人", "…", "\xff", "<", ">", "\""}

// Each address is what the documentation says. Cut out of its text it is an address as a
// whole, and what is between addresses has none.
func TestAddressesAreWordsOfAnyText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(addressPieces), 0, 14).Draw(t, "pieces"), "")
		checkAddresses(t, text)
	})
}

func FuzzAddresses(f *testing.F) {
	for _, s := range []string{"see http://x.example/a(b), a@b's", "www.a@b://c", "人a@b人"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { checkAddresses(t, s) })
}

func checkAddresses(t interface{ Fatalf(string, ...any) }, text string) {
	addresses, before := segment.NewAddresses([]byte(text)), 0
	for {
		start, end, ok := addresses.Next()
		if start < before || end < start || ok == (start == end) || !ok && end != len(text) {
			t.Fatalf("%q has an address from %d to %d, after %d", text, start, end, before)
		}
		if !ok {
			return
		}
		address := text[start:end]
		first, _ := utf8.DecodeRuneInString(address)
		last, _ := utf8.DecodeLastRuneInString(address)
		switch {
		case !utf8.ValidString(address), strings.ContainsFunc(address, unicode.IsSpace), strings.ContainsAny(address, "<>[]{}|\"\u200b"):
			t.Fatalf("%q has the address %q", text, address)
		case !unicode.IsLetter(first) && !unicode.IsNumber(first), strings.ContainsRune(".,;:!?*%'", last), strings.ContainsFunc(address, segment.Unspaced):
			t.Fatalf("%q has the address %q", text, address)
		case strings.Count(address, "(") != strings.Count(address, ")"):
			t.Fatalf("%q has the address %q", text, address)
		case !strings.Contains(address, "@") && !strings.Contains(address, "://") && !strings.Contains(strings.ToLower(address), "www."):
			t.Fatalf("%q has the address %q", text, address)
		}
		alone := segment.NewAddresses([]byte(address))
		if s, e, _ := alone.Next(); s != 0 || e != len(address) {
			t.Fatalf("%q has the address %q, which alone is %q", text, address, address[s:e])
		}
		between := segment.NewAddresses([]byte(text[before:start]))
		if s, e, ok := between.Next(); ok {
			t.Fatalf("%q has %q before an address, and that has %q", text, text[before:start], text[before:start][s:e])
		}
		before = end
	}
}

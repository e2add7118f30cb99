package text

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/sotto-dp/sotto/text/internal/records"
)

func in16(order binary.AppendByteOrder, s string) string {
	var b []byte
	for _, u := range utf16.Encode([]rune(s)) {
		b = order.AppendUint16(b, u)
	}
	return string(b)
}

func in8(s string) string {
	var b []byte
	for _, r := range s {
		b = append(b, byte(r))
	}
	return string(b)
}

func TestOtherEncodingsAreRefusedByPlaceAndKind(t *testing.T) {
	const english = "the food was good\nmy doctor in Boston agreed\n"
	random := make([]byte, 4096)
	for i, r := 0, rand.New(rand.NewPCG(1, 2)); i < len(random); i++ {
		random[i] = byte(r.Uint32())
	}
	for _, c := range []struct{ name, in, want string }{
		{"UTF-16", in16(binary.LittleEndian, "\ufeff"+english), "line 1: byte 1 is not UTF-8; this looks like UTF-16"},
		{"big-endian", in16(binary.BigEndian, "\ufeff"+english), "line 1: byte 1 is not UTF-8; this looks like UTF-16"},
		{"without a mark", in16(binary.LittleEndian, english), "line 1: byte 2 is NUL; this looks like UTF-16"},
		{"big-endian without a mark", in16(binary.BigEndian, english), "line 1: byte 1 is NUL; this looks like UTF-16"},
		{"UTF-32", "\xff\xfe\x00\x00t\x00\x00\x00", "line 1: byte 1 is not UTF-8; this looks like UTF-32"},
		{"Latin-1", in8("good\ntr\u00e8s bien, d\u00e9j\u00e0 vu, and more of it\n"), "line 2: byte 3 is not UTF-8; this looks like Latin-1 or Windows-1252"},
		{"a broken character", "caf\u00e9 d\u00e9j\u00e0 vu\n\u00e9t\xc3 \u00e9t\u00e9\n", "line 2: byte 4 is not UTF-8; this looks like UTF-8 with damaged characters"},
		{"a surrogate", strings.Repeat(english, 10) + "\xed\xa0\x80\n", "line 21: byte 1 is not UTF-8; this looks like Latin-1"},
		{"random bytes", "x\n" + string(random), "this looks like binary data"},
		{"gzip", "\x1f\x8b\x08\x00\x00", "line 1: byte 2 is not UTF-8; this looks like gzip, whose names end in .gz"},
		{"Shift JIS", strings.Repeat("\x93\xfa\x96\x7b\x8c\xea", 20), "another 8-bit or double-byte encoding"},
		{"one NUL", strings.Repeat(english, 10) + "a\x00b\n", "line 21: byte 2 is NUL; this looks like text with stray NUL bytes"},
	} {
		_, err := copied(t, c.in, Copying{Change: shout})
		var fault *InputError
		if !errors.As(err, &fault) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
		if got, err := copied(t, c.in, Copying{Change: shout, Invalid: ReplaceInvalid}); err != nil || !utf8.ValidString(got) || strings.Contains(got, "\x00") {
			t.Errorf("%s: replaced, the output is %q (%v)", c.name, got, err)
		}
	}
}

// Every format and its header are checked, and the error has the line in the file.
func TestEncodingsAreCheckedInEveryFormat(t *testing.T) {
	long := func(row string) string { return strings.Repeat(row, 2*records.AtOnce/len(row)) }
	checked := map[string]bool{"parquet": true} // by a test of its package
	for _, c := range []struct {
		format *Format
		before string // lines that are valid
		bad    string
		want   string // with replacement
	}{
		{Lines, long("valid\n"), "a\xe9b\n", "A\ufffdB\n"},
		{Text, long("valid\n"), "a\xe9b\x00c\n", "A\ufffdB\ufffdC\n"},
		{JSONL, long(`{"t":"valid"}` + "\n"), "{\"t\":\"a\xe9b\",\"u\":\"\xe9\"}\n", "{\"t\":\"A\ufffdB\",\"u\":\"\xe9\"}\n"},
		{JSON, "[" + long(`{"t":"valid"},`+"\n"), "{\"t\":\"a\xe9b\",\n\"u\":\"\xe9\"}]", "{\"t\":\"A\ufffdB\", \"u\":\"\xe9\"}\n]\n"},
		{CSV, "t,u\n" + long("\"valid,\n\",u\n"), "a\xe9b,\xe9\n", "A\ufffdB,\xe9\n"},
		{TSV, "t\tu\n" + long("valid\tu\n"), "a\xe9b\t\xe9\n", "A\ufffdB\t\xe9\n"},
		{CSV, "", "t,u\xe9\nx,y\n", "t,u\xe9\nX,y\n"},
		{TSV, "", "t\tu\xe9\nx\ty\n", "t\tu\xe9\nX\ty\n"},
	} {
		checked[c.format.Name] = true
		o := Copying{Format: c.format, Change: shout}
		if c.format != Lines && c.format != Text {
			o.Fields = []string{"t"}
		}
		place := "line"
		if c.format == JSON {
			place = "record"
		}
		want := fmt.Sprintf("%s %d: byte ", place, strings.Count(c.before, "\n")+1)
		_, err := copied(t, c.before+c.bad, o)
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", c.format, err, want)
		}
		texts := 0
		err = Scan(strings.NewReader(c.before+c.bad), Copying{Format: c.format, Fields: o.Fields}, func(string, [][]byte) error { return nil })
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: a scan gives %v, want %s", c.format, err, want)
		}
		o.Invalid = ReplaceInvalid
		got, err := copied(t, c.before+c.bad, o)
		if err != nil || !strings.HasSuffix(got, c.want) {
			t.Errorf("%s: replaced, the end is %q (%v), want %q", c.format, got[max(0, len(got)-30):], err, c.want)
		}
		err = Scan(strings.NewReader(c.before+c.bad), Copying{Format: c.format, Fields: o.Fields, Invalid: ReplaceInvalid}, func(_ string, found [][]byte) error {
			texts += len(found)
			if i := bytes.IndexFunc(bytes.Join(found, nil), func(r rune) bool { return r == 0 }); i >= 0 || !utf8.Valid(bytes.Join(found, nil)) {
				t.Errorf("%s: a scan with replacement tells invalid texts", c.format)
			}
			return nil
		})
		if err != nil || texts == 0 {
			t.Errorf("%s: a scan with replacement gives %d texts (%v)", c.format, texts, err)
		}
	}
	for _, name := range Formats().Names() {
		if !checked[name] {
			t.Errorf("%s has no case", name)
		}
	}
}

// A byte order mark is not part of a text or a name.
func TestByteOrderMarkIsAccepted(t *testing.T) {
	for _, c := range []struct {
		format   *Format
		in, want string
	}{
		{Lines, "\ufeffx\n", "X\n"},
		{Text, "\ufeffx\n", "X\n"},
		{JSONL, "\ufeff{\"t\":\"x\"}\n", "{\"t\":\"X\"}\n"},
		{CSV, "\ufefft,u\nx,y\n", "\ufefft,u\nX,y\n"},
		{CSV, "\ufeff\"t\",u\nx,y\n", "\ufeff\"t\",u\nX,y\n"},
		{TSV, "\ufefft\tu\nx\ty\n", "\ufefft\tu\nX\ty\n"},
	} {
		o := Copying{Format: c.format, Change: shout}
		if c.format != Lines && c.format != Text {
			o.Fields = []string{"t"}
		}
		if got, err := copied(t, c.in, o); err != nil || got != c.want {
			t.Errorf("%s: %q becomes %q (%v), want %q", c.format, c.in, got, err, c.want)
		}
	}
}

// FuzzValid compares the check with the standard library.
func FuzzValid(f *testing.F) {
	for _, s := range []string{"plain text and more", "caf\u00e9 \u4e16\u754c \U0001f600", "1234567\x00", "\xc2", "12345678\xe9", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xc0\x80", "\x80"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		want := len(data)
		for i, r := range string(data) {
			if _, n := utf8.DecodeRune(data[i:]); r == 0 || r == utf8.RuneError && n == 1 {
				want = i
				break
			}
		}
		if got := firstInvalid(data); got != want {
			t.Errorf("%q is valid up to %d, want %d", data, got, want)
		}
	})
}

// The check reads each batch once more.
func BenchmarkCheck(b *testing.B) {
	for name, row := range map[string]string{"ascii": "The food was terrible and my doctor in Boston agreed.\n", "accents": "Le caf\u00e9 \u00e9tait d\u00e9j\u00e0 froid \u00e0 No\u00ebl.\n", "cyrillic": strings.Repeat("\u0435\u0434\u0430 ", 12) + "\n"} {
		data := bytes.Repeat([]byte(row), records.AtOnce/len(row))
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				if err := FailInvalid.Check(data, 1); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

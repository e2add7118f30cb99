package text

import (
	"io"
	"strings"
	"testing"
)

// checked returns what CheckCopied says of an input that is read in total, leaving out the
// records of the user "gone".
func checked(t *testing.T, f *Format, in string, o Options) string {
	t.Helper()
	o.Total = true
	r, err := f.Open(strings.NewReader(in), o)
	if err != nil {
		t.Fatal(err)
	}
	for {
		b, err := r.Next()
		if err == io.EOF {
			return ""
		}
		if err != nil {
			t.Fatal(err)
		}
		if o.By == "" {
			_, err = b.Texts()
		} else if found, none := b.Records(); none == nil {
			keep := make([]bool, len(found))
			for i := range found {
				keep[i] = found[i].By != "gone"
			}
			err = b.Keep(keep)
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := b.(CopyChecker).CheckCopied(); err != nil {
			what, _, _ := strings.Cut(err.Error(), " is not UTF-8;")
			return what
		}
	}
}

// What is copied is checked, and nothing of a text, whatever its bytes: PRIVATE is replaced by
// some that are not UTF-8, and by several lines where a text may have them.
func TestWhatIsCopiedIsUTF8(t *testing.T) {
	const of = ": what is copied beside the text"
	long := strings.Repeat("x", 300<<10)
	for _, c := range []struct {
		name   string
		format *Format
		in     string
		by     string
		want   string
	}{
		{"csv", CSV, "n,t,m\n1,PRIVATE,ok\n\n2,PRIVATE,K\xf6ln\n", "", "record 3" + of},
		{"csv, all of it valid", CSV, "n,t,m\n1,PRIVATE,Köln\n2,PRIVATE,\n", "", ""},
		{"the first cell", CSV, "n,t\n1,PRIVATE\n\xff,PRIVATE", "", "record 2" + of},
		{"in another batch", CSV, "n,t\n1,PRIVATE\n" + long + ",PRIVATE\n2,PRIVATE\n\xff,PRIVATE\n", "", "record 4" + of},
		{"tsv", TSV, "n\tt\n1\tPRIVATE\n\xff\tPRIVATE\n", "", "line 3" + of},
		{"jsonl", JSONL, "{\"n\":1,\"t\":\"PRIVATE\"}\n{\"t\":\"PRIVATE\",\"n\":\"\xff\"}\n", "", "line 2" + of},
		{"json that cannot be read", JSONL, "{\"n\":1,\"t\":\"PRIVATE\"}\n{\"n\":\"\xff\",\"t\":\"PRIVATE\n{\"n\":\"\xff\"}\n\xff\n", "", ""},
		{"an array", JSON, "[{\"n\":1,\"t\":\"PRIVATE\"},\n{\"t\":\"PRIVATE\",\"n\":\"\xff\"}]", "", "record 2" + of},
		{"lines", Lines, "PRIVATE\nPRIVATE\n", "t", ""},
		{"a user's record", CSV, "u,t,m\na,PRIVATE,ok\nb,PRIVATE,\xff\n", "u", "record 2" + of},
		{"a record that is left out", CSV, "u,t,m\na,PRIVATE,ok\ngone,PRIVATE,\xff\nb,PRIVATE,ok\n", "u", ""},
		{"one after it", CSV, "u,t,m\na,PRIVATE,ok\ngone,PRIVATE,\xff\nb,PRIVATE,\xff\n", "u", "record 3" + of},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := Options{Fields: []string{"t"}, By: c.by}
			if c.format == Lines {
				o = Options{}
			}
			texts := []string{"x", "\xff", "\xf6 é"}
			if c.format == CSV {
				texts = append(texts, "\"\n\xff\n\n\"", "\"\r\n\"")
			}
			for _, private := range texts {
				for _, number := range []int{0, 1, 256} {
					o.Records = number
					if got := checked(t, c.format, strings.ReplaceAll(c.in, "PRIVATE", private), o); got != c.want {
						t.Errorf("with %q in batches of %d: %q, want %q", private, number, got, c.want)
					}
				}
			}
		})
	}
}

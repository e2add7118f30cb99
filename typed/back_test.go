package typed

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestBackPutsBackWhatIsSure(t *testing.T) {
	m := NewMap()
	values := []Value{{"PERSON", "Ada Byron"}, {"PERSON", "Grace"}, {"PERSON", "Alan"}, {"LOCATION", "Paris"}, {"AGE", "36"}, {"LOCATION", "Bath"}}
	for i, surrogate := range []string{"Mary Ann Lee", "Mary Ann", "Tom Baker", "Tom Baker", "41", "Lyon"} {
		m.Put(values[i].Type, values[i].Value, i, surrogate)
	}
	m.Put("PERSON", "somebody else", 9, "Rita Novak")
	b := m.Back(values, [][]byte{[]byte("the train to Lyon")})
	for _, c := range [][2]string{
		{"Mary Ann Lee's note", "Ada Byron's note"}, // the longest
		{"Mary Ann, (Mary Ann)", "Grace, (Grace)"},
		{"Tom Baker", "Tom Baker"},   // of two values
		{"aged 41", "aged 41"},       // short
		{"in Lyon", "in Lyon"},       // it is in the prompt as it is
		{"Rita Novak", "Rita Novak"}, // of another conversation
		{"Mary Annie, xMary Ann, mary ann, Mary", "Mary Annie, xMary Ann, mary ann, Mary"},
		{"élMary Ann Mary Ann", "élMary Ann Grace"},
	} {
		if got := b.Text(c[0]); got != c[1] {
			t.Errorf("%q became %q, want %q", c[0], got, c[1])
		}
	}
	if again := m.Back(values[:1], nil).Text("Mary Ann"); again != "Mary Ann" {
		t.Errorf("a part of a surrogate became %q", again)
	}
	for copied, want := range map[string]string{"": "Grace met somebody else, Tom Baker, 41", "to Mary Ann": "Grace met Rita Novak, Tom Baker, 41"} {
		all := m.All()
		if copied != "" {
			all = all.In([]byte(copied))
		}
		if got := all.Text("Mary Ann met Rita Novak, Tom Baker, 41"); got != want {
			t.Errorf("all of the map, or of %q: %q", copied, got)
		}
	}
	if s := fmt.Sprintf("%v %+v %#v", b, b, b); strings.Contains(s, "Ada") {
		t.Error(s)
	}
	if _, err := json.Marshal(b); err == nil {
		t.Error("originals marshal")
	}
}

// A surrogate is put back where it is all of a number, word or address, and not where it is a
// part of one. Those in brackets are put back.
func TestBackPutsNothingBackWithinLongerNumbers(t *testing.T) {
	m := NewMap()
	var put []string
	for i, surrogate := range []string{"$1,250", "1,350", "$190", "€1,990", "14:01", "2024-03-17", "(212) 555-0147", "ID-482913", "00123", "192.0.2.17",
		"0000 0000 0123 4567", "mary.lee@example.com", "https://example.com/0123", "Mary Lee", "1,250 EUR", "190 EUR"} {
		value := fmt.Sprintf("<value %d>", i)
		m.Put("OTHER", value, i, surrogate)
		put = append(put, "["+surrogate+"]", value)
	}
	back := m.All()
	for _, c := range []string{
		"[$1,250] and [1,350], [$190]. ([€1,990]) -[1,350] [1,350]% US[$190]; [1,350] [$190] [€1,990]", "[$190], 5", "[1,350].", "[1,350] k", "[1,350]–[€1,990]",
		"$1,250,000", "1,350,500", "$1,250.50", "41,350", "$41,350", "2,1,350", "1,3501", "1,350'500", "1,350’500", "1,350\u202f500", "1,350\u00a0500",
		"$190 000", "[$190] 00", "$190\u2009000", "$190,5", "1,350½", "1,350k", "[1,350]-1,990", "[$1,250]-[1,350], [$190]-200", "1,350_000", "[1,350] 200 [$1,250] 200 [192.0.2.17] 200 [14:01]", "41,190 EUR",
		"[14:01], [14:01]: [14:01]; [2024-03-17].", "14:01:33", "9:14:01", "[14:01]-[14:01]", "[14:01]/[14:01]", "[14:01]–15:30", "14:01.5",
		"2024-03-17-2", "1-2024-03-17", "[2024-03-17]-[2024-03-17]-[2024-03-17]", "[2024-03-17].[2024-03-17]", "[2024-03-17],[14:01],[2024-03-17]", "[2024-03-17]/[2024-03-17]",
		"[(212) 555-0147], (212) 555-01471, (212) 555-0147-1", "+1 [(212) 555-0147]", "[ID-482913]/7, ID-482913-7, [ID-482913].", "[00123] 00123-4567", "900123",
		"[192.0.2.17], 192.0.2.17.5, 1.192.0.2.17, [192.0.2.17]:8080, [192.0.2.17]/24", "[0000 0000 0123 4567] 0000 0000 0123 45678",
		"<[mary.lee@example.com]>, mailto:[mary.lee@example.com].", "x.mary.lee@example.com", "rose-mary.lee@example.com", "mary.lee@example.com.au", "to=[mary.lee@example.com]. So",
		"[https://example.com/0123], https://example.com/0123/5 https://example.com/0123?q", "([https://example.com/0123]/)",
		"&lt;[mary.lee@example.com]&gt; mailto:[mary.lee@example.com]?subject=1 ?x=[mary.lee@example.com]&y=2 [mary.lee@example.com]:x/[mary.lee@example.com]#x", "mary.lee@example.com-x mary.lee@example.com@x",
		"&lt;[https://example.com/0123]&gt; \"[https://example.com/0123]&quot;x ?x=[https://example.com/0123]&y=2", `{"\n[Mary Lee]\n[14:01]\u003c[mary.lee@example.com]\u003e\t[1,350]"}`, `\\nMary Lee \nnMary Lee \u03cMary Lee`,
		"[2024-03-17]에 [(212) 555-0147]로 [1,350]원, [Mary Lee]가",
		"[Mary Lee]'s, [Mary Lee]-like, Mary Lee\u0301", "我叫[Mary Lee]的,共[1,350]元,[14:01]到", "1,250 EUROPE [1,250 EUR]",
	} {
		text := strings.NewReplacer("[", "", "]", "").Replace(c)
		if got, want := back.Text(text), strings.NewReplacer(put...).Replace(c); got != want {
			t.Errorf("%q became\n%q, want\n%q", text, got, want)
		}
	}
	// What a copy has is what would be put back in it.
	if got := back.In([]byte("it costs $41,350 at 14:01:33, said Mary Leeds")).Text("1,350 at 14:01, Mary Lee"); got != "1,350 at 14:01, Mary Lee" {
		t.Errorf("a surrogate of another text: %q", got)
	}
	answer := "1,350 at 14:01 to mary.lee@example.com, https://example.com/0123, ID-482913"
	if got := back.In([]byte("x-mary.lee@example.com.x https://example.com/0123/5 ID-482913-7 2,1,350 1,350,500 14:01:33")).Text(answer); got !=
		"1,350 at 14:01 to <value 11>, <value 12>, <value 7>" {
		t.Errorf("the surrogates of a copy: %q", got)
	}
}

// A copy with originals put back is the input, whatever stands beside its surrogates. What reads
// as another number is left out: an amount below a thousand with three digits after a space.
func TestBackOfACopyIsTheInput(t *testing.T) {
	m := NewMap()
	replaced := map[string][2][]string{} // by type: values and their surrogates
	for _, kind := range Types() {
		c, _ := Default(kind)
		var all [2][]string
		for place := c.Len() / 7; place < c.Len() && len(all[0]) < 7; place += 1 + c.Len()/9 {
			if surrogate := c.Text(place); len(surrogate) >= leastBack {
				value := fmt.Sprintf("<%s %d>", kind, place)
				m.Put(kind, value, place, surrogate)
				all[0], all[1] = append(all[0], value), append(all[1], surrogate)
			}
		}
		replaced[kind] = all
	}
	for _, c := range []string{
		"@", "&lt;@&gt;", "<@>", "<a href=\"mailto:@\">", "?x=@&y=@ k=@;k=@", "GET 200 @ 200 GET", "k:@: v", "@: @", "(@)(@)", "[@] [@]", "-@-", "@-@", "@/@", "@,@", "@|@",
		"'@' \"@\" &quot;@&quot; „@“ «@»", `{"a":"@","b":"\n@\r\n@\t\"@\"","c":"\u003c@\u003e"}`, "@에 @는", "在@和@的", "@. @, @! @?", "@–@—@", "@\n@\t@",
	} {
		for kind, all := range replaced {
			for i := range all[1] {
				with := func(of []string) string {
					parts := strings.Split(c, "@")
					text := parts[0]
					for n, part := range parts[1:] {
						text += of[(i+n)%len(of)] + part
					}
					return text
				}
				copied := with(all[1])
				if strings.Contains(c, " 200 ") && kind == "MONEY" && !strings.Contains(copied, ",") {
					continue
				}
				if got := m.All().In([]byte(copied)).Text(copied); got != with(all[0]) {
					t.Errorf("%s: %q became %q", kind, copied, got)
				}
			}
		}
	}
}

// A copy of many values is read once, also where they begin alike and have many lengths.
func TestBackOfManyValues(t *testing.T) {
	m := NewMap()
	var copied, want strings.Builder
	for i := range 20_000 {
		value, surrogate := fmt.Sprintf("value %d", i), fmt.Sprintf("EXAMPLE-SECRET-%d", i)
		m.Put("SECRET", value, i, surrogate)
		copied.WriteString(surrogate + " of\n")
		want.WriteString(value + " of\n")
	}
	began := time.Now()
	back := m.All().In([]byte(copied.String()))
	if got := back.Text(copied.String()); got != want.String() {
		t.Errorf("%.100q", got)
	}
	if took := time.Since(began); took > 5*time.Second { // two minutes with a comparison of all pairs
		t.Errorf("took %v", took)
	}
}

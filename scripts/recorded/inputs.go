package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

var vocabulary = strings.Fields("red blue green car bus train the a was is good bad late early order phone ticket nobody answers " +
	"house garden river stone light dark day night bread water wine salt doctor nurse patient pain sleep walk run talk")

// inputs are the files that every record finds in its folder. They are the same in each run.
func (record) inputs() map[string][]byte {
	draw := rand.New(rand.NewPCG(1, 2))
	sentence := func() string {
		words := make([]string, 3+draw.IntN(9))
		for i := range words {
			words[i] = vocabulary[draw.IntN(len(vocabulary))]
		}
		return strings.Join(words, " ") + "."
	}
	var lines, csv, tsv, jsonl, deep, broken, public, spans, table, text strings.Builder
	csv.WriteString("user,label,text\n")
	tsv.WriteString("user\tlabel\ttext\n")
	public.WriteString("text\n")
	for i := range 60 {
		s, user, label := sentence(), fmt.Sprint("u", i%17), []string{"good", "bad"}[i%2]
		fmt.Fprintln(&lines, s)
		fmt.Fprintf(&spans, "[{\"start\":0,\"end\":%d,\"entity_type\":\"X\"}]\n", strings.IndexByte(s, ' '))
		fmt.Fprintf(&csv, "%s,%s,%s\n", user, label, s)
		fmt.Fprintf(&tsv, "%s\t%s\t%s\n", user, label, s)
		fmt.Fprintf(&jsonl, "{\"user\":%q,\"label\":%q,\"text\":%q}\n", user, label, s)
		fmt.Fprintf(&deep, "{\"m\":[{\"t\":%q},{\"t\":%q}]}\n", s, sentence())
		fmt.Fprintf(&text, "%s\n\n%s ", s, sentence())
		if i%7 == 3 {
			broken.WriteString("{\"text\": oops}\n")
		}
		fmt.Fprintf(&broken, "{\"text\":%q}\n", s)
	}
	for range 240 {
		fmt.Fprintf(&public, "%s\n", sentence())
	}
	for _, word := range vocabulary {
		table.WriteString(word)
		for range 6 {
			fmt.Fprintf(&table, " %.3f", draw.NormFloat64())
		}
		table.WriteByte('\n')
	}
	files := map[string][]byte{"bytes.txt": []byte("good \xff bad\n")}
	for name, b := range map[string]*strings.Builder{"lines.txt": &lines, "rows.csv": &csv, "rows.tsv": &tsv, "rows.jsonl": &jsonl,
		"deep.jsonl": &deep, "broken.jsonl": &broken, "public.csv": &public, "spans.jsonl": &spans, "table.txt": &table, "text.md": &text} {
		files[name] = []byte(b.String())
	}
	return files
}

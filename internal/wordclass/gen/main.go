// Command gen sorts the words of the embedded table into classes, from WordNet
// 3.0 as Debian packages it and from rules of English spelling.
//
//	apt-get install wordnet-base
//	go run ./internal/wordclass/gen -wordnet /usr/share/wordnet -o internal/wordclass/english.classes
//
// With -show N it also prints, for each class, its size and its first N words.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"slices"
	"strings"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/internal/wordclass"
)

func main() {
	log.SetFlags(0)
	folder := flag.String("wordnet", "/usr/share/wordnet", "folder of WordNet's files")
	out := flag.String("o", "english.classes", "file to write")
	show := flag.Int("show", 0, "words of each class to print")
	flag.Parse()
	table, err := builtin.English()
	if err != nil {
		log.Fatal(err)
	}
	dictionary, err := readWordNet(*folder)
	if err != nil {
		log.Fatal(err)
	}
	var file strings.Builder
	members := map[wordclass.Class][]string{}
	for x := range table.Len() {
		word := table.Word(embedding.ID(x))
		class, ok := wordclass.Closed(word)
		if !ok {
			class = dictionary.class(word)
		}
		members[class] = append(members[class], word)
		file.WriteByte(byte(class))
		if x%100 == 99 {
			file.WriteByte('\n')
		}
	}
	if err := os.WriteFile(*out, []byte(file.String()), 0o644); err != nil {
		log.Fatal(err)
	}
	if *show == 0 {
		return
	}
	var classes []wordclass.Class
	for c := range members {
		classes = append(classes, c)
	}
	slices.SortFunc(classes, func(a, b wordclass.Class) int { return len(members[b]) - len(members[a]) })
	for _, c := range classes {
		fmt.Printf("%c %d: %s\n", c, len(members[c]), strings.Join(members[c][:min(*show, len(members[c]))], " "))
	}
}

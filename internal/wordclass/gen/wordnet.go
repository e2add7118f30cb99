package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/sotto-dp/sotto/internal/wordclass"
)

// wordnet holds the data read from WordNet, by part of speech (noun, verb, adj,
// adv) and lemma. Lemmas are in lower case.
type wordnet struct {
	lemmas     map[string]map[string]wordclass.Class // with the class of the first sense
	uses       map[string]map[string]float64         // in the sense-tagged texts, all senses together
	exceptions map[string]map[string][]string        // lemmas of irregular forms
}

var partsOfSpeech = []string{"noun", "verb", "adj", "adv"}

func readWordNet(folder string) (*wordnet, error) {
	w := &wordnet{
		lemmas:     map[string]map[string]wordclass.Class{},
		uses:       map[string]map[string]float64{},
		exceptions: map[string]map[string][]string{},
	}
	for _, pos := range partsOfSpeech {
		w.lemmas[pos], w.uses[pos], w.exceptions[pos] = map[string]wordclass.Class{}, map[string]float64{}, map[string][]string{}
		synsets, err := os.ReadFile(filepath.Join(folder, "data."+pos))
		if err != nil {
			return nil, err
		}
		err = eachLine(filepath.Join(folder, "index."+pos), func(f []string) error {
			// lemma pos senses pointers POINTER... senses tagged OFFSET...
			pointers, err := strconv.Atoi(f[3])
			if err != nil {
				return err
			}
			first, err := strconv.Atoi(f[6+pointers])
			if err != nil || first >= len(synsets) {
				return fmt.Errorf("%s has no synset", f[0])
			}
			line, _, _ := bytes.Cut(synsets[first:], []byte("\n"))
			w.lemmas[pos][f[0]], err = classOf(pos, f[0], strings.Fields(string(line)))
			return err
		})
		if err != nil {
			return nil, err
		}
		err = eachLine(filepath.Join(folder, pos+".exc"), func(f []string) error {
			w.exceptions[pos][f[0]] = append(w.exceptions[pos][f[0]], f[1:]...)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return w, eachLine(filepath.Join(folder, "cntlist.rev"), func(f []string) error {
		// lemma%type:file:id:head:head_id sense uses
		lemma, key, ok := strings.Cut(f[0], "%")
		uses, err := strconv.ParseFloat(f[2], 64)
		if !ok || err != nil {
			return fmt.Errorf("no sense key: %s", f[0])
		}
		pos := map[byte]string{'1': "noun", '2': "verb", '3': "adj", '4': "adv", '5': "adj"}[key[0]]
		w.uses[pos][lemma] += uses
		return nil
	})
}

// eachLine calls take with the fields of each line that does not begin with a
// space, as those of the licence at the head of a file do.
func eachLine(path string, take func(fields []string) error) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(data)) {
		if f := strings.Fields(line); len(f) > 0 && line[0] != ' ' {
			if err := take(f); err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
		}
	}
	return nil
}

// namesIn are the classes of names by lexicographer file; others are Name.
var namesIn = map[string]wordclass.Class{"14": wordclass.Group, "15": wordclass.Place, "18": wordclass.Person, "28": wordclass.Time}

// classOf returns the class of a lemma by a synset (offset, file, type, hexadecimal
// number of words, then each word with its number): a name if it is spelled with a
// capital.
func classOf(pos, lemma string, synset []string) (wordclass.Class, error) {
	words, err := strconv.ParseInt(synset[3], 16, 32)
	if err != nil {
		return 0, err
	}
	capital := false
	for i := range int(words) {
		spelled, _, _ := strings.Cut(synset[4+2*i], "(") // "(p)" marks where an adjective stands
		if strings.EqualFold(spelled, lemma) {
			capital = spelled[0] >= 'A' && spelled[0] <= 'Z'
		}
	}
	switch {
	case pos == "noun" && capital:
		if c, ok := namesIn[synset[1]]; ok {
			return c, nil
		}
		return wordclass.Name, nil
	case pos == "adj" && capital:
		return wordclass.Origin, nil
	}
	return map[string]wordclass.Class{"noun": wordclass.Noun, "verb": wordclass.Verb, "adj": wordclass.Adjective, "adv": wordclass.Adverb}[pos], nil
}

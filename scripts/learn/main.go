// Command learn measures what a classifier learns from rewritten training text:
//
//	go run ./scripts/learn -data DIR -vectors glove.6B.100d.50k.txt.gz -sets ag-news,trec6,sst2 4 4:neighbours=500 4:objective=signal 4:response
//
// Each setting is an epsilon, then parameters of neighbours (or the name of
// another mechanism). DIR holds NAME/train.tsv.gz and NAME/test.tsv.gz: a head
// line, then label and text with a tab between. Every word of the training text
// is rewritten; the test text is untouched. A text is the average of its words'
// vectors, the classifier a logistic regression; the columns of the training
// and of the test texts are standardised each by itself. A line of the output is
// one setting on one set: the mean accuracy, that at each seed, and the chance of
// the best guess of a word from its output where every word is as likely. "none"
// in place of an epsilon trains on the text as it is.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"strconv"
	"strings"

	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/noise"
	"gonum.org/v1/gonum/stat"
)

func main() {
	log.SetFlags(0)
	data := flag.String("data", "", "folder of the sets")
	vectors := flag.String("vectors", "", "file of word vectors")
	words := flag.Int("words", 10000, "first words of the vectors that are used")
	sets := flag.String("sets", "ag-news,trec6,sst2", "names of the sets")
	seeds := flag.Int("seeds", 3, "runs of each setting")
	flag.Parse()
	table, err := embedding.Open(*vectors)
	if err == nil {
		table, err = table.First(*words)
	}
	if err != nil {
		log.Fatal(err)
	}
	names := strings.Split(*sets, ",")
	tasks := make([]*task, len(names))
	for i, name := range names {
		if tasks[i], err = readTask(*data, name, table); err != nil {
			log.Fatal(err)
		}
	}
	ctx := context.Background()
	fmt.Printf("%-10s %-34s %-6s %-24s %s\n", "set", "setting", "mean", "accuracy at each seed", "best guess")
	for _, setting := range flag.Args() {
		c, label, guess := mechanism.Channel(nil), setting, 1.0
		if setting != "none" {
			if c, err = open(table, setting); err != nil {
				log.Fatal(err)
			}
			if guess, _, err = audit.BayesSuccess(ctx, c, audit.UniformPrior(table.Len()), nil); err != nil {
				log.Fatal(err)
			}
			for _, s := range c.Settings() {
				if s.Name == "neighbours" {
					label += fmt.Sprintf(" (k = %v)", s.Value)
				}
			}
		}
		for _, t := range tasks {
			var found []float64
			var each []string
			for seed := range *seeds {
				accuracy, err := t.run(table, c, uint64(seed))
				if err != nil {
					log.Fatal(err)
				}
				found = append(found, accuracy)
				each = append(each, fmt.Sprintf("%.3f", accuracy))
			}
			fmt.Printf("%-10s %-34s %.3f  %-24s %.5f\n", t.name, label, stat.Mean(found, nil), strings.Join(each, " "), guess)
		}
	}
}

// open makes the channel of a setting.
func open(table *embedding.Table, setting string) (mechanism.Channel, error) {
	head, rest, _ := strings.Cut(setting, ":")
	spec := mechanism.Spec{Parameters: map[string]string{}}
	var err error
	if spec.Epsilon, err = strconv.ParseFloat(head, 64); err != nil {
		return nil, fmt.Errorf("learn: %q is not an epsilon", head)
	}
	entry, _ := mechanism.Find("neighbours")
	for _, part := range strings.FieldsFunc(rest, func(r rune) bool { return r == ',' }) {
		if name, value, ok := strings.Cut(part, "="); ok {
			spec.Parameters[name] = value
		} else if entry, ok = mechanism.Find(part); !ok {
			return nil, fmt.Errorf("learn: %q is neither a mechanism nor NAME=VALUE", part)
		}
	}
	m, err := entry.New(table, spec)
	if err != nil {
		return nil, err
	}
	c, ok := m.(mechanism.Channel)
	if !ok {
		return nil, fmt.Errorf("learn: %s is not a channel", entry.Name)
	}
	return c, nil
}

// run trains on rewritten text, or on the text as it is where there is no
// channel, and returns the share of test texts it gets right.
func (t *task) run(table *embedding.Table, c mechanism.Channel, seed uint64) (float64, error) {
	words := t.train.words
	if c != nil {
		if p, ok := c.(mechanism.Preparer); ok {
			p.Prepare(t.distinct)
		}
		var err error
		if words, err = c.Replace(nil, words, noise.Seeded(seed, 0)); err != nil {
			return 0, err
		}
	}
	f := newFeatures(table)
	train, test := f.averages(words, t.train.ends), f.averages(t.test.words, t.test.ends)
	standardise(train)
	standardise(test)
	model, err := fit(train, t.train.labels, len(t.labels))
	if err != nil {
		return 0, err
	}
	right := 0
	for i, row := range test {
		if model.best(row) == t.test.labels[i] {
			right++
		}
	}
	return float64(right) / float64(len(test)), nil
}

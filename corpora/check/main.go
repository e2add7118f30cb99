// Command check reads a field and describes its texts: what is wrong and where, how many
// they are, how long, how different.
//
//	go run ./corpora/check support
//	go run ./corpora/check -sample 200 -seed 7 support
//	go run ./corpora/check -all support
//	go run ./corpora/check -records 600 -seed 7 support
package main

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"

	"github.com/sotto-dp/sotto/corpora/internal/choose"
	"github.com/sotto-dp/sotto/corpora/internal/grammar"
	"github.com/sotto-dp/sotto/corpora/internal/measure"
	"github.com/sotto-dp/sotto/embedding/builtin"
)

func main() {
	folder := flag.String("folder", "corpora", "folder of the fields")
	sample := flag.Int("sample", 0, "print this many texts, drawn at random, with their frames")
	seed := flag.Uint64("seed", 1, "seed of the sample, or of the records")
	invented := flag.Int("records", 0, "print this many invented records: topic, tab, text. They are draws of their own, not the texts of the corpus")
	all := flag.Bool("all", false, "print all texts")
	want := flag.Int("texts", 0, "number of texts (default: that of about.txt)")
	top := flag.Int("top", 40, "words that the table lacks, and faults, to print")
	flag.Parse()
	for _, field := range flag.Args() {
		var err error
		if *invented > 0 {
			err = records(*folder, field, *invented, *seed)
		} else {
			err = check(*folder, field, *sample, *seed, *all, *want, *top)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

// records prints draws with their topics, for examples that need labelled records.
func records(folder, field string, n int, seed uint64) error {
	g, err := grammar.Read(os.DirFS(folder), field)
	if err != nil {
		return err
	}
	draws := g.Draws(seed)
	fmt.Println("topic\ttext")
	for range n {
		t := draws.Next()
		fmt.Printf("%s\t%s\n", t.Topic, t.Text)
	}
	return nil
}

func check(folder, field string, sample int, seed uint64, all bool, want, top int) error {
	g, err := grammar.Read(os.DirFS(folder), field)
	if err != nil {
		return err
	}
	if want == 0 {
		if want, err = strconv.Atoi(g.About("texts")); err != nil {
			return fmt.Errorf("%s/about.txt: want a line \"texts: 20000\"", field)
		}
	}
	chosen, err := choose.Texts(context.Background(), g, want)
	if err != nil {
		return err
	}
	if all {
		for _, t := range chosen.Texts {
			fmt.Println(t.Text)
		}
		return nil
	}
	if sample > 0 {
		random := rand.New(rand.NewPCG(seed, 1))
		for _, i := range random.Perm(len(chosen.Texts))[:min(sample, len(chosen.Texts))] {
			fmt.Printf("%s\t%s\n", chosen.Texts[i].Frame, chosen.Texts[i].Text)
		}
		return nil
	}
	table, err := builtin.English()
	if err != nil {
		return err
	}
	r := measure.Measure(g, chosen, table)
	fmt.Printf("%s: %d topics, %d frames, %d lists of %d lines\n", field, r.Topics, r.Frames, r.Lists, r.Lines)
	fmt.Printf("%d texts of %d wanted, in %d draws: left out %d equal, %d near duplicates\n", r.Texts, want, r.Draws, r.Equal, r.Similar)
	fmt.Printf("first two words: %d different of the frames, %d of the texts\n", r.FrameHeads, r.Heads)
	fmt.Printf("words: least %d, 5%% %d, 25%% %d, 50%% %d, 75%% %d, 95%% %d, most %d; below 12: %.2f, 15 to 40: %.2f\n",
		r.Lengths[0], r.Lengths[1], r.Lengths[2], r.Lengths[3], r.Lengths[4], r.Lengths[5], r.Lengths[6], r.Short, r.Middle)
	fmt.Printf("words that the English table lacks: %.4f of all, %d different\n", r.Unknown, len(r.UnknownWords))
	for _, w := range r.UnknownWords[:min(top, len(r.UnknownWords))] {
		fmt.Printf("\t%s\t%d\t%s\n", w.Text, w.Count, w.Frame)
	}
	for _, topic := range slices.Sorted(maps.Keys(r.PerTopic)) {
		fmt.Printf("\t%s\t%d\n", topic, r.PerTopic[topic])
	}
	fmt.Printf("%d frames without a text\n", len(r.Barren))
	for _, f := range r.Barren[:min(top, len(r.Barren))] {
		fmt.Printf("\t%s\n", f)
	}
	if len(r.Faults) > 0 {
		seen := map[string]bool{}
		for _, f := range r.Faults {
			if key := f.Frame.String() + f.What; !seen[key] && len(seen) < top {
				seen[key] = true
				fmt.Println(f)
			}
		}
		return fmt.Errorf("%s: %d faults", field, len(r.Faults))
	}
	return nil
}

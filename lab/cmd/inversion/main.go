// Inversion attacks vectors of whole texts: what a reader recovers who holds public texts, a
// language model of them, and one or ten releases of a text by privunit, its clear vector, or
// nothing.
//
//	go run ./cmd/inversion -data DIR [-targets 100] [-seeds 3]
//
// It prints the tables of docs/results/inversion.md. The public texts are 10,000 training
// texts of AG News, the targets test texts, both in a fixed public order.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"math"
	"os"
	"os/signal"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/lab/dataset"
	"github.com/sotto-dp/sotto/lab/metric"
	"github.com/sotto-dp/sotto/language"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
)

const public = 10_000

func main() {
	log.SetFlags(0)
	log.SetPrefix("inversion: ")
	data := flag.String("data", "../../shared/data", "`folder` of data sets")
	targets := flag.Int("targets", 100, "texts to recover")
	seeds := flag.Int("seeds", 3, "releases of each text, for the spread")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	w, err := read(ctx, *data, *targets)
	if err == nil {
		err = w.tables(ctx, uint64(*seeds))
	}
	if err != nil {
		log.Fatal(err)
	}
}

// world is what the reader knows, and the texts.
type world struct {
	table           *embedding.Table
	model           *language.Model
	public, targets [][]embedding.ID
	frequent        []embedding.ID // words of the public texts, most frequent first
	length          int            // the mean of the public texts
	blind           []embedding.ID // the public text that is the best answer without a release
}

func read(ctx context.Context, folder string, targets int) (*world, error) {
	source := dataset.Folder(folder)
	set, err := source.Set("ag-news")
	if err != nil {
		return nil, err
	}
	w := &world{}
	if w.table, err = source.Vectors("builtin"); err != nil {
		return nil, err
	}
	w.public = dataset.Encode(w.table, set.Train.Some(public)).Texts()
	w.targets = dataset.Encode(w.table, set.Test.Some(targets)).Texts()
	if len(w.public) < public || len(w.targets) < targets {
		return nil, fmt.Errorf("%d public texts and %d targets", len(w.public), len(w.targets))
	}
	w.prepare()
	w.model, err = metric.Trigram(ctx, w.table, w.public)
	return w, err
}

// open opens privunit.
func (w *world) open(ctx context.Context, epsilon float64, dimensions int) (coded, error) {
	entry, _ := catalog.Find("privunit")
	p, err := entry.NewPerturber(ctx, w.table, mechanism.Spec{Epsilon: epsilon, Parameters: mechanism.Values{"dimensions": fmt.Sprint(dimensions)}})
	if err != nil {
		return nil, err
	}
	return p.(coded), nil
}

// coded is privunit: a channel over a codebook, of unit vectors.
type coded interface {
	mechanism.Coded
	mechanism.Unbiased
}

// row is a line of the tables.
type row struct {
	observation string
	epsilon     float64 // 0 for no release, infinite for the clear vector
	releases    int
	dimensions  int
}

func (w *world) tables(ctx context.Context, seeds uint64) error {
	best := metric.BestRouge1(w.targets)
	fmt.Printf("%d targets; the best fixed answer has token F1 %.3f\n", len(w.targets), best)
	rows := []row{{"nothing", 0, 0, 30}}
	for _, epsilon := range []float64{1, 4, 8} {
		rows = append(rows, row{fmt.Sprintf("privunit, epsilon %g", epsilon), epsilon, 1, 30}, row{fmt.Sprintf("privunit, epsilon %g", epsilon), epsilon, 10, 30})
	}
	rows = append(rows, row{"clear vector, 30 dimensions", math.Inf(1), 1, 30}, row{"clear vector, 100 dimensions", math.Inf(1), 1, 100})
	fmt.Print("\n| reader has | releases | named of 100 | of 1,000 | of 10,000 | no inverter: of 100 | of 1,000 | of 10,000 |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n")
	var found []scores
	for _, r := range rows {
		s, err := w.measure(ctx, r, seeds)
		if err != nil {
			return err
		}
		found = append(found, s)
		fmt.Printf("| %s | %d |", r.observation, r.releases)
		for _, named := range s.named {
			fmt.Printf(" %s |", spread(named))
		}
		for _, n := range among {
			fmt.Printf(" %.4f |", limit(r.epsilon*float64(r.releases), n))
		}
		fmt.Println()
	}
	fmt.Print("\n| reader has | releases | decoder | token F1 | ROUGE-L | BLEU | cosine | no inverter: token F1, ROUGE-L |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n")
	for i, r := range rows {
		total := r.epsilon * float64(r.releases)
		most := min(1, best*math.Exp(total), best+math.Tanh(total/2))
		for _, d := range found[i].decoded {
			fmt.Printf("| %s | %d | %s | %s | %s | %s | %s | %.3f |\n", r.observation, r.releases, d.decoder, spread(d.f1), spread(d.rougeL), spread(d.bleu), spread(d.cosine), most)
		}
	}
	return nil
}

// limit is the largest chance to name one of n texts, each as likely, after a loss.
func limit(loss float64, n int) float64 { return 1 / (1 + float64(n-1)*math.Exp(-loss)) }

// spread prints the mean over seeds, and the half width of its 95 % interval where there are several.
func spread(values []float64) string {
	mean, half := metric.Interval95(values)
	if len(values) == 1 {
		return fmt.Sprintf("%.3f", mean)
	}
	return fmt.Sprintf("%.3f ± %.3f", mean, half)
}

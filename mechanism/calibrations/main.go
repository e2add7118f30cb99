// Command calibrations computes the figures of the embedded table that ship
// with the program: one exact certificate for every nominal epsilon on a grid.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"math"
	"os"

	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/mechanism"
)

func main() {
	out := flag.String("o", "calibrations.json", "file to write")
	low := flag.Float64("low", 0.55, "smallest nominal epsilon")
	high := flag.Float64("high", 42, "largest nominal epsilon")
	ratio := flag.Float64("ratio", 1.04, "between one nominal epsilon and the next")
	flag.Parse()
	table, err := builtin.English()
	if err != nil {
		log.Fatal(err)
	}
	var nominals []float64
	for e := *low; e < *high**ratio; e *= *ratio {
		nominals = append(nominals, math.Round(e*1e6)/1e6)
	}
	data, err := mechanism.Calibrate(context.Background(), table, nominals, func(done, total int) {
		fmt.Fprintf(os.Stderr, "\r%d of %d certificates", done, total)
	})
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(*out, append(data, '\n'), 0o644); err != nil {
		log.Fatal(err)
	}
}

package chart_test

import (
	"fmt"
	"strings"

	"github.com/sotto-dp/sotto/internal/chart"
)

func ExampleSheet_SVG() {
	sheet := chart.Sheet{Columns: 1, Width: 320, Height: 240, Charts: []chart.Chart{{
		Title: "Accuracy", X: "epsilon", Y: "accuracy",
		Series: []chart.Series{{Name: "retrieval", Style: chart.Marked, XY: [][2]float64{{1, 0.85}, {4, 0.87}}}},
	}}}
	svg := sheet.SVG()
	fmt.Println(strings.HasPrefix(svg, "<svg"), strings.Count(svg, "<circle"))
	// Output: true 2
}

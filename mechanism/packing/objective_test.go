package packing

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/mechanism/internal/oracle"
	"github.com/sotto-dp/sotto/privacy"
)

// packedFor compiles packing for an objective and checks its certificate pair by pair.
func packedFor(t *testing.T, table *embedding.Table, epsilon float64, goal Objective) *packedChannel {
	t.Helper()
	data, err := compilePacking(context.Background(), table, epsilon, Effort{Objective: goal})
	if err != nil {
		t.Fatal(err)
	}
	c, err := Read(data)
	if err != nil {
		t.Fatal(err)
	}
	m := newPacked(table, c, nil)
	if exact, _ := oracle.AllTriples(m, table); exact > epsilon*(1+1e-9) {
		t.Errorf("%+v: the metric loss is %g, must be at most %g", goal, exact, epsilon)
	}
	return m
}

func TestPackingTradesWordsThatStayForDistance(t *testing.T) {
	stage.Unraced(t)
	table := oracle.Glove(t, 300)
	_, before := oracle.UseOf(packedFor(t, table, 0.4, Objective{}), table)
	kept, after := oracle.UseOf(packedFor(t, table, 0.4, Objective{Distance: 1}), table)
	if after > 0.95*before {
		t.Errorf("words move by %g where distance counts, %g where it does not", after, before)
	}
	if limit, _ := oracle.UseOf(packedFor(t, table, 0.4, Objective{}), table); kept > limit*1.01 {
		t.Errorf("%g stay, beyond the most, %g", kept, limit)
	}
}

func TestPackingKeepsLikelyWordsWhereThePriorSaysSo(t *testing.T) {
	stage.Unraced(t)
	table := oracle.Glove(t, 300)
	prior := make([]float64, table.Len())
	for i := range prior {
		prior[i] = 1 / float64(i+1)
	}
	stays := func(m *packedChannel) (rate float64) {
		sum := 0.0
		for x, p := range prior {
			rate += p * float64(m.Weight(embedding.ID(x), embedding.ID(x))) / float64(m.total())
			sum += p
		}
		return rate / sum
	}
	plain, weighted := stays(packedFor(t, table, 0.8, Objective{})), stays(packedFor(t, table, 0.8, Objective{Prior: prior}))
	if weighted < 1.1*plain {
		t.Errorf("%g of the likely words stay with the prior, %g without", weighted, plain)
	}
}

func TestPackingKeepsEveryWordAtLeastAsOftenAsAsked(t *testing.T) {
	stage.Unraced(t)
	table := oracle.Glove(t, 300)
	const least = 0.005
	m := packedFor(t, table, 0.8, Objective{Least: least})
	for x := range table.Len() {
		if p := float64(m.Weight(embedding.ID(x), embedding.ID(x))) / float64(m.total()); p < least*(1-1e-3) {
			t.Fatalf("word %d stays with chance %g, asked at least %g", x, p, least)
		}
	}
	outputs := 0
	for _, b := range packedFor(t, table, 0.8, Objective{}).base {
		if b > 0 {
			outputs++
		}
	}
	if outputs == table.Len() {
		t.Error("every word is an output without a least too: the test has no power")
	}
}

func TestBadObjectivesAreRefused(t *testing.T) {
	table := oracle.Glove(t, 50)
	for _, goal := range []Objective{{Distance: -1}, {Distance: 2}, {Distance: math.NaN()}, {Least: -0.1}, {Least: 0.5}, {Prior: []float64{1}}, {Prior: make([]float64, 50)}, {Prior: append(make([]float64, 49), -1)}} {
		_, err := compilePacking(context.Background(), table, 0.5, Effort{Objective: goal})
		var bad *privacy.ParameterError
		if err == nil || !errors.As(err, &bad) && !strings.HasPrefix(err.Error(), "packing: the prior ") {
			t.Errorf("%+v: %v", goal, err)
		}
	}
}

func TestStateOfAnotherObjectiveIsRefused(t *testing.T) {
	table := oracle.Glove(t, 50)
	var state []byte
	save := func(s []byte) error { state = s; return nil }
	if _, err := compilePacking(context.Background(), table, 1, Effort{Save: save}); err != nil {
		t.Fatal(err)
	}
	if _, err := compilePacking(context.Background(), table, 1, Effort{Resume: state, Objective: Objective{Least: 0.001}}); err == nil || !strings.Contains(err.Error(), "another objective") {
		t.Errorf("%v", err)
	}
}

package main

import (
	"slices"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/grammar"
	"github.com/sotto-dp/sotto/internal/stage"
)

// Every flag of every command is in one of the declared groups, except --help and
// --version.
func TestEveryFlagHasAGroup(t *testing.T) {
	stage.Unraced(t)
	model := modelFor(t)
	flags := 0
	for _, leaf := range model.Leaves(false) {
		for _, f := range leaf.Flags {
			flags++
			declared := func(g kong.Group) bool { return f.Group != nil && f.Group.Key == g.Key }
			if !slices.ContainsFunc(grammar.FlagGroups, declared) {
				t.Errorf("%s --%s: add the tag group:\"...\", one of the keys of flagGroups", leaf.FullPath(), f.Name)
			}
		}
	}
	if flags < 300 {
		t.Errorf("only %d flags", flags)
	}
}

// Package catalog lists the members: every published way to replace a word or to
// perturb a vector, as published and as repaired.
//
// A member is NAME.go, NAME_test.go, NAME.md (claim, assumptions, proof or refutation) and
// one line of [All].
package catalog

import (
	"slices"

	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
)

// All returns every member, in display order.
func All() []mechanism.Entry {
	return []mechanism.Entry{
		neighboursEntry,
		responseEntry,
		classesEntry,
		temEntry,
		exponentialEntry,
		balancedEntry,
		packingEntry,
		madlibEntry,
		mahalanobisEntry,
		vickreyEntry,
		brrEntry,
		privembEntry,
		laplaceEntry,
		gaussianEntry,
		gaussianAnalyticEntry,
		trlaplaceEntry,
		trlaplacePublishedEntry,
		truncatedGumbelEntry,
		adeptEntry,
		adeptPublishedEntry,
		retrievalEntry,
		surrogateEntry,
		privunitEntry,
	}
}

// Default returns the member that is opened for a use and a notion where none is
// named.
func Default(use mechanism.Use, notion privacy.Notion) (mechanism.Entry, bool) {
	for _, e := range All() {
		if slices.Contains(e.DefaultFor, mechanism.Default{Use: use, Notion: notion}) {
			return e, true
		}
	}
	return mechanism.Entry{}, false
}

// NamesFile reports whether a parameter of that name is a file of some member.
func NamesFile(parameter string) bool {
	return slices.ContainsFunc(All(), func(e mechanism.Entry) bool {
		return slices.ContainsFunc(e.Parameters, func(p mechanism.Parameter) bool { return p.Kind == mechanism.File && p.Name == parameter })
	})
}

// Find returns the entry of that name.
func Find(name string) (mechanism.Entry, bool) {
	for _, e := range All() {
		if e.Name == name {
			return e, true
		}
	}
	return mechanism.Entry{}, false
}

// Package catalog lists the members: every published way to replace a word or to
// perturb a vector, as published and as repaired.
//
// A member is NAME.go, NAME_test.go, NAME.md (claim, assumptions, proof or refutation) and
// one line of [All].
package catalog

import (
	"fmt"
	"slices"
	"strings"

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

// Shared holds the declarations of one parameter name by all members that have it.
type Shared struct {
	Name string
	Kind mechanism.Kind
	Uses []Use
}

// Use is one declaration with the members that share it.
type Use struct {
	mechanism.Parameter
	Members []string
}

// Parameters returns the parameters of all members by name, in the order of [All].
func Parameters() (list []Shared) {
	for _, e := range All() {
		for _, p := range e.Parameters {
			i := slices.IndexFunc(list, func(s Shared) bool { return s.Name == p.Name })
			if i < 0 {
				i, list = len(list), append(list, Shared{Name: p.Name, Kind: p.Kind})
			}
			uses := &list[i].Uses
			j := slices.IndexFunc(*uses, func(u Use) bool {
				return u.Help == p.Help && u.Default == p.Default && u.Must() == p.Must()
			})
			if j < 0 {
				j, *uses = len(*uses), append(*uses, Use{Parameter: p})
			}
			(*uses)[j].Members = append((*uses)[j].Members, e.Name)
		}
	}
	return list
}

// Help returns sentences that describe the parameter for each of its members.
func (s Shared) Help() string {
	var sentences []string
	for _, u := range s.Uses {
		must := ": " + u.Must()
		if s.Kind == mechanism.File {
			must = ""
		}
		sentences = append(sentences, fmt.Sprintf("%s [%s%s; default: %s].", strings.ToUpper(u.Help[:1])+u.Help[1:], strings.Join(u.Members, ", "), must, u.Default))
	}
	return strings.Join(sentences, " ")
}

// Accepts returns the values that at least one member accepts: the choices of all, and the
// smallest interval that contains the intervals of all.
func (s Shared) Accepts() mechanism.Accepts {
	all := s.Uses[0].Accepts
	all.Choices = nil
	for _, u := range s.Uses {
		a := u.Accepts
		if a.Low < all.Low || a.Low == all.Low && !a.LowOpen {
			all.Low, all.LowOpen = a.Low, a.LowOpen
		}
		if a.High > all.High || a.High == all.High && !a.HighOpen {
			all.High, all.HighOpen = a.High, a.HighOpen
		}
		for _, choice := range a.Choices {
			if !slices.Contains(all.Choices, choice) {
				all.Choices = append(all.Choices, choice)
			}
		}
	}
	return all
}

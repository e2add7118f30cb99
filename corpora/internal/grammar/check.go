package grammar

import (
	"errors"
	"maps"
	"slices"
	"strings"
)

// check returns the faults of the grammar.
func (g *Grammar) check() error {
	drawn := map[string]bool{}
	seen := map[string]Place{}
	for _, t := range g.topics {
		for _, f := range t.frames {
			g.checkLine(f, seen, drawn)
		}
	}
	names := slices.Sorted(maps.Keys(g.lists))
	for _, name := range names {
		seen := map[string]Place{}
		for _, l := range g.lists[name].lines {
			g.checkLine(l, seen, drawn)
		}
	}
	for _, name := range names {
		if !drawn[name] {
			g.fault(Place{g.lists[name].file, 1}, "nothing draws from the list %s", name)
		}
	}
	if len(g.topics) == 0 {
		g.fault(Place{"frames", 1}, "there are no frames")
	}
	if len(g.faults) == 0 {
		g.checkCycles(names)
	}
	return errors.Join(g.faults...)
}

func (g *Grammar) checkLine(l line, seen map[string]Place, drawn map[string]bool) {
	same := strings.ToLower(l.text)
	if other, ok := seen[same]; ok {
		g.fault(l.Place, "the same line as %s", other)
	}
	seen[same] = l.Place
	l.phrase.eachAlternative(func(text string) {
		if name, _, _ := strings.Cut(text, ":"); g.lists[name] != nil {
			g.fault(l.Place, "the alternative %s is the name of a list: write {%s}", text, text)
		}
	})
	l.phrase.eachList(func(name string) {
		drawn[name] = true
		if g.lists[name] == nil {
			g.fault(l.Place, "there is no list %s", name)
		}
	})
}

// checkCycles finds lists that draw from themselves.
func (g *Grammar) checkCycles(names []string) {
	const (
		open = 1
		done = 2
	)
	state := map[string]int{}
	var visit func(name string, from Place)
	visit = func(name string, from Place) {
		switch state[name] {
		case open:
			g.fault(from, "the list %s draws from itself", name)
			return
		case done:
			return
		}
		state[name] = open
		for _, l := range g.lists[name].lines {
			l.phrase.eachList(func(other string) { visit(other, l.Place) })
		}
		state[name] = done
	}
	for _, name := range names {
		visit(name, Place{g.lists[name].file, 1})
	}
}

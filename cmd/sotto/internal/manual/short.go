package manual

import (
	"slices"
	"strings"
)

// Count returns the number of flags.
func (p Page) Count() (n int) {
	for _, s := range p.Flags {
		n += len(s.Entries)
	}
	return n
}

// Short returns the page with the meanings of some flags only, and the names of the others by
// group.
func (p Page) Short(common []string) Page {
	var most, rest Section
	var lists []Section
	rest.Title = "More flags (" + p.Name + " --help-all)"
	for _, s := range p.Flags {
		var names []string
		for _, e := range s.Entries {
			_, name, isFlag := strings.Cut(e.Term, "--")
			if !isFlag { // a list of something else
				lists = append(lists, s)
				break
			}
			name, _, _ = strings.Cut(name, " ")
			if slices.Contains(common, name) {
				most.Entries = append(most.Entries, e)
			} else {
				names = append(names, "--"+name)
			}
		}
		if len(names) > 0 {
			rest.Entries = append(rest.Entries, Entry{s.Title, strings.Join(names, " ")})
		}
	}
	most.Title = "Flags that most people need"
	p.Flags = append([]Section{most, rest}, lists...)
	return p
}

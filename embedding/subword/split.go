package subword

import (
	"fmt"
	"unicode/utf8"
)

// cutBy cuts pieces at the matches of a finder, or inverted at what is between them.
func cutBy(find finder, behaviour string, inverted bool) preTokenizer {
	return func(pieces []piece) (out []piece) {
		for _, p := range pieces {
			for _, r := range behave(p.text, find(p.text), behaviour, inverted) {
				if r[0] < r[1] {
					out = append(out, piece{p.text[r[0]:r[1]], -1, p.begins && r[0] == 0})
				}
			}
		}
		return out
	}
}

// behave returns the parts of a text that is cut at matches.
func behave(text string, found [][2]int, behaviour string, inverted bool) (parts [][2]int) {
	type part struct {
		at    [2]int
		match bool
	}
	var all []part
	at := 0
	for _, f := range found {
		if at < f[0] {
			all = append(all, part{[2]int{at, f[0]}, inverted})
		}
		all = append(all, part{f, !inverted})
		at = f[1]
	}
	if at < len(text) {
		all = append(all, part{[2]int{at, len(text)}, inverted})
	}
	begun := false // the last part is a match that waits for what follows
	for i, p := range all {
		before := i > 0 && all[i-1].match
		joins := false
		switch behaviour {
		case removed:
			if p.match {
				continue
			}
		case previous:
			joins = p.match && !before
		case contiguous:
			joins = i > 0 && p.match == before
		case next:
			joins = begun && !p.match
			begun = p.match
		}
		if joins && len(parts) > 0 {
			parts[len(parts)-1][1] = p.at[1]
		} else {
			parts = append(parts, p.at)
		}
	}
	return parts
}

// each finds every character that is of some kind, each for itself.
func each(is func(r rune) bool) finder {
	return func(text string) (found [][2]int) {
		for i, r := range text {
			if is(r) {
				found = append(found, [2]int{i, i + utf8.RuneLen(r)})
			}
		}
		return found
	}
}

// What becomes of the matches at which a text is cut.
const (
	removed    = "Removed"
	isolated   = "Isolated"
	previous   = "MergedWithPrevious"
	next       = "MergedWithNext"
	contiguous = "Contiguous"
)

func checkBehaviour(what, behaviour string) error {
	switch behaviour {
	case removed, isolated, previous, next, contiguous:
		return nil
	}
	return fmt.Errorf("%s: the behavior %q is not supported", what, behaviour)
}

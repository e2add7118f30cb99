package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/sotto-dp/sotto/beam/files"
	"github.com/sotto-dp/sotto/beam/sottobeam"
)

func failureLine(f sottobeam.Failure) string { return f.Key + separator + f.What }

// separator is between the place of a failure and its reason.
const separator = ": "

// leftOut returns an error with the number of records left out and the reasons. It
// returns nil if there are none or if they are allowed. It reads the list that the run
// wrote, since counters may include an attempt that was discarded.
func leftOut(ctx context.Context, list string) error {
	data, err := files.ReadIfThere(ctx, list)
	if err != nil {
		return err
	}
	kinds, n := map[string]int{}, 0
	for line := range strings.Lines(string(data)) {
		kinds[kind(strings.TrimSuffix(line, "\n"))]++
		n++
	}
	if n == 0 || *allow {
		return nil
	}
	names := slices.SortedFunc(maps.Keys(kinds), func(a, b string) int {
		return cmp.Or(kinds[b]-kinds[a], strings.Compare(a, b))
	})
	var why []string
	for _, name := range names {
		why = append(why, fmt.Sprintf("%d: %s", kinds[name], name))
	}
	places := "places"
	if n == 1 {
		places = "place"
	}
	return fmt.Errorf("%d %s could not be read, listed in %s (%s): the outputs hold all other records; use --allow-failures to accept that", n, places, list, strings.Join(why, "; "))
}

// place matches the end of a place, FILE:LINE or FILE:part N.
var place = regexp.MustCompile(`:(part )?[0-9]+$`)

// kind returns the reason in a line of the list, without its place.
func kind(line string) string {
	for at := 0; ; {
		i := strings.Index(line[at:], separator)
		if i < 0 {
			return line
		}
		if place.MatchString(line[:at+i]) {
			return line[at+i+len(separator):]
		}
		at += i + len(separator)
	}
}

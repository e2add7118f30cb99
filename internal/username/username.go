// Package username says which records belong to one user, for every front end alike.
package username

import (
	"strings"

	"golang.org/x/text/unicode/norm"
)

// Other is the user of all records without a user.
const Other = "other"

// Of returns the name of the user that a value of a record names. Spaces around it do not count,
// nor does how Unicode composes a letter with its accent, and a number in a form of JSON has one
// name however it is spelt: one program writes 7 where another writes 7.0, and a user with two
// names would lose twice what is claimed. Two users with one name are one user: each loses less.
// Case counts, as identifiers may differ in it alone.
func Of(value string) string {
	value = norm.NFC.String(strings.TrimSpace(value))
	switch {
	case value == "":
		return Other
	case strings.ContainsAny(value, ".eE") || strings.HasPrefix(value, "-0"): // other numbers have one spelling
		if number.MatchString(value) {
			return string(canonical([]byte(value)))
		}
	}
	return value
}

package request

import (
	"fmt"
	"strings"
)

// ConflictError reports that two fields of a request exclude each other, or that one needs
// another. Fields are named as flags, perhaps with a value: "document-epsilon", "unit text".
type ConflictError struct {
	Field  string
	Needs  bool // Field needs Other; otherwise they exclude each other
	Other  string
	Reason string
}

func (e *ConflictError) Error() string { return e.Phrase(func(name string) string { return name }) }

// Phrase returns the error with fields named by a front end.
func (e *ConflictError) Phrase(name func(field string) string) string {
	verb := "cannot be used with"
	if e.Needs {
		verb = "needs"
	}
	return fmt.Sprintf("%s %s %s: %s", name(e.Field), verb, name(e.Other), e.Reason)
}

// ValueError reports a value that a field cannot have. Value is as it was given, and so may hold
// what a front end must not repeat.
type ValueError struct {
	Name  string
	Value string
	Must  string
}

func (e *ValueError) Error() string { return e.Phrase(e.Name) }

// Phrase returns the error with the field named by a front end.
func (e *ValueError) Phrase(name string) string {
	if e.Value == `""` {
		return name + " is empty: give it a value, or leave it out"
	}
	return fmt.Sprintf("%s must be %s, got %s", name, e.Must, e.Value)
}

// MissingEpsilonError reports that an epsilon is needed.
type MissingEpsilonError struct {
	Who string // asks
	Per string // what it protects: token, text or vector
}

func (e *MissingEpsilonError) Error() string {
	return fmt.Sprintf("%s needs epsilon, the privacy parameter per %s; there is no default", e.Who, e.Per)
}

// oneOf lists the values of a field.
func oneOf(tag string) string { return strings.ReplaceAll(tag, ",", " or ") }

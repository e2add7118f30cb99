package grammar

import (
	"errors"
	"fmt"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/opening"
	"github.com/sotto-dp/sotto/request"
)

// asFlag returns a field of a request as a flag.
func asFlag(field string) string {
	if field == "vectors" {
		return field
	}
	return "--" + field
}

// valueHints are what to do about some values, by their field.
var valueHints = map[string]string{
	"language": "choose another table with --embeddings, or another corpus with --corpus (sotto corpus list shows their languages)",
	"unit":     "marked places need --spans or --mark-patterns, all records of a user sotto rewrite --user, and a private copy of a whole corpus sotto synthesize",
}

// conflictHints are what to do about some conflicts, by the two fields.
var conflictHints = map[[2]string]string{
	{"corpus", "unit word"}:                 "leave out --unit word",
	{"document-epsilon", "document-tokens"}: "try --document-tokens 500: it must not depend on the private texts",
	{"spans", "unit text"}:                  "leave out --spans: with --unit text everything is protected",
	{"spans-field", "unit text"}:            "leave out --spans-field: with --unit text everything is protected",
	{"typed", "spans"}:                      "give what a detector found, or --mark-patterns for what has a shape",
	{"mechanism adept", "model"}:            "give --model FILE: sotto train autoencoder makes one",
	{"mechanism adept-published", "model"}:  "give --model FILE: sotto train autoencoder makes one",
}

// requestFault words an error of a request, with a hint where there is one.
func requestFault(err error) (plain, hint string, ok bool) {
	var conflict *request.ConflictError
	var value *request.ValueError
	var missing *request.MissingEpsilonError
	var unknown *sotto.UnknownMechanismError
	switch {
	case errors.As(err, &conflict):
		return conflict.Phrase(asFlag), conflictHints[[2]string{conflict.Field, conflict.Other}], true
	case errors.As(err, &value):
		return value.Phrase(asFlag(value.Name)), valueHints[value.Name], true
	case errors.As(err, &unknown):
		var usage *cli.UsageError
		errors.As(opening.UnknownMechanism(unknown.Name), &usage)
		return usage.Err.Error(), usage.Hint, true
	case errors.As(err, &missing):
		hint = "try --epsilon 4: a smaller epsilon protects more and keeps less"
		switch missing.Per {
		case "token":
			hint = "try --epsilon 8: a smaller epsilon protects more and keeps less; sotto explain --epsilon 8 doctor shows what it does to a word, and sotto tune --attack 0.05 finds one by a risk"
		case "mark":
			hint = "try --epsilon 4; with --epsilon 0 nothing of a mark but its type remains"
		case "text":
			hint += "; sotto tune --linkage 0.1 finds one by a risk"
		}
		return fmt.Sprintf("%s needs --epsilon, the privacy parameter per %s; there is no default", missing.Who, missing.Per), hint, true
	}
	return "", "", false
}

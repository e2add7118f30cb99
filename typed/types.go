package typed

import (
	_ "embed" // of digests
	"maps"
	"slices"
	"strings"
	"sync"
)

// makers makes the codebooks of this package by name. Those of a type without a locale are
// in English.
var makers = map[string]func(name string) *Codebook{
	"person":       func(n string) *Codebook { return person(n, "en") },
	"given":        func(n string) *Codebook { return of(n, embedded("en-given")) },
	"family":       func(n string) *Codebook { return of(n, embedded("en-family")) },
	"place":        func(n string) *Codebook { return of(n, embedded("en-place")) },
	"country":      func(n string) *Codebook { return of(n, embedded("en-country")) },
	"address":      func(n string) *Codebook { return address(n, "en", true) },
	"organization": func(n string) *Codebook { return named(n, embedded("en-family"), "Group", "Inc", "LLC", "and Sons") },
	"hospital": func(n string) *Codebook {
		return named(n, embedded("en-place"), "General Hospital", "Medical Center", "Community Hospital", "Clinic")
	},
	"profession": func(n string) *Codebook {
		return pairs(n, embedded("en-area"), embedded("en-work"), spaced, func(value string) (string, string) { return atSpace(value, true) })
	},
	"date": dates, "time": times, "age": ages,
	"number":  numbers,
	"dollars": func(n string) *Codebook { return amounts(n, "$", "") },
	"euros":   func(n string) *Codebook { return amounts(n, "", " EUR") },
	"pounds":  func(n string) *Codebook { return amounts(n, "£", "") },
	"phone":   phones, "email": emails, "url": urls, "ip": addresses, "id": identifiers, "postcode": postcodes,
	"card": cards, "iban": accounts, "secret": secrets, "mac": devices,
	"person-de": func(n string) *Codebook { return person(n, "de") }, "person-fr": func(n string) *Codebook { return person(n, "fr") },
	"person-es": func(n string) *Codebook { return person(n, "es") }, "person-it": func(n string) *Codebook { return person(n, "it") },
	"place-de": func(n string) *Codebook { return of(n, embedded("de-place")) }, "place-fr": func(n string) *Codebook { return of(n, embedded("fr-place")) },
	"place-es": func(n string) *Codebook { return of(n, embedded("es-place")) }, "place-it": func(n string) *Codebook { return of(n, embedded("it-place")) },
	"address-de": func(n string) *Codebook { return address(n, "de", false) },
}

// codebookOf is the codebook of each type that this package knows.
var codebookOf = map[string]string{
	"PERSON": "person", "GIVEN_NAME": "given", "FAMILY_NAME": "family", "LOCATION": "place", "COUNTRY": "country", "ADDRESS": "address",
	"ORGANIZATION": "organization", "HOSPITAL": "hospital", "PROFESSION": "profession", "DATE": "date", "TIME": "time", "AGE": "age",
	"NUMBER": "number", "MONEY": "dollars", "PHONE_NUMBER": "phone", "EMAIL_ADDRESS": "email", "URL": "url", "IP_ADDRESS": "ip",
	"ID": "id", "POSTCODE": "postcode", "CREDIT_CARD": "card", "IBAN_CODE": "iban", "SECRET": "secret", "MAC_ADDRESS": "mac",
}

var made sync.Map // of *Codebook, by name

// digestLines has the digest of each codebook of this package: to compute those of the types of
// a release again takes longer than most releases. A test compares them with the values.
//
//go:embed digests.txt
var digestLines string

var digestOf = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	for line := range strings.Lines(digestLines) {
		name, digest, _ := strings.Cut(strings.TrimSpace(line), " ")
		all[name] = digest
	}
	return all
})

// Embedded returns a codebook of this package, false if there is none of that name.
func Embedded(name string) (*Codebook, bool) {
	if c, ok := made.Load(name); ok {
		return c.(*Codebook), true
	}
	maker, ok := makers[name]
	if !ok {
		return nil, false
	}
	own := maker(name)
	own.digest = digestOf()[name]
	c, _ := made.LoadOrStore(name, own)
	return c.(*Codebook), true
}

// Codebooks lists the names of the codebooks of this package.
func Codebooks() []string { return slices.Sorted(maps.Keys(makers)) }

// Types lists the types that have a codebook without being given one.
func Types() []string { return slices.Sorted(maps.Keys(codebookOf)) }

// Default returns the codebook that a type has without being given one.
func Default(kind string) (*Codebook, bool) {
	name, ok := codebookOf[kind]
	if !ok {
		return nil, false
	}
	return Embedded(name)
}

// Normal returns the name of a type in the form of this package: PHONE_NUMBER for "phone
// number". It is empty for a name that is too long or has other characters than letters,
// digits and separators.
func Normal(kind string) string {
	kind = strings.TrimSpace(kind)
	if len(kind) > 64 {
		return ""
	}
	normal := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return r - 'a' + 'A'
		case r >= 'A' && r <= 'Z' || r >= '0' && r <= '9':
			return r
		case r == ' ' || r == '-' || r == '_' || r == '/':
			return '_'
		}
		return '?'
	}, kind)
	if strings.Contains(normal, "?") {
		return ""
	}
	return normal
}

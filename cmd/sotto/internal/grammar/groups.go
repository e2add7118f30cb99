package grammar

import "github.com/alecthomas/kong"

// FlagGroups are the headings of flags in help texts, in order. The tag group of each
// flag names one of them by its key.
var FlagGroups = []kong.Group{
	{Key: "privacy", Title: "Privacy"},
	{Key: "input", Title: "Input"},
	{Key: "output", Title: "Output"},
	{Key: "budget", Title: "Budget"},
	{Key: "advanced", Title: "Advanced"},
	{Key: "parameters", Title: "Parameters of mechanisms"},
}

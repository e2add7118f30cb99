package grammar

import (
	"fmt"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/internal/setting"
	"github.com/sotto-dp/sotto/release"
)

// settingFlags maps the settings to flags that a request does not refuse before them.
var settingFlags = map[string]string{
	setting.UnitWord: "--consistent", setting.UnitText: "--unit text or --model", setting.UseParts: "--format text", setting.Marked: "--spans",
}

// flagOf returns the flag of a setting.
func flagOf(s string) string {
	if flag := settingFlags[s]; flag != "" {
		return flag
	}
	return string(s)
}

// conflictText describes settings in conflict as flags.
func conflictText(e *sotto.ConflictError) string {
	if e.Needs {
		return fmt.Sprintf("%s needs %s: %s", flagOf(e.Setting), flagOf(e.Other), e.Reason)
	}
	return fmt.Sprintf("%s cannot be used with %s: %s", flagOf(e.Setting), flagOf(e.Other), e.Reason)
}

// capRemedy returns the values that would satisfy a cap that does not hold.
func capRemedy(e *sotto.BudgetError) string {
	switch {
	case e.Fault == release.TextTooLong:
		least := "a larger --document-tokens"
		if !e.More {
			least = fmt.Sprintf("--document-tokens %d", e.Tokens)
		}
		return least + " would allow it, with a smaller epsilon per token; --over clamp would replace the later tokens by random words"
	case e.Fault == release.EpsilonTooSmall:
		return fmt.Sprintf("--document-epsilon %.3g would allow them", e.Possible)
	case e.Fault == release.NoBound:
		return "choose a pure mechanism such as neighbours, or a metric one over euclidean distance"
	case e.Allowed > 0:
		return fmt.Sprintf("use --document-tokens %d, or leave out --epsilon so that a smaller one is chosen", e.Allowed)
	}
	return "leave out --epsilon so that a smaller one is chosen"
}

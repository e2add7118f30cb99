package auditing

import (
	"strconv"

	"github.com/sotto-dp/sotto/privacy"
)

// atMost writes a limit rounded up, with as many digits as put it on the same side of the claim
// as the limit itself.
func atMost(limit float64, claimed *float64) string {
	text := privacy.Above(limit, 6)
	for digits := 7; claimed != nil && digits <= 17; digits++ {
		if shown, err := strconv.ParseFloat(text, 64); err != nil || (shown < *claimed) == (limit < *claimed) {
			break
		}
		text = privacy.Above(limit, digits)
	}
	return text
}

// times writes how often a claim has a limit that it is above, with as many digits as make it
// more than once.
func times(claimed, limit float64) string {
	text := ""
	for digits := 4; digits <= 17; digits++ {
		if text = strconv.FormatFloat(claimed/limit, 'g', digits, 64); text != "1" {
			break
		}
	}
	return text
}

package tune

import "github.com/sotto-dp/sotto/privacy"

// Limit is the largest unchanged rate that any mechanism reaches at an epsilon.
type Limit struct {
	Notion    privacy.Notion `json:"notion"` // pure or metric
	Epsilon   float64        `json:"epsilon"`
	Unchanged float64        `json:"unchanged"`
}

package sotto

import (
	"github.com/sotto-dp/sotto/release"
	"github.com/sotto-dp/sotto/statement"
)

// What goes into a release and comes out of it. Package release has the loop, and package
// statement what is stated.
type (
	Stream      = release.Stream
	Position    = release.Position
	Pending     = release.Pending
	PoolOptions = release.PoolOptions
	WordCounts  = release.WordCounts
	BudgetError = release.BudgetError

	Statement      = statement.Statement
	EmbedStatement = statement.EmbedStatement
	Counts         = statement.Counts
	Content        = statement.Content
	Cost           = statement.Cost
	Over           = statement.Over
	Of             = statement.Of
)

// Values of Over and Of.
const (
	Refuse    = statement.Refuse
	Clamp     = statement.Clamp
	Documents = statement.Documents
	Tokens    = statement.Tokens
)

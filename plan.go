package sotto

import (
	"context"
	"iter"

	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
)

// plan is how a Rewriter treats texts. There is one plan per unit of protection: tokens,
// capped (tokens of a text whose total is bounded), distinct and scope (distinct words),
// and texts. [Open] chooses the plan; no other code distinguishes them. A plan is safe
// for concurrent use.
type plan interface {
	configured
	// read cuts texts into units and counts them. It draws nothing.
	read(texts [][]byte, at Position) (batch, error)
	// state adds the guarantee for the counted units to a statement.
	state(s *Statement, counts Counts)
}

// configured is a plan or a mechanism for vectors, with its claim and settings.
type configured interface {
	Claim() privacy.Claim // per unit
	Settings() []mechanism.Setting
}

// batch is the units of some texts. It is for one goroutine.
type batch interface {
	// counted returns the counts that a statement may publish, including the cost, and
	// those that are as private as the texts.
	counted() (Counts, Content)
	// draw draws every unit and returns a private copy of each text. It is called once.
	draw(ctx context.Context) (copies, error)
	// length returns the size of one text as [Pending.Size] counts.
	length(text int) int
	// words returns the tokens of one text, none if the plan does not cut texts.
	words(text int) iter.Seq[ReadWord]
}

// copies are the private copies of the texts of a batch.
type copies struct {
	texts  [][]byte
	pieces func() [][]string // each text in pieces, one per token
	drawn  []uint32          // the index of each text in the corpus; nil without one
}

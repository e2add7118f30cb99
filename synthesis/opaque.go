package synthesis

import (
	"fmt"
	"io"
)

// The printed forms of private values: votes, counts and records hide their contents.
const hidden = "private"

// Format prints nothing of the votes.
func (Votes) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, hidden) }

// Format prints nothing of the votes.
func (UserVotes) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, hidden) }

// Format hides the counts.
func (Counts) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, hidden) }

// Format hides the record.
func (Record) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, hidden) }

// MarshalText hides a record from encoders of text and JSON.
func (Record) MarshalText() ([]byte, error) { return []byte(hidden), nil }

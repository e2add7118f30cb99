package python

import (
	"bytes"
	"context"
	"errors"
	"math"
	"strings"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/grammar"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/worker"
	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/request"
)

// FaultOf describes an error to a program, in the words and with the exit code of the
// command.
func FaultOf(err error) *worker.Fault {
	var said bytes.Buffer
	f := &worker.Fault{Kind: "failed", Code: grammar.Report(&said, err)}
	lines := strings.Split(strings.TrimSpace(strings.TrimPrefix(said.String(), "sotto: ")), "\n")
	f.Message = lines[0]
	for _, line := range lines[1:] {
		f.Hint = strings.TrimSpace(f.Hint + " " + strings.TrimSpace(line))
	}
	var parameter *privacy.ParameterError
	var standing *privacy.StandingError
	var exhausted *ledger.ExhaustedError
	var budget *sotto.BudgetError
	var account *ledger.UnknownAccountError
	var value *request.ValueError
	switch {
	case errors.Is(err, context.Canceled):
		f.Kind = "interrupted"
	case errors.As(err, &exhausted):
		f.Kind, f.Fields = "budget", exhaustedFields(exhausted)
	case errors.As(err, &budget):
		f.Kind, f.Fields = "budget", map[string]any{"tokens": budget.Tokens, "allowed": budget.Allowed, "possible": finite(budget.Possible)}
	case errors.As(err, &standing):
		f.Kind, f.Fields = "standing", map[string]any{"mechanism": standing.Mechanism, "standing": standing.Standing.String()}
	case errors.As(err, &account):
		f.Kind, f.Fields = "parameter", map[string]any{"parameter": "account", "account": account.Account}
	case errors.As(err, &parameter):
		f.Kind, f.Fields = "parameter", parameterFaultFields(parameter)
	case errors.As(err, &value):
		f.Kind, f.Fields = "parameter", map[string]any{"parameter": value.Name, "must": value.Must}
	case f.Code == cli.ExitUsage:
		f.Kind = "parameter"
	}
	return f
}

func exhaustedFields(e *ledger.ExhaustedError) map[string]any {
	fields := map[string]any{"account": e.Account, "cost": e.Cost, "remaining": e.Remaining}
	if e.Period != 0 && !e.Never {
		fields["period"], fields["ends"] = e.Period.Seconds(), e.Ends
	}
	return fields
}

func parameterFaultFields(e *privacy.ParameterError) map[string]any {
	if e.Have != nil { // the value is a name that does not exist
		return map[string]any{"parameter": e.Value, "have": e.Have}
	}
	fields := map[string]any{"parameter": e.Name, "must": e.Must}
	switch v := e.Value.(type) {
	case int, int64, uint64:
		fields["value"] = v
	case float64:
		fields["value"] = finite(v)
	}
	return fields
}

// finite returns nil for a number that JSON cannot hold.
func finite(x float64) any {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return x
}

package wire

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/internal/setting"
	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/release"
	"github.com/sotto-dp/sotto/request"
)

// Problem is an RFC 9457 problem document. It repeats no string of the request.
type Problem struct {
	Type     string `json:"type" doc:"Kind of problem; stable."`
	Title    string `json:"title"`
	Status   int    `json:"status"`
	Detail   string `json:"detail,omitempty"`
	Instance string `json:"instance,omitempty" doc:"Identifier of the request, as in the log."`

	Parameter string `json:"parameter,omitempty" doc:"Of invalid-parameter: which."`
	Must      string `json:"must,omitempty" doc:"Of invalid-parameter: what would be accepted."`

	Cost      *ledger.Amount `json:"cost,omitempty" doc:"Of budget-exhausted: what the request costs."`
	Remaining *ledger.Amount `json:"remaining,omitempty" doc:"Of budget-exhausted: the largest cost that would be accepted."`
	Ends      *time.Time     `json:"period_ends,omitempty" doc:"Of budget-exhausted: when the exhausted period ends. Absent where the request costs more than the whole budget of a period."`

	Limit int `json:"limit,omitempty" doc:"Of too-many-tokens, too-many-texts, too-many-cells and too-many-values: what one request may have."`
	Count int `json:"count,omitempty" doc:"Of too-many-tokens, too-many-texts, too-many-cells and too-many-values: what it has."`

	retry int // seconds; 0 is none
}

func (p *Problem) Error() string { return p.Type }

func NewProblem(status int, kind, detail string) *Problem {
	return &Problem{Type: kind, Title: http.StatusText(status), Status: status, Detail: detail}
}

// After says in how many seconds to try again.
func (p *Problem) After(seconds int) *Problem {
	p.retry = seconds
	return p
}

// Of says how many there may be, and how many there are.
func (p *Problem) Of(limit, count int) *Problem {
	p.Limit, p.Count = limit, count
	return p
}

// Busy makes a problem that a later retry avoids.
func Busy(kind, detail string) *Problem {
	return NewProblem(http.StatusTooManyRequests, kind, detail).After(1)
}

// OpenError wraps the reason why a mechanism did not open.
type OpenError struct{ Err error }

func (e *OpenError) Error() string { return e.Err.Error() }

func (e *OpenError) Unwrap() error { return e.Err }

// ProblemOf converts an error to a problem. Errors not listed here become an internal
// error without details.
func ProblemOf(err error) *Problem {
	var p *Problem
	var parameter *privacy.ParameterError
	var standing *privacy.StandingError
	var mechanismError *sotto.UnknownMechanismError
	var opening *OpenError
	var budget *sotto.BudgetError
	var conflict *sotto.ConflictError
	var asked *request.ConflictError
	var value *request.ValueError
	var missing *request.MissingEpsilonError
	var noChannel *sotto.NoChannelError
	var exhausted *ledger.ExhaustedError
	var account *ledger.UnknownAccountError
	var full *ledger.AnswersFullError
	var basis *ledger.BasisError
	var unit *ledger.UnitError
	switch {
	case errors.As(err, &p):
		return p
	case errors.As(err, &parameter):
		return parameterProblem(parameter)
	case errors.As(err, &standing):
		return NewProblem(http.StatusForbidden, "standing-not-accepted", standing.Mechanism+": its guarantee is "+standing.Standing.String()+", not proved: set accept to "+standing.Standing.String())
	case errors.As(err, &mechanismError):
		return NewProblem(http.StatusBadRequest, "unknown-mechanism", "no such mechanism: /v1/mechanisms lists them")
	case errors.As(err, &noChannel):
		return NewProblem(http.StatusBadRequest, "no-distribution", noChannel.Error())
	case errors.As(err, &conflict):
		return conflictProblem(conflict)
	case errors.As(err, &asked):
		return askedProblem(asked)
	case errors.As(err, &value):
		return parameterProblem(&privacy.ParameterError{Name: fieldOf(value.Name), Must: value.Must})
	case errors.As(err, &missing):
		return parameterProblem(&privacy.ParameterError{Name: "epsilon", Must: "given: it has no default"})
	case errors.As(err, &budget):
		return NewProblem(http.StatusUnprocessableEntity, "cap-cannot-hold", budget.Error()+"; "+capRemedy(budget))
	case errors.As(err, &opening):
		return NewProblem(http.StatusUnprocessableEntity, "cannot-open", "with this table and these parameters the mechanism does not open")
	case errors.As(err, &exhausted):
		p = NewProblem(http.StatusForbidden, "budget-exhausted", fmt.Sprintf("the request costs %s, the account has %s left", exhausted.Cost, exhausted.Remaining))
		p.Cost, p.Remaining = &exhausted.Cost, &exhausted.Remaining
		switch {
		case exhausted.Never:
			p.Detail += ", and the whole budget of a period is less: waiting does not help"
		case exhausted.Period != 0:
			p.Ends = &exhausted.Ends
		}
		return p
	case errors.As(err, &full):
		return Busy("answers-full", fmt.Sprintf("%d bytes of answers are stored for this account's idempotency keys; a new key needs less than %d: wait until earlier ones expire, or leave out the key", full.Kept, full.Most)).After(60)
	case errors.As(err, &account):
		return NewProblem(http.StatusNotFound, "unknown-account", "there is no such account: sotto ledger grant opens one")
	case errors.As(err, &basis):
		return NewProblem(http.StatusConflict, "wrong-unit", fmt.Sprintf("the account counts %s, not %s", basis.Has, basis.Asks))
	case errors.As(err, &unit):
		return NewProblem(http.StatusConflict, "wrong-unit", fmt.Sprintf("the account counts losses of %s and cannot be charged for a loss of %s", unit.Has, unit.Asks))
	case errors.Is(err, ledger.ErrChargeChanged):
		return NewProblem(http.StatusConflict, "cost-changed", "what was charged under this idempotency key does not pay for the request now, because the table or the server's settings have changed: use a new key")
	case errors.Is(err, ledger.ErrKeyReused):
		return NewProblem(http.StatusUnprocessableEntity, "idempotency-key-reused", "this idempotency key was used with another request")
	case errors.Is(err, ledger.ErrForgotten):
		return NewProblem(http.StatusGone, "answer-forgotten", "the answer under this idempotency key was released and cannot be given again, because it has expired or the program has changed: use a new key, under which the request is charged again")
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return NewProblem(http.StatusServiceUnavailable, "interrupted", "the request was not finished in time").After(1)
	}
	return NewProblem(http.StatusInternalServerError, "internal", "the server failed: its log has the cause under this instance")
}

// capRemedy returns the values that would satisfy a cap that does not hold.
func capRemedy(e *sotto.BudgetError) string {
	switch {
	case e.Fault == release.TextTooLong:
		return fmt.Sprintf("document_tokens of %d or more would allow it, with a smaller epsilon per token, and over clamp would replace the later tokens by random words", e.Tokens)
	case e.Fault == release.EpsilonTooSmall:
		return fmt.Sprintf("document_epsilon %.3g would allow them", e.Possible)
	case e.Fault == release.NoBound:
		return "choose a pure mechanism, or a metric one over euclidean distance"
	case e.Allowed > 0:
		return fmt.Sprintf("use document_tokens %d, or leave out epsilon so that a smaller one is chosen", e.Allowed)
	}
	return "leave out epsilon so that a smaller one is chosen"
}

// settingFields maps the settings to fields that a request does not refuse before them.
var settingFields = map[string]string{
	setting.UnitWord: "consistent", setting.Scoped: "scope", setting.UnitText: "unit", setting.Marked: "spans", setting.DocumentEpsilon: "document_epsilon",
}

// conflictProblem names the field to give or to leave out.
func conflictProblem(e *sotto.ConflictError) *Problem {
	if e.Needs {
		return parameterProblem(&privacy.ParameterError{Name: settingFields[e.Other], Must: "given: " + e.Reason})
	}
	return parameterProblem(&privacy.ParameterError{Name: settingFields[e.Setting], Must: "left out here: " + e.Reason})
}

// fieldOf returns the name of a flag, perhaps with a value, as that of a field.
func fieldOf(flag string) string { return strings.ReplaceAll(flag, "-", "_") }

// askedProblem is conflictProblem for fields of a request.
func askedProblem(e *request.ConflictError) *Problem {
	name, must, with := e.Field, "left out", e.Other
	if e.Needs {
		name, must, with = e.Other, "given", e.Field
	}
	name, _, _ = strings.Cut(fieldOf(name), " ")
	return parameterProblem(&privacy.ParameterError{Name: name, Must: must + " with " + fieldOf(with) + ": " + e.Reason})
}

// parameterProblem repeats a refused value only if it is a number, and a name only if the
// catalogue or this interface has it.
func parameterProblem(e *privacy.ParameterError) *Problem {
	p := NewProblem(http.StatusBadRequest, "invalid-parameter", "")
	p.Must = e.Must
	if e.Have != nil { // its value is a string of the request
		p.Detail = "unknown parameter: it must be " + e.Must
		return p
	}
	name := "a parameter"
	if of := e.Who + "_" + e.Name; knownName(of) { // of a cap
		p.Parameter, name = of, of
	} else if knownName(e.Name) {
		p.Parameter, name = e.Name, e.Name
	}
	if e.Problem != "" { // which may quote the request
		p.Detail = name + ": " + e.Must
		return p
	}
	switch v := e.Value.(type) {
	case float64, int, int64:
		p.Detail = privacy.Phrase(name, v, e.Must)
	default:
		p.Detail = privacy.Phrase(name, nil, e.Must)
	}
	return p
}

func knownName(name string) bool {
	if slices.Contains(fieldNames, name) || slices.Contains([]string{"idempotency key", "use", "number of draws", "epsilon of all draws", "delta of all draws", "word", "combinations of labels"}, name) {
		return true
	}
	for _, e := range catalog.All() {
		if slices.ContainsFunc(e.Parameters, func(p mechanism.Parameter) bool { return p.Name == name }) {
			return true
		}
	}
	return false
}

// Write sends the problem.
func (p *Problem) Write(w http.ResponseWriter, request string) {
	told := *p
	told.Instance = "urn:uuid:" + request
	body, err := json.Marshal(told)
	if err != nil { // an amount that is not a number: impossible
		body = []byte(`{"type":"internal","status":500}`)
	}
	w.Header().Set("Content-Type", "application/problem+json")
	if p.retry > 0 {
		RetryHeader.Set(w, strconv.Itoa(p.retry))
	}
	if p.Status == http.StatusUnauthorized {
		ChallengeHeader.Set(w, `Bearer realm="sotto"`)
	}
	w.WriteHeader(p.Status)
	_, _ = w.Write(append(body, '\n'))
}

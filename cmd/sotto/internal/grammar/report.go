package grammar

import (
	"errors"
	"fmt"
	"io"
	"syscall"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/charging"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/privacy"
)

// Report prints an error as one line, with its hint, and returns the exit code.
func Report(w io.Writer, err error) int {
	if err == nil {
		return 0
	}
	var configured *configuredError
	if errors.As(err, &configured) {
		code := Report(w, configured.err)
		configured.note(w)
		return code
	}
	if plain, hint, ok := requestFault(err); ok {
		err = cli.WrongUsage(hint, "%s", plain)
	}
	var usage *cli.UsageError
	var interrupted *cli.InterruptedError
	var exit *cli.ExitError
	var parameter *privacy.ParameterError
	var standing *privacy.StandingError
	var exhausted *ledger.ExhaustedError
	var account *ledger.UnknownAccountError
	var basis *ledger.BasisError
	var unit *ledger.UnitError
	var budget *sotto.BudgetError
	var conflict *sotto.ConflictError
	var table *corpus.TableError
	switch {
	case errors.As(err, &interrupted):
		cli.Complain(w, "interrupted")
		return interrupted.Code()
	case errors.As(err, &exit):
		if exit.Err != nil {
			cli.Complain(w, exit.Err.Error())
		}
		return exit.Code
	case errors.As(err, &usage):
		cli.Complain(w, usage.Err.Error())
		if usage.Hint != "" {
			fmt.Fprintf(w, "       %s\n", usage.Hint)
		}
		return cli.ExitUsage
	case errors.As(err, new(*charging.ShortError)):
		cli.Complain(w, err.Error())
		return cli.ExitBudget
	case errors.As(err, &exhausted):
		cli.Complain(w, fmt.Sprintf("%v\n       sotto cost shows what a whole run needs", err))
		return cli.ExitBudget
	case errors.As(err, &budget):
		cli.Complain(w, fmt.Sprintf("%v; %s", err, capRemedy(budget)))
		return cli.ExitBudget
	case errors.As(err, &conflict):
		cli.Complain(w, conflictText(conflict))
		return cli.ExitUsage
	case errors.As(err, &table):
		cli.Complain(w, fmt.Sprintf("%v\n       give the table that the corpus was built with: --embeddings NAME|FILE", err))
		return cli.ExitUsage
	case errors.As(err, &standing):
		cli.Complain(w, fmt.Sprintf("%v\n       use --accept %s for this call", err, standing.Standing))
		return cli.ExitUsage
	case errors.As(err, &parameter), errors.As(err, &account), errors.As(err, &basis), errors.As(err, &unit):
		cli.Complain(w, err.Error())
		return cli.ExitUsage
	case errors.Is(err, syscall.EPIPE):
		return cli.ExitFailed // whoever closed the pipe has read enough
	}
	cli.Complain(w, err.Error())
	return cli.ExitFailed
}

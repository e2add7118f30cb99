package sottohttp_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"path/filepath"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/ledger/sqlite"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/sottohttp"
)

// feedback is a service that stores what it receives. It is written as if there were no
// private text.
func feedback(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, "cannot read the body", http.StatusBadRequest)
		return
	}
	fmt.Fprintf(w, "stored %d bytes", len(body))
}

// budgets opens a ledger in a file and grants an account its budget.
func budgets(ctx context.Context, file string) (*ledger.Ledger, error) {
	store, err := sqlite.Open(ctx, sqlite.Config{Path: file, Create: true})
	if err != nil {
		return nil, err
	}
	l, err := ledger.Open(ctx, ledger.Config{Store: store})
	if err != nil {
		return nil, err
	}
	limit, err := ledger.ParseLimit("10", "")
	if err != nil {
		return nil, err
	}
	_, err = l.Grant(ctx, ledger.Grant{Account: "feedback", Amount: limit})
	return l, err
}

// private puts the service behind sotto: whole texts in the field "note" are replaced
// before the service sees them, and each is charged before it is drawn.
func private(ctx context.Context, l *ledger.Ledger) (http.Handler, error) {
	rewriter, err := sotto.Open(ctx, sotto.Config{Unit: privacy.Text, Epsilon: 4})
	if err != nil {
		return nil, err
	}
	return sottohttp.Requests(http.HandlerFunc(feedback), sottohttp.Config{
		Rewriter: rewriter,
		Fields:   []string{"note"},
		Charge: func(ctx context.Context, p *sotto.Pending) error {
			charge, err := ledger.Price(p.Claim(), "", p.Draws())
			if err != nil {
				return err
			}
			charge.Account = "feedback"
			_, err = l.Charge(ctx, charge)
			return err
		},
	})
}

// The budget of the account pays for two texts at epsilon 4, and refuses the third.
func Example_service() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "service")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	l, err := budgets(ctx, filepath.Join(dir, "budgets.db"))
	if err != nil {
		log.Fatal(err)
	}
	defer l.Close()
	handler, err := private(ctx, l)
	if err != nil {
		log.Fatal(err)
	}
	for range 3 {
		fmt.Println(send(handler, `{"id": 7, "note": "my doctor in Boston agreed"}`)[:3])
	}
	// Output:
	// 200
	// 200
	// 403
}

// Command feedback stores notes, and never sees what was written.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"time"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/ledger/open"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/sottohttp"
)

func main() {
	if err := serve(context.Background()); err != nil {
		log.Fatal(err)
	}
}

func serve(ctx context.Context) error {
	budgets, err := open.Ledger(ctx, "budgets.db", open.Write)
	if err != nil {
		return err
	}
	defer budgets.Close()
	rewriter, err := sotto.Open(ctx, sotto.Config{Unit: privacy.Text, Epsilon: 4})
	if err != nil {
		return err
	}
	handler, err := sottohttp.Requests(http.HandlerFunc(feedback), sottohttp.Config{
		Rewriter: rewriter,
		Fields:   []string{"note"},
		Charge: func(ctx context.Context, p *sotto.Pending) error {
			charge, err := ledger.Price(p.Claim(), "", p.Draws())
			if err != nil {
				return err
			}
			charge.Account = "feedback"
			_, err = budgets.Charge(ctx, charge)
			return err
		},
	})
	if err != nil {
		return err
	}
	server := &http.Server{Addr: "127.0.0.1:8081", Handler: handler, ReadTimeout: 10 * time.Second}
	return server.ListenAndServe()
}

func feedback(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, "cannot read the body", http.StatusBadRequest)
		return
	}
	fmt.Fprintf(w, "stored %d bytes", len(body))
}

// Program oapi uses the client that oapi-codegen makes. Arguments: the service's address
// and a key that may charge the accounts alice and tickets.
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"

	"github.com/google/uuid"
	"github.com/sotto-dp/sotto/scripts/clients/go/oapi"
)

func main() {
	log.SetFlags(0)
	client, err := oapi.NewClientWithResponses(os.Args[1], oapi.WithRequestEditorFn(func(_ context.Context, r *http.Request) error {
		r.Header.Set("Authorization", "Bearer "+os.Args[2])
		return nil
	}))
	check(err)
	ctx := context.Background()
	epsilon, alice, tickets, fast := 2.5, "alice", "tickets", true
	text, key, spent := "my doctor in Boston agreed", uuid.NewString(), 0.0
	texts := []*string{&text, nil}

	cost, err := client.PostCostWithResponse(ctx, oapi.CostRequest{Texts: texts, Epsilon: &epsilon, Account: &alice, Fast: &fast})
	check(err)
	want(cost.JSON200 != nil && cost.JSON200.AccountLeft != nil && cost.JSON200.Refused == 1 && *cost.JSON200.EpsilonTotal == 5*epsilon, "cost", cost.Body)

	for try := range 2 {
		a, err := client.PostRewriteWithResponse(ctx, &oapi.PostRewriteParams{IdempotencyKey: &key}, oapi.RewriteRequest{Texts: texts, Epsilon: &epsilon, Account: &alice})
		check(err)
		want(a.JSON200 != nil && a.JSON200.Receipt != nil && a.JSON200.Results[0].Text != nil && a.JSON200.Results[1].Error != nil, "rewrite", a.Body)
		want((a.HTTPResponse.Header.Get("Idempotent-Replayed") == "true") == (try == 1), "rewrite says whether it was answered before", a.Body)
		spent = a.JSON200.Receipt.Cost.Epsilon
	}
	one(client, alice, spent)

	key = uuid.NewString()
	labels, values := []any{"late"}, []string{"late", "thanks"}
	for try := range 2 {
		a, err := client.PostSynthesizeWithResponse(ctx, &oapi.PostSynthesizeParams{IdempotencyKey: &key}, oapi.SynthesizeRequest{
			Records: []oapi.SynthesizeRecord{{Text: "My order has not arrived.", Labels: &labels}}, By: &[]oapi.SynthesizeColumn{{Name: "topic", Values: &values}},
			Epsilon: epsilon, Expect: 50, Account: &tickets,
		})
		check(err)
		want(a.JSON200 != nil && a.JSON200.Receipt != nil && a.JSON200.Claim.Unit == "record", "synthesize", a.Body)
		want((a.HTTPResponse.Header.Get("Idempotent-Replayed") == "true") == (try == 1), "synthesize says whether it was answered before", a.Body)
	}
	one(client, tickets, epsilon)

	var five oapi.ExplainRequest_Parameters_AdditionalProperties
	check(five.FromExplainRequestParameters0(5))
	words, top := []string{"doctor"}, int64(3)
	explained, err := client.PostExplainWithResponse(ctx, oapi.ExplainRequest{Words: &words, Epsilon: &epsilon, Top: &top,
		Parameters: &map[string]oapi.ExplainRequest_Parameters_AdditionalProperties{"neighbours": five}})
	check(err)
	want(explained.JSON200 != nil && len(*explained.JSON200.Words) == 1 && len((*explained.JSON200.Words)[0].Outputs) == 3, "explain", explained.Body)

	// Exact figures of an exhausted budget come in the problem document.
	epsilon = 30
	refused, err := client.PostRewriteWithResponse(ctx, nil, oapi.RewriteRequest{Texts: texts, Epsilon: &epsilon, Account: &alice})
	check(err)
	p := refused.ApplicationproblemJSON403
	want(p != nil && p.Type == "budget-exhausted" && p.Remaining != nil && p.Cost.Epsilon == 150, "an exhausted budget", refused.Body)
	fmt.Println("oapi-codegen: cost, rewrite, synthesize, explain, accounts and a refusal; a retry is charged once")
}

// one checks that an account paid one charge.
func one(client *oapi.ClientWithResponses, account string, epsilon float64) {
	a, err := client.GetAccountsIdWithResponse(context.Background(), account)
	check(err)
	want(a.JSON200 != nil && a.JSON200.Charges == 1 && a.JSON200.Spent.Epsilon == epsilon, account+" paid one charge", a.Body)
}

func want(ok bool, what string, body []byte) {
	if !ok {
		log.Fatalf("%s: the client got %s", what, body)
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// Program ogen uses the client that ogen makes, which refuses answers that do not fit the
// document. Arguments: the service's address and a key that may charge the accounts bob
// and letters.
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/go-faster/jx"
	"github.com/google/uuid"
	"github.com/sotto-dp/sotto/scripts/clients/go/ogenc"
)

type bearer struct{}

func (bearer) Key(context.Context, ogenc.OperationName, *ogenc.Client) (ogenc.Key, error) {
	return ogenc.Key{Token: os.Args[2]}, nil
}

func main() {
	log.SetFlags(0)
	client, err := ogenc.NewClient(os.Args[1], bearer{})
	check(err)
	ctx := context.Background()
	texts := []ogenc.NilString{ogenc.NewNilString("my doctor in Boston agreed")}
	cost, err := client.PostCost(ctx, &ogenc.CostRequest{Texts: texts, Epsilon: ogenc.NewOptNilFloat64(2.5), Account: ogenc.NewOptString("bob"), Fast: ogenc.NewOptBool(true)})
	check(err)
	want[*ogenc.CostResponseHeaders](cost)

	key := ogenc.NewOptString(uuid.NewString())
	for try := range 2 {
		a, err := client.PostRewrite(ctx, &ogenc.RewriteRequest{Texts: texts, Epsilon: ogenc.NewOptNilFloat64(2.5), Account: ogenc.NewOptString("bob"), Report: ogenc.NewOptBool(true)},
			ogenc.PostRewriteParams{IdempotencyKey: key})
		check(err)
		if got := want[*ogenc.RewriteResponseHeaders](a); got.IdempotentReplayed.Set != (try == 1) || !got.XRequestID.Set {
			log.Fatalf("rewrite %d has the headers %+v", try, got)
		}
	}
	one(client, "bob")

	key = ogenc.NewOptString(uuid.NewString())
	for try := range 2 {
		a, err := client.PostSynthesize(ctx, &ogenc.SynthesizeRequest{Records: []ogenc.SynthesizeRecord{{Text: jx.Raw(`"My order has not arrived."`)}}, Epsilon: 2.5, Expect: 50,
			Account: ogenc.NewOptString("letters"), Report: ogenc.NewOptBool(true)}, ogenc.PostSynthesizeParams{IdempotencyKey: key})
		check(err)
		if got := want[*ogenc.SynthesizeResponseHeaders](a); got.IdempotentReplayed.Set != (try == 1) {
			log.Fatalf("synthesize %d has the headers %+v", try, got)
		}
	}
	one(client, "letters")

	explained, err := client.PostExplain(ctx, &ogenc.ExplainRequest{Words: []string{"doctor"}, Epsilon: ogenc.NewOptNilFloat64(2.5)})
	check(err)
	want[*ogenc.ExplainResponseHeaders](explained)
	catalogue, err := client.GetMechanisms(ctx)
	check(err)
	want[*ogenc.MechanismsResponseHeaders](catalogue)
	ready, err := client.GetReadyz(ctx)
	check(err)
	fmt.Printf("ogen: cost, rewrite, synthesize, explain, accounts, mechanisms, %T; a retry is charged once\n", ready)
}

// one checks that an account paid one charge.
func one(client *ogenc.Client, account string) {
	a, err := client.GetAccountsID(context.Background(), ogenc.GetAccountsIDParams{ID: account})
	check(err)
	if got := want[*ogenc.AccountResponseHeaders](a); got.Response.Charges != 1 {
		log.Fatalf("%s paid %d charges", account, got.Response.Charges)
	}
}

func want[T any](answer any) T {
	got, ok := answer.(T)
	if !ok {
		log.Fatalf("the client got %T: %+v", answer, answer)
	}
	return got
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

package server_test

import (
	"encoding/json"
	"testing"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/server"
	"github.com/sotto-dp/sotto/privacy/identity"
)

// The report of an answer is of its texts, and of no others.
func TestReportsOfAnswersIdentifyTheirTexts(t *testing.T) {
	r := start(t, server.Config{})
	for _, body := range []string{
		`{"texts":["doctor house river","","the order is late"],"epsilon":8,"report":true}`,
		`{"texts":["doctor house river","a house"],"epsilon":8,"consistent":true,"report":true}`,
		`{"texts":["doctor house river","a house"],"epsilon":8,"unit":"text","report":true}`,
	} {
		var answer struct {
			Results   []struct{ Text string }
			Statement struct{ Drawn identity.Drawn }
		}
		if err := json.Unmarshal([]byte(r.rewrite(body).want(t, 200, "").body), &answer); err != nil {
			t.Fatal(err)
		}
		var texts identity.Tally
		for _, one := range answer.Results {
			texts.AddText([]byte(one.Text))
		}
		if own := texts.Drawn(); own.Rows < 2 || answer.Statement.Drawn != own {
			t.Errorf("%s has a report of %+v, its texts are %+v", body, answer.Statement.Drawn, own)
		}
	}
}

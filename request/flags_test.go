package request_test

import (
	"flag"
	"io"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/request"
)

func TestFlagsAreFields(t *testing.T) {
	parse := func(arguments ...string) (request.Request, error) {
		var asked request.Request
		set := flag.NewFlagSet("", flag.ContinueOnError)
		set.SetOutput(io.Discard)
		request.AddFlags(set, &asked)
		set.VisitAll(func(f *flag.Flag) {
			if f.Usage == "" {
				t.Errorf("--%s has no description", f.Name)
			}
		})
		err := set.Parse(arguments)
		return asked, err
	}
	asked, err := parse("--epsilon", "8", "--words=300", "--consistent", "--insecure_seed", "7", "--param", "neighbours=20", "--param", "attack=0.5",
		"--outputs", "90", "--encoder_program", `a "b" \c ü`, "--type_epsilon", "person=2")
	if err != nil {
		t.Fatal(err)
	}
	values := asked.Values()
	if *asked.Epsilon != 8 || *asked.Words != 300 || !asked.Consistent || *asked.InsecureSeed != 7 || asked.EncoderProgram != `a "b" \c ü` ||
		len(values) != 3 || values["neighbours"] != "20" || values["outputs"] != "90" || asked.TypeEpsilon["person"] != 2 {
		t.Errorf("%+v, %v", asked, values)
	}
	for arguments, says := range map[string]string{
		"--epsilon=x": "must be a number", "--epsilon=null": "must be a number", "--words=1.5": "must be a whole number", "--insecure_seed=-1": "0 or more",
		"--consistent=maybe": "true or false", "--param=neighbours": "KEY=VALUE", "--corpus=": "empty", "--type_epsilon=person=x": "must be a number",
	} {
		if _, err := parse(arguments); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", arguments, err, says)
		}
	}
}

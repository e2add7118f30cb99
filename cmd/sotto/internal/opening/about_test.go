package opening

import "testing"

// Nothing but its giver declares a file of words public; a list that ships is.
func TestWordsOfAFileAreAssumedPublic(t *testing.T) {
	for name, assumed := range map[string]bool{"news": false, "words.tsv": true} {
		in := (&AboutFlag{About: name}).Inputs()
		if len(in) != 1 || in[0].Name != name || in[0].Assumed != assumed {
			t.Errorf("%s: %+v", name, in)
		}
	}
	if in := (&AboutFlag{}).Inputs(); in != nil {
		t.Errorf("no words: %+v", in)
	}
}

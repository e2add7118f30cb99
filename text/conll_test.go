package text

import (
	"errors"
	"reflect"
	"strings"
	"testing"
)

func TestTokensOfTaggedFilesAreFoundInTheirText(t *testing.T) {
	data := "-DOCSTART- -X- O O\n\nAnna NNP B-PER\nMiller NNP I-PER\n, , O\nZoë B-PER\nin O\nNew I-LOC\nYork I-LOC\n's O\nParis B-LOC\n\n\nOn O\n3 B-DATE\nMay E-DATE\nIBM U-ORG\nSAP S-ORG\nX ORG\n4 ID-NUMBER\n2 ID-NUMBER\n"
	all, err := ReadTagged([]byte(data))
	if err != nil || len(all) != 2 {
		t.Fatalf("%d records (%v)", len(all), err)
	}
	for i, want := range []string{"[Anna  Miller|PER], [Zoë|PER] in [New York|LOC]'s\t[Paris|LOC]", "On [3 May|DATE] [IBM|ORG] [SAP|ORG] [X|ORG] [4 2|ID-NUMBER]"} {
		plain := want
		for _, sign := range []string{"[", "]", "|PER", "|LOC", "|DATE", "|ORG", "|ID-NUMBER"} {
			plain = strings.ReplaceAll(plain, sign, "")
		}
		spans, err := all[i].Spans([]byte(plain))
		runes, got, at := []rune(plain), "", 0
		for _, s := range spans {
			got += string(runes[at:s.Start]) + "[" + string(runes[s.Start:s.End]) + "|" + s.Type + "]"
			at = s.End
		}
		if got += string(runes[at:]); err != nil || got != want {
			t.Errorf("%q, must be %q (%v)", got, want, err)
		}
	}
	var wrong *TokenError
	for text, token := range map[string]int{"Anna Müller, Zoë in New York's Paris": 2, "Anna Miller, Zoë in New York's Paris again": 10, "": 1} {
		if _, err := all[0].Spans([]byte(text)); !errors.As(err, &wrong) || wrong.Token != token || strings.Contains(err.Error(), "Miller") {
			t.Errorf("%q: %v, must be token %d", text, err, token)
		}
	}
	for _, bad := range []string{"Anna\n", "Anna B-PER\nMiller\n", "Ann\xff B-PER\n"} {
		if _, err := ReadTagged([]byte(bad)); err == nil || strings.Contains(err.Error(), "Ann") {
			t.Errorf("%q: %v", bad, err)
		}
	}
	if all, err := ReadTagged(nil); err != nil || !reflect.DeepEqual(all, []Tagged(nil)) {
		t.Errorf("%v %v", all, err)
	}
}

func TestTypesOfSpansAreReadFromEachDetectorsForm(t *testing.T) {
	for data, want := range map[string]string{
		`[{"entity_type":"PERSON","start":0,"end":4,"score":0.85,"analysis_explanation":null,"recognition_metadata":{"recognizer_name":"SpacyRecognizer"}}]`: "PERSON",
		`{"text":"Anna","ents":[{"start":0,"end":4,"label":"PERSON"}],"tokens":[]}`:                                                                          "PERSON",
		`[{"start":0,"end":4,"text":"Anna","label":"person","score":0.98}]`:                                                                                  "person",
		`[{"entity_group":"PER","score":0.99,"word":"Anna","start":0,"end":4}]`:                                                                              "PER",
		`[{"start":0,"end":4,"type":"NAME"}]`:                                                                                                                "NAME",
		`[{"start":0,"end":4}]`:                                                                                                                              "",
		`[{"start":0,"end":4,"label":7}]`:                                                                                                                    "",
		`[{"start":0,"end":4,"label":null,"type":"NAME"}]`:                                                                                                   "",
	} {
		spans, err := ReadSpans([]byte(data))
		if err != nil || len(spans) != 1 || spans[0] != (Span{0, 4, want}) {
			t.Errorf("%s: %+v (%v)", data, spans, err)
		}
	}
}

package strictjson_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/sotto-dp/sotto/internal/strictjson"
)

func TestExactRefusesNamesInAnotherCase(t *testing.T) {
	type deep struct {
		Score float64 `json:"score"`
	}
	type Hidden struct {
		Words *int `json:"words"`
		Kind  string
	}
	type request struct {
		Words []string `json:"words"`
		*Hidden
		List   []deep            `json:"list"`
		Named  map[string]deep   `json:"named"`
		Values map[string]string `json:"values"`
		Raw    json.RawMessage   `json:"raw"`
		Own    string            `json:"-"`
	}
	for data, want := range map[string]error{
		`{"words":["Words"],"Kind":"a","list":[{"score":1}],"named":{"Words":{"score":1}},"values":{"Words":"x","score":"y"}}`: nil,
		`{"raw":{"Words":1,"Score":2},"unknown":{"Words":1}}`:                                                                  nil,
		`{"Words":[]}`:                       strictjson.ErrName,
		`{"kind":"a"}`:                       strictjson.ErrName,
		`{"list":[{"score":1},{"Score":1}]}`: strictjson.ErrName,
		`{"named":{"a":{"SCORE":1}}}`:        strictjson.ErrName,
		`{"word` + "\u017f" + `":[]}`:        strictjson.ErrName, // the long s
		`{"words":[],"Words":[]}`:            strictjson.ErrTwice,
		`{"values":{"a":"x","a":"y"}}`:       strictjson.ErrTwice,
		`{"raw":{"a":1,"A":2}}`:              strictjson.ErrTwice,
		`{"unknown":[{"a":1,"a":2}]}`:        strictjson.ErrTwice,
		`{} {}`:                              strictjson.ErrTwice,
	} {
		if err := strictjson.Exact([]byte(data), &request{}); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", data, err, want)
		}
	}
}

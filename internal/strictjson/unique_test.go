package strictjson_test

import (
	"testing"

	"github.com/sotto-dp/sotto/internal/strictjson"
)

func TestUniqueRefusesKeysThatOccurTwice(t *testing.T) {
	for _, good := range []string{
		`{}`, `[]`, `1`, ` {"a": 1, "b": {"a": [1, {"a": 2}, {"a": 3}]}} `, `{"a": "a", "b": "a"}`, `[{"a": {}}, {"a": []}]`,
	} {
		if err := strictjson.Unique([]byte(good)); err != nil {
			t.Errorf("%s: %v", good, err)
		}
	}
	for _, bad := range []string{
		``, `{`, `{"a": 1, "a": 1}`, `{"a": 1, "A": 2}`, `{"b": {"a": 1, "c": [], "a": 1}}`, `[{"a": {}, "a": {}}]`, `{} {}`, `{} x`, `{"a": 1}]`,
		`{"k": 1, "` + "\u212a" + `": 2}`, `{"s": 1, "` + "\u017f" + `": 2}`, // the Kelvin sign and the long s
	} {
		if strictjson.Unique([]byte(bad)) == nil {
			t.Errorf("%s is taken", bad)
		}
	}
}

package release

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/sotto-dp/sotto"
	runs "github.com/sotto-dp/sotto/run"
)

// beside are the flags of rewrite that do not change what is drawn. Any other flag, one that
// is added later too, makes a run with another value another run.
var beside = []string{"File", "Output", "Resume", "Again", "Report", "require_certificate", "Workers", "ledger", "Errors", "JSON", "Quiet"}

// runSettings returns the settings of a run, which its record publishes: all that its draws
// depend on but the inputs. The names and contents of files that flags name are there as a
// digest.
func (c *RewriteCmd) runSettings(r *sotto.Rewriter) ([]byte, error) {
	flags, err := c.flagsDigest()
	if err != nil {
		return nil, err
	}
	statement, err := r.RunSettings()
	if err != nil {
		return nil, err
	}
	return json.Marshal(struct {
		Statement  json.RawMessage `json:"statement"`
		Format     string          `json:"format"`
		Fields     []string        `json:"fields"`
		Invalid    string          `json:"invalid"`
		Consistent bool            `json:"consistent"`
		Account    string          `json:"account"`
		Seed       *uint64         `json:"insecure_seed"`
		Flags      string          `json:"flags_sha256"`
	}{statement, c.Format, c.Field, c.Invalid, c.Consistent, c.Account, c.InsecureSeed, flags})
}

// flagsDigest returns the SHA-256 of all flags but those of beside, and of the files that
// they name. A map of values grows with the run, so only its name counts.
func (c *RewriteCmd) flagsDigest() (string, error) {
	data, err := json.Marshal(c)
	if err != nil {
		return "", err
	}
	var flags map[string]any
	if err := json.Unmarshal(data, &flags); err != nil {
		return "", err
	}
	for _, name := range beside {
		delete(flags, name)
	}
	h := sha256.New()
	if err := json.NewEncoder(h).Encode(flags); err != nil { // sorted
		return "", err
	}
	delete(flags, "keep_map")
	for _, name := range stringsIn(flags) {
		sum, err := sumIfFile(name)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(h, "%d %s %s\n", len(name), name, sum)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// stringsIn returns the strings of a JSON value, and what stands after the first = of each.
func stringsIn(v any) (all []string) {
	switch v := v.(type) {
	case string:
		all = append(all, v)
		if _, value, ok := strings.Cut(v, "="); ok {
			all = append(all, value)
		}
	case []any:
		for _, one := range v {
			all = append(all, stringsIn(one)...)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			all = append(all, stringsIn(v[key])...)
		}
	}
	return all
}

// sumIfFile returns the SHA-256 of a file, empty if there is no regular file of this name.
func sumIfFile(name string) (string, error) {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return "", nil
	}
	return runs.Local{}.Sum(context.Background(), name)
}

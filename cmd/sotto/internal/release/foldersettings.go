package release

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	runs "github.com/sotto-dp/sotto/run"
)

// beside are the flags of rewrite that do not change what is drawn. Any other flag, one that
// is added later too, makes a run with another value another run.
var beside = []string{"File", "Output", "Resume", "Again", "Report", "require_certificate", "Workers", "ledger", "Errors", "JSON", "Quiet"}

// runSettings returns the settings of a run, which its record publishes, and its private
// settings: together all that its draws depend on but the inputs. The flags, and the names and
// contents of files that they name, are private: --spans has words of the texts.
func (c *RewriteCmd) runSettings(r *sotto.Rewriter) (settings, private []byte, err error) {
	if private, err = c.flagsDigest(); err != nil {
		return nil, nil, err
	}
	statement, err := r.RunSettings()
	if err != nil {
		return nil, nil, err
	}
	settings, err = json.Marshal(struct {
		Statement  json.RawMessage `json:"statement"`
		Format     string          `json:"format"`
		Fields     []string        `json:"fields"`
		Invalid    string          `json:"invalid"`
		Consistent bool            `json:"consistent"`
		Account    string          `json:"account"`
		Seed       *uint64         `json:"insecure_seed"`
	}{statement, c.Format, c.Field, c.Invalid, c.Consistent, c.Account, c.InsecureSeed})
	return settings, private, err
}

// flagsDigest returns the SHA-256 of all flags but those of beside, and of the files that
// they name. A map of values grows with the run, so only its name counts.
func (c *RewriteCmd) flagsDigest() ([]byte, error) {
	data, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	var flags map[string]any
	if err := json.Unmarshal(data, &flags); err != nil {
		return nil, err
	}
	for _, name := range beside {
		delete(flags, name)
	}
	h := sha256.New()
	if err := json.NewEncoder(h).Encode(flags); err != nil { // sorted
		return nil, err
	}
	besides := func(field reflect.StructField) bool {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		return slices.Contains(beside, cmp.Or(name, field.Name))
	}
	for _, name := range cli.FilesRead(c, besides) { // what a library has of a name, the statement has
		sum, err := sumIfFile(name)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(h, "%d %s %s\n", len(name), name, sum)
	}
	return h.Sum(nil), nil
}

// sumIfFile returns the SHA-256 of a file, empty if there is no regular file of this name.
func sumIfFile(name string) (string, error) {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return "", nil
	}
	return runs.Local{}.Sum(context.Background(), name)
}

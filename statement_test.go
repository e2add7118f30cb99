package sotto_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/internal/stage"
)

// The fields of a cap come first, among the statement's own, and are absent without a
// cap.
func TestStatementHasTheFieldsOfItsCapAmongItsOwn(t *testing.T) {
	plain, err := sotto.Open(t.Context(), sotto.Config{Epsilon: 2})
	if err != nil {
		t.Fatal(err)
	}
	capped, err := sotto.Open(t.Context(), sotto.Words{Cap: sotto.Cap{Epsilon: 6, Tokens: 4, Over: sotto.Clamp}})
	if err != nil {
		t.Fatal(err)
	}
	counts := sotto.Counts{Documents: 2, Tokens: 9, ClampedDocuments: 1, ClampedTokens: 2}
	own := []string{"mechanism", "parameters", "given", "claim", "standing", "certificate", "embeddings", "documents", "tokens", "unknown_tokens",
		"document_tokens_max", "draws", "document_epsilon_max", "document_delta_max", "not_protected", "randomness", "version"}
	ofCap := []string{"document_epsilon_cap", "document_epsilon", "document_delta", "document_tokens_cap", "document_composition", "document_over", "clamped_documents", "clamped_tokens"}
	for _, c := range []struct {
		s    sotto.Statement
		want []string
	}{{plain.Statement(counts), own}, {capped.Statement(counts), append(slices.Clone(ofCap), own...)}} {
		data, err := json.Marshal(c.s)
		if err != nil {
			t.Fatal(err)
		}
		if got := keysOf(t, data); !slices.Equal(got, c.want) {
			t.Errorf("the fields are %q, want %q", got, c.want)
		}
		var back sotto.Statement
		if err := json.Unmarshal(data, &back); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(back.Cap, c.s.Cap) || back.Mechanism != c.s.Mechanism || *back.Tokens != *c.s.Tokens {
			t.Errorf("%+v came back as %+v", c.s, back)
		}
	}
	if plain.Statement(counts).Cap != nil {
		t.Error("a statement without a cap has one")
	}
}

// keysOf lists the keys of a JSON object in order.
func keysOf(t *testing.T, data []byte) (keys []string) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(string(data)))
	if _, err := d.Token(); err != nil {
		t.Fatal(err)
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			t.Fatal(err)
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			t.Fatal(err)
		}
		keys = append(keys, key.(string))
	}
	return keys
}

// The fields of a nil embedded pointer panic, and embedding a type with its own
// MarshalJSON drops the other fields.
func TestNoExportedStructEmbedsAPointerOrAStatement(t *testing.T) {
	stage.Unraced(t)
	structs := 0
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name() == "internal" || d.Name() == "node_modules" || strings.HasPrefix(d.Name(), ".") && name != "."):
			return filepath.SkipDir
		case !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			exported := ""
			if spec, ok := n.(*ast.TypeSpec); ok && spec.Name.IsExported() {
				exported = spec.Name.Name
				n = spec.Type
			}
			s, ok := n.(*ast.StructType)
			if !ok {
				return true
			}
			structs++
			for _, f := range s.Fields.List {
				if len(f.Names) > 0 {
					continue
				}
				if _, ok := f.Type.(*ast.StarExpr); ok && exported != "" {
					t.Errorf("%s: %s embeds a pointer: its fields panic where it is nil", name, exported)
				}
				statement := false
				switch embedded := f.Type.(type) {
				case *ast.Ident:
					statement = file.Name.Name == "sotto" && embedded.Name == "Statement"
				case *ast.SelectorExpr:
					statement = embedded.Sel.Name == "Statement"
				}
				if statement && exported != "EmbedStatement" {
					t.Errorf("%s: a struct embeds a statement, whose JSON would be all of its own", name)
				}
			}
			return exported == ""
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if structs < 300 {
		t.Errorf("%d structs were looked at", structs)
	}
}

package house

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// elsewhere are the folders whose JSON is described elsewhere, or is not for users.
var elsewhere = map[string]string{
	"cmd/sotto/internal/server": "OpenAPI",
	"cmd/sotto/internal/worker": "between the Python package and its program",
	"cmd/sotto/internal/python": "between the Python package and its program",
	"attack/measured":           "OpenAPI",
	"request":                   "OpenAPI, and the flags",
	"run":                       "the record of a run, for the version that wrote it",
	"typed":                     "maps of --keep-map, for the program",
	"text/detect":               "the embedded patterns",
	"embedding":                 "files of tables and of other programs",
	"mechanism/internal":        "embedded calibrations",
	"internal":                  "not for users", "lab": "its own pages", "beam": "its own pages", "scripts": "not for users",
	"corpora": "built with the program", "tools": "not for users",
}

// stored are the other structs that only files of the program hold, or that are read and not written.
var stored = strings.Fields(`autoencoder.modelHead autoencoder.stateHead autoencoder.marks language.modelHead learn.modelFile
	learn.termsFile learn.Source learn.VectorSource corpus.Card corpus.EncoderCard corpus.AboutCard corpus.Field program.hello
	mechanism.keptFigure derived.released derived.releasedVectors
	statement.Reported provenance.Reported release.ReadWord release.runSettings`)

// fieldTable is a table of docs/reference/json.md with the structs that it describes.
var fieldTable = regexp.MustCompile(`<!-- fields: ([^>]*) -->\n((?:\|.*\n)+)`)

// quotedName is a name in the first column of a table.
var quotedName = regexp.MustCompile("`([^`]+)`")

// A field of JSON that the program writes is on the page of its command, or in the schema of reports, and
// the page has no others.
func TestFieldsOfJSONAreDescribed(t *testing.T) {
	page, err := os.ReadFile("docs/reference/json.md")
	if err != nil {
		t.Fatal(err)
	}
	structs := taggedStructs(t)
	inSchema := schemaProperties(t)
	described := map[string]bool{}
	for _, m := range fieldTable.FindAllStringSubmatch(string(page), -1) {
		want := map[string]bool{}
		for _, name := range strings.Fields(m[1]) {
			if structs[name] == nil {
				t.Errorf("json.md: there is no struct %s with fields in JSON", name)
			}
			described[name] = true
			for _, field := range structs[name] {
				want[field] = true
			}
		}
		have := map[string]bool{}
		for _, row := range strings.Split(strings.TrimSpace(m[2]), "\n")[2:] {
			for _, name := range quotedName.FindAllStringSubmatch(strings.Split(row, "|")[1], -1) {
				have[name[1]] = true
			}
		}
		for _, field := range slices.Sorted(maps.Keys(want)) {
			if !have[field] {
				t.Errorf("json.md: the table of %s lacks %q", m[1], field)
			}
		}
		for _, field := range slices.Sorted(maps.Keys(have)) {
			if !want[field] {
				t.Errorf("json.md: the table of %s has %q, which none of them has", m[1], field)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(structs)) {
		if described[name] || slices.Contains(stored, name) {
			continue
		}
		for _, field := range structs[name] {
			if !inSchema[field] {
				t.Errorf("%q of %s is neither in docs/reference/json.md nor in reports.schema.json", field, name)
			}
		}
	}
	for _, name := range stored {
		if structs[name] == nil {
			t.Errorf("%s is listed as a stored struct, and is none", name)
		}
	}
}

// taggedStructs returns the fields in JSON of the structs of the program, by package and name. A struct
// without a name, and a map of the keys of a document, have the name of the function.
func taggedStructs(t *testing.T) map[string][]string {
	found := map[string][]string{}
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		name = filepath.ToSlash(name)
		if err != nil {
			return err
		}
		if d.IsDir() {
			if elsewhere[name] != "" || d.Name() == "testdata" || name != "." && strings.HasPrefix(d.Name(), ".") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			return err
		}
		from := path.Base(path.Dir(name))
		if from == "." {
			from = "sotto"
		}
		for _, d := range file.Decls {
			addTagged(found, from, d)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(found) < 60 {
		t.Errorf("only %d structs were found", len(found))
	}
	return found
}

// addTagged adds the structs of a declaration.
func addTagged(found map[string][]string, from string, d ast.Decl) {
	function := ""
	if f, ok := d.(*ast.FuncDecl); ok {
		function = f.Name.Name
	}
	add := func(name, field string) {
		if name = from + "." + name; !slices.Contains(found[name], field) {
			found[name] = append(found[name], field)
		}
	}
	var inspect func(n ast.Node, name string)
	inspect = func(n ast.Node, name string) {
		ast.Inspect(n, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.TypeSpec:
				inspect(n.Type, n.Name.Name)
				return false
			case *ast.StructType:
				for _, f := range n.Fields.List {
					if field := tagged(f); field != "" {
						add(name, field)
					}
				}
			case *ast.CompositeLit:
				if m, ok := n.Type.(*ast.MapType); ok && isAny(m.Value) {
					for _, e := range n.Elts {
						if pair, ok := e.(*ast.KeyValueExpr); ok {
							if key, ok := pair.Key.(*ast.BasicLit); ok && key.Kind == token.STRING {
								if field, _ := strconv.Unquote(key.Value); field == strings.ToLower(field) { // others are of templates
									add(name, field)
								}
							}
						}
					}
				}
			}
			return true
		})
	}
	inspect(d, function)
}

func isAny(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == "any"
}

// tagged returns the name of a field in JSON, empty if it has none of its own.
func tagged(f *ast.Field) string {
	if f.Tag == nil {
		return ""
	}
	tag, _ := strconv.Unquote(f.Tag.Value)
	if reflect.StructTag(tag).Get("group") != "" { // a flag
		return ""
	}
	name, _, _ := strings.Cut(reflect.StructTag(tag).Get("json"), ",")
	return strings.TrimPrefix(name, "-")
}

// schemaProperties returns the names of all fields of reports and certificates.
func schemaProperties(t *testing.T) map[string]bool {
	data, err := os.ReadFile("docs/reference/reports.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var schema any
	if err := json.Unmarshal(data, &schema); err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, e := range v {
				walk(e)
			}
		case map[string]any:
			if properties, ok := v["properties"].(map[string]any); ok {
				for name := range properties {
					found[name] = true
				}
			}
			for _, e := range v {
				walk(e)
			}
		}
	}
	walk(schema)
	return found
}

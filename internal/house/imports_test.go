package house

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Data flows one way. Each rule names a package, which of our packages it may import, and
// why. Packages below it follow its rule.
var importRules = []struct {
	pkg, why string
	may      []string
}{
	{"privacy", "claims must not depend on what is claimed about", []string{"privacy"}},
	{"noise", "samplers know nothing about words", []string{"internal/simd/chacha"}},
	{"progress", "reports know nothing about what is computed", nil},
	{"files", "what handles files knows nothing about what they hold", []string{"files"}},
	{"run", "a run knows which files are whole, and nothing about what is drawn", []string{"files", "noise", "run"}},
	{"internal/chart", "a chart knows nothing about what it shows", nil},
	{"embedding", "a vocabulary knows nothing about privacy", []string{"embedding", "files"}},
	{"mechanism", "mechanisms are configured from public data only: they see no text", []string{"privacy", "noise", "embedding", "mechanism"}},
	{"audit", "audits see mechanisms from outside", []string{"privacy", "noise", "embedding", "corpus", "mechanism", "audit"}},
	{"tune", "figures are of public data: tuning sees mechanisms and tables, never text", []string{"privacy", "embedding", "mechanism", "tune"}},
	{"estimate", "estimates see a channel and counts of its outputs, never text", []string{"privacy", "embedding", "mechanism", "estimate"}},
	{"learn", "a learner reads releases and public data, and no mechanism", []string{"privacy", "embedding", "text", "learn"}},
	{"text", "the pipeline sees a vocabulary and names of types, never a mechanism", []string{"embedding", "text", "typed", "files/compress"}},
	{"text/detect", "a detector sees one text, and knows names of types", []string{"text", "typed"}},
	{"text/tokenize", "a tokenizer sees a vocabulary and one text, no file and no format", []string{"embedding", "text/tokenize"}},
	{"corpus", "a codebook is public: it sees neither mechanisms nor ledgers", []string{"privacy", "embedding", "text", "files", "corpus"}},
	{"internal/writing", "what is sent to a language model cannot hold private text: it reads none", []string{"internal/writing"}},
	{"typed", "a codebook of values is public: it sees neither mechanisms nor texts", nil},
	{"synthesis", "counts of records know neither local mechanisms nor ledgers", []string{"privacy", "noise", "embedding", "corpus", "text", "language", "synthesis"}},
	{"autoencoder", "a model of language knows nothing about privacy", []string{"embedding", "text", "autoencoder"}},
	{"language", "a model of public text knows nothing about privacy, and reads no release", []string{"embedding", "text", "language"}},
	{"vectors", "a table of public text knows nothing about privacy, and reads no release", []string{"embedding", "text", "files", "vectors"}},
	{"restore", "a posterior is of releases and public data: it sees no text, file, pipeline or draw", []string{"privacy", "embedding", "mechanism", "language", "restore"}},
	{"attack", "an attack is of releases that it makes of the texts it is given: it sees no pipeline and no ledger", []string{"privacy", "noise", "embedding", "text", "mechanism", "language", "restore", "learn", "attack"}},
	{"evaluation", "an evaluation is of what came out, its report and public data: it sees no file and no private text", []string{"privacy", "corpus", "text", "mechanism", "synthesis", "statement", "attack", "audit", "tune", "evaluation"}},
	{"ledger", "a budget is counted without knowing what is drawn", []string{"privacy", "ledger"}},
	{"statement", "a statement follows from how a release was opened and from counts: it sees no text and draws nothing", []string{"privacy", "embedding", "corpus", "mechanism", "audit", "attack/measured", "statement"}},
	{"release", "the loop knows no unit: it sees batches, and what is stated of them", []string{"privacy", "noise", "embedding", "mechanism", "text", "statement", "release"}},
	{"request", "a request is data, and what opens it: it sees no text, no ledger and no draw", []string{"privacy", "embedding", "corpus", "mechanism", "audit", "autoencoder", "typed", ".", "request"}},
	{"internal/unit", "a unit knows its mechanism and the loop's contract, and no configuration", []string{"privacy", "noise", "embedding", "corpus", "autoencoder", "mechanism", "audit", "text", "typed", "statement", "release"}},
	{"internal/textcap", "a cap is of a mechanism over a table: it sees no text", []string{"privacy", "embedding", "mechanism", "statement", "release"}},
	{"cmd/sotto/internal/server", "the service is a front end: what it promises is sotto's and the ledger's", []string{"privacy", "embedding", "corpus", "mechanism", "audit", "tune", "autoencoder", "language", "text", "typed", "statement", "release", ".", "ledger", "synthesis", "attack/measured", "request", "cmd/sotto/internal/server"}},
	{"sottolog", "a log handler needs a rewriter and nothing else", []string{"privacy", "."}},
	{"sottohttp", "a middleware needs a rewriter, the fields of documents, and what puts values back", []string{"privacy", ".", "text", "typed"}},
	{"cmd", "commands may use everything", []string{""}},
}

type mechanismRule struct {
	pkg, why string
	may      []string
}

// Within mechanism the contract is below the engines, and the engines are below the
// catalogue. Each line names one package, not those below it.
var mechanismRules = []mechanismRule{
	{".", "the contract knows no engine and no member", nil},
	{"internal/cache", "a cache knows nothing about what it keeps", nil},
	{"internal/weight", "a weight is a function of a distance, whoever draws by it", nil},
	{"internal/parameters", "reading parameters needs their contract alone", []string{"."}},
	{"internal/shipped", "figures know nothing about who computes them", []string{"."}},
	{"internal/shipped/gen", "generates figures through the catalogue", []string{".", "catalog", "internal/sets", "internal/shipped"}},
	{"internal/metrics", "a distance knows no channel", []string{".", "internal/parameters"}},
	{"internal/channel", "rows by distance know no sets, no noise and no solver",
		[]string{".", "internal/parameters", "internal/cache", "internal/metrics", "internal/weight", "internal/shipped"}},
	{"internal/sets", "a channel of two levels knows no weights by distance",
		[]string{".", "internal/cache", "internal/shipped"}},
	{"internal/directions", "directions know no channel over them", nil},
	{"internal/codes", "codes and responses to their bits know no member", nil},
	{"internal/additive", "noise knows no channel", []string{".", "internal/parameters", "internal/metrics"}},
	{"packing", "a solver's channels know no sets, no noise and no member",
		[]string{".", "internal/parameters", "internal/metrics", "internal/weight", "internal/channel"}},
	{"catalog", "members know engines, and no engine knows a member",
		[]string{".", "internal/parameters", "internal/metrics", "internal/channel", "internal/sets", "internal/directions", "internal/codes", "internal/additive", "packing"}},
	{"mechanismtest", "the contract as a suite knows the contract alone", []string{"."}},
	{"internal/oracle", "what tests share knows the contract alone", []string{"."}},
}

func TestMechanismsImportPointOneWay(t *testing.T) {
	const module = module + "/mechanism"
	below := func(path string) string {
		return cmp.Or(strings.TrimPrefix(strings.TrimPrefix(path, module), "/"), ".")
	}
	left := slices.Clone(mechanismRules)
	for _, p := range packages(t, "mechanism") {
		name := below(p.ImportPath)
		at := slices.IndexFunc(mechanismRules, func(r mechanismRule) bool { return r.pkg == name })
		if at < 0 {
			t.Errorf("mechanism/%s has no rule", name)
			continue
		}
		rule := mechanismRules[at]
		left = slices.DeleteFunc(left, func(r mechanismRule) bool { return r.pkg == name })
		for _, imported := range p.Imports {
			if strings.HasPrefix(imported, module) && !slices.Contains(rule.may, below(imported)) {
				t.Errorf("mechanism/%s imports mechanism/%s: %s", name, below(imported), rule.why)
			}
		}
		for _, may := range rule.may {
			if !slices.Contains(p.Imports, strings.TrimSuffix(module+"/"+may, "/.")) {
				t.Errorf("mechanism/%s may import mechanism/%s and does not: take it off the list", name, may)
			}
		}
	}
	for _, l := range left {
		t.Errorf("the rule for mechanism/%s applies to no package", l.pkg)
	}
}

// Drivers are linked only through their stores and formats: a program that opens no
// ledger and reads no Parquet links none.
var driverRules = []struct {
	driver string
	only   []string
}{
	{"modernc.org/sqlite", []string{"ledger/sqlite", "ledger/open"}},
	{"github.com/jackc/pgx", []string{"ledger/postgres", "ledger/open"}},
	{"github.com/parquet-go/parquet-go", []string{"text/parquet"}},
}

func TestDriversStayBehindTheirStores(t *testing.T) {
	linked := map[string]bool{}
	for _, p := range packages(t, "") {
		name := p.path()
		for _, rule := range driverRules {
			depends := slices.ContainsFunc(p.Deps, func(dep string) bool { return dep == rule.driver || strings.HasPrefix(dep, rule.driver+"/") })
			linked[rule.driver] = linked[rule.driver] || depends
			if depends && !allowed(name, append([]string{"cmd", "scripts"}, rule.only...)) {
				t.Errorf("%s links %s: only %v and the commands may", name, rule.driver, rule.only)
			}
		}
	}
	for _, rule := range driverRules {
		if !linked[rule.driver] {
			t.Errorf("the rule for %s applies to no package", rule.driver)
		}
	}
}

// What asks language models is used by one package, whose command takes public input alone.
func TestModelsAreAskedByOnePackage(t *testing.T) {
	const asks, only = module + "/internal/writing", "cmd/sotto/internal/corpora"
	users := 0
	for _, p := range packages(t, "") {
		if !slices.Contains(p.Imports, asks) {
			continue
		}
		if users++; p.path() != only {
			t.Errorf("%s imports internal/writing: only %s may", p.path(), only)
		}
	}
	if users == 0 {
		t.Error("nothing imports internal/writing")
	}
}

func TestImportsPointOneWay(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range packages(t, "") {
		name := p.path()
		for _, rule := range importRules {
			if name != rule.pkg && !strings.HasPrefix(name, rule.pkg+"/") {
				continue
			}
			seen[rule.pkg] = true
			for _, imported := range p.Imports {
				ours, ok := strings.CutPrefix(imported, module)
				if !ok || allowed(cmp.Or(strings.TrimPrefix(ours, "/"), "."), rule.may) {
					continue
				}
				t.Errorf("%s imports %s: %s", name, imported, rule.why)
			}
		}
	}
	for _, rule := range importRules {
		if !seen[rule.pkg] {
			t.Errorf("the rule for %s applies to no package", rule.pkg)
		}
	}
}

// Anyone can configure a mechanism, including a stranger at a service, so mechanisms read
// files through mechanism.Spec.Open only. None of their packages may open a file in
// another way.
func TestMembersOpenNoFiles(t *testing.T) {
	forbidden := []string{"os", "os/exec", "io/ioutil", "syscall", "net", "net/http", "plugin", "unsafe", "golang.org/x/sys/windows"}
	opens := exportedBesideOS(t, "embedding")
	if !slices.Contains(opens, "Open") {
		t.Fatalf("embedding opens files in %q", opens)
	}
	files := 0
	for _, p := range packages(t, "mechanism") {
		if p.Name == "main" || p.Name == "oracle" { // generators, and packages that only tests link
			continue
		}
		for _, name := range p.files() {
			files++
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, imported := range file.Imports {
				path, _ := strconv.Unquote(imported.Path.Value)
				if slices.Contains(forbidden, path) || imported.Name != nil && imported.Name.Name == "." {
					t.Errorf("%s imports %s: members read files through Spec.Open alone", name, path)
				}
			}
			ast.Inspect(file, func(n ast.Node) bool {
				s, ok := n.(*ast.SelectorExpr)
				if !ok {
					return true
				}
				pkg, ok := s.X.(*ast.Ident)
				if !ok {
					return true
				}
				mapping := []string{"Mmap", "Munmap", "PROT_READ", "MAP_SHARED"}
				if pkg.Name == "embedding" && slices.Contains(opens, s.Sel.Name) || pkg.Name == "unix" && !slices.Contains(mapping, s.Sel.Name) {
					t.Errorf("%s uses %s.%s: members read files through Spec.Open alone", name, pkg.Name, s.Sel.Name)
				}
				return true
			})
		}
	}
	if files < 50 {
		t.Errorf("%d files were looked at", files)
	}
}

// exportedBesideOS lists the exported functions of a package's files that import os.
func exportedBesideOS(t *testing.T, dir string) (names []string) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, "_test.go") || !slices.ContainsFunc(file.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == `"os"` }) {
			continue
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.IsExported() {
				names = append(names, f.Name.Name)
			}
		}
	}
	return names
}

// Log lines can leak text, so only the logging packages may log.
func TestNoLibraryLogs(t *testing.T) {
	for _, p := range packages(t, "") {
		name := p.path()
		if slices.Contains(p.Imports, "log/slog") && !slices.Contains([]string{"sottolog", "cmd/sotto/internal/server", "cmd/sotto/internal/server/gate", "cmd/sotto/internal/serving"}, name) {
			t.Errorf("%s imports a logger", name)
		}
	}
}

// rooms are the packages of the command sotto, in order: each may import those before it.
var rooms = []string{"cli", "opening", "charging", "grammar", "release", "models", "corpora", "auditing", "derived", "look", "risk", "evaluating", "budget", "serving", "python"}

func TestRoomsOfTheCommandImportOneWay(t *testing.T) {
	const within = "cmd/sotto/internal/"
	seen := 0
	for _, p := range packages(t, "") {
		name, ours := strings.CutPrefix(p.path(), within)
		if !ours {
			continue
		}
		at := slices.Index(rooms, name)
		if at >= 0 {
			seen++
		}
		for _, imported := range p.Imports {
			room, ours := strings.CutPrefix(imported, "github.com/sotto-dp/sotto/"+within)
			if to := slices.Index(rooms, room); ours && to >= at && (at >= 0 || to >= 0) {
				t.Errorf("%s imports %s: a room imports the rooms before it", name, room)
			}
		}
	}
	if seen != len(rooms) {
		t.Errorf("%d of %d rooms are there", seen, len(rooms))
	}
}

func TestOnlyCommandsServe(t *testing.T) {
	const server = module + "/cmd/sotto/internal/server"
	served := false
	for _, p := range packages(t, "") {
		name := p.path()
		if !slices.Contains(p.Imports, server) {
			continue
		}
		served = true
		if !allowed(name, []string{"cmd", "scripts"}) {
			t.Errorf("%s imports server: nothing but the commands may", name)
		}
	}
	if !served {
		t.Error("no command imports server")
	}
}

// allowed reports whether a rule permits an import. Packages of internal and progress
// import none of ours, so they are allowed where anything is.
func allowed(name string, may []string) bool {
	for _, m := range may {
		if m == "" || name == m || strings.HasPrefix(name, m+"/") || strings.HasPrefix(name, "internal/") || name == "progress" {
			return true
		}
	}
	return false
}

package cli

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sotto-dp/sotto/files/compress"
	"github.com/sotto-dp/sotto/text"
	"github.com/sotto-dp/sotto/text/parquet"
)

// A foreign kind of file is known by its name and not read. The name decides and never what
// the file holds: an error that a text could cause would reveal it.
type foreign struct {
	extensions []string
	what       string
	convert    string // a command line that makes a file which is read; FILE and BASE are replaced by names
}

// source is for kinds that are text but no prose.
const source = "if each line of it is a text all the same, say so with --format lines"

var foreigners = []foreign{
	{[]string{".xlsx", ".xlsm", ".xls", ".ods"}, "a spreadsheet", "libreoffice --headless --convert-to csv FILE"},
	{[]string{".docx", ".odt", ".rtf", ".epub"}, "a document", "pandoc --wrap none -t plain -o BASE.txt FILE"},
	{[]string{".doc", ".ppt", ".pptx", ".odp"}, "a document", "libreoffice --headless --convert-to txt FILE"},
	{[]string{".pdf"}, "a PDF document", "pdftotext FILE BASE.txt"},
	{[]string{".html", ".htm", ".xhtml"}, "a web page", "pandoc --wrap none -f html -t plain -o BASE.txt FILE"},
	{[]string{".eml"}, "an e-mail", `python3 -c "import email, email.policy as p, sys; print(email.message_from_binary_file(open(sys.argv[1], 'rb'), policy=p.default).get_body(('plain', 'html')).get_content())" FILE > BASE.txt`},
	{[]string{".mbox"}, "a mailbox", `python3 -c "import email, email.policy as p, json, mailbox, sys; [print(json.dumps({'text': b.get_content()})) for m in mailbox.mbox(sys.argv[1]) if (b := email.message_from_bytes(m.as_bytes(), policy=p.default).get_body(('plain', 'html')))]" FILE > BASE.jsonl`},
	{[]string{".msg"}, "an e-mail of Outlook", "msgconvert FILE, and then the .eml file"},
	{[]string{".zip", ".tar", ".tgz", ".7z", ".rar"}, "an archive", "unpack it first"},
	{[]string{".bz2", ".xz", ".lzma", ".lz4", ".br", ".z"}, "a compressed file of another kind", "unpack it first, or compress it as .gz or .zst"},
	{[]string{".png", ".jpg", ".jpeg", ".gif", ".tif", ".tiff", ".bmp", ".webp", ".heic", ".dcm", ".wav", ".mp3", ".m4a", ".ogg", ".flac", ".mp4", ".mov"}, "an image or a recording", "write its text into a file first"},
	{[]string{".sqlite", ".sqlite3", ".db"}, "a database", `sqlite3 -json FILE "SELECT * FROM TABLE" > BASE.json`},
	{[]string{".arrow", ".feather", ".avro", ".orc", ".pkl", ".pickle", ".npy", ".npz", ".dta", ".sav", ".sas7bdat", ".rda", ".rds", ".mat", ".h5", ".hdf5"}, "a binary table", "write it as .parquet, .csv or .jsonl"},
	{[]string{".sql"}, "SQL", source},
	{[]string{".xml", ".svg", ".tex", ".rst", ".css"}, "markup", source},
	{[]string{".yaml", ".yml", ".toml", ".ini", ".ipynb"}, "structured data", source},
	{[]string{".go", ".py", ".c", ".h", ".cc", ".cpp", ".hpp", ".cs", ".java", ".kt", ".js", ".ts", ".rb", ".rs", ".php", ".sh", ".r", ".scala", ".swift"}, "source code", source},
}

func foreignTo(name string) *foreign {
	name = strings.ToLower(compress.Plain(name))
	if i := slices.IndexFunc(foreigners, func(f foreign) bool { return slices.Contains(f.extensions, filepath.Ext(name)) }); i >= 0 {
		return &foreigners[i]
	}
	return nil
}

// checkName refuses an input that the format of its name would read as what it is not.
func (c *FormatFlags) checkName(name string) error {
	if c.Delimiter != "" && c.FormatOf(name).Name != text.CSV.Name {
		return WrongUsage("", "--delimiter is for csv, and %s is read as %s", ShownInput(name), c.FormatOf(name))
	}
	if f := c.FormatOf(name); f.Seeks && compress.Plain(name) != name {
		return WrongUsage("unpack it first", "%s is compressed, and %s is read from its end (it is compressed within)", name, f)
	}
	f := foreignTo(name)
	if c.Format != "" || f == nil {
		return nil
	}
	base := strings.TrimSuffix(name, filepath.Ext(name))
	convert := strings.NewReplacer("FILE", InShell(name), "BASE.txt", InShell(base+".txt"), "BASE.jsonl", InShell(base+".jsonl"), "BASE.json", InShell(base+".json")).Replace(f.convert)
	if f.convert != source && strings.Contains(f.convert, "FILE") {
		convert = "convert it: " + convert
	}
	return WrongUsage(convert, "%s is %s, which is not read", name, f.what)
}

// CheckOutput refuses the name of an output that would be of another format than it says. in
// is the format of the input, which an output keeps; nil for one that the name chooses.
func CheckOutput(output string, in *text.Format) error {
	if f := foreignTo(output); f != nil {
		return WrongUsage("name it .csv, .tsv, .jsonl, .json, .parquet or .txt", "-o %s: %s is not written", output, f.what)
	}
	named := Formats.Of(output)
	if in == nil || named == text.Lines || named.Name == in.Name || output == "" {
		return nil
	}
	hint := "name it .txt"
	if len(in.Extensions) > 0 {
		hint = "name it " + in.Extensions[0] + ", and convert it afterwards"
	}
	return WrongUsage(hint, "-o %s: the output has the format of the input, which is %s", output, in)
}

// columnsHint names the columns that a file has, with those of a header only to a person at a
// terminal: a file without a header begins with a record, whose words no log may have.
func columnsHint(columns []string, named bool) string {
	if len(columns) == 0 {
		return ""
	}
	const most = 20
	hint := "run it in a terminal to see the columns"
	if named {
		shown := make([]string, 0, most)
		for _, c := range columns[:min(most, len(columns))] {
			shown = append(shown, fmt.Sprintf("%.60q", c))
		}
		hint = "the columns are " + strings.Join(shown, ", ")
		if left := len(columns) - most; left > 0 {
			hint += fmt.Sprintf(" and %d more", left)
		}
	}
	if len(columns) == 1 && !named {
		return hint + "; if another character separates them, name it with --delimiter"
	}
	for _, d := range []string{";", "|", "\t"} {
		if len(columns) == 1 && strings.Contains(columns[0], d) {
			hint += fmt.Sprintf("; if they are separated by %q, use --delimiter '%s'", d, strings.ReplaceAll(d, "\t", "tab"))
		}
	}
	return hint
}

// Formats are the formats of texts that the commands read.
var Formats = text.Formats(parquet.Format)

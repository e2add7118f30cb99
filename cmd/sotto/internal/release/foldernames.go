package release

import (
	"fmt"
	"os"
	"path"
	"path/filepath"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/files/paths"
	runs "github.com/sotto-dp/sotto/run"
)

// AlsoUses returns the files that a run writes into its folder, and the lock of its map.
func (c *RewriteCmd) AlsoUses() (uses []paths.Use) {
	if c.KeepMap != "" {
		uses = append(uses, paths.Use{Flag: "--keep-map", Name: cli.LockName(c.KeepMap), Writes: true})
	}
	if !cli.IsFolder(c.Output) {
		return uses
	}
	found, err := cli.Find(c.File)
	if err != nil {
		return uses // reported where the files are listed
	}
	uses = append(uses, paths.Use{Flag: "-o", Name: filepath.Join(c.Output, runs.LogName), Writes: true})
	seen := map[string]bool{runs.LogName: true} // equal names of inputs are refused later
	for _, f := range found {
		if !seen[f.Below] {
			seen[f.Below] = true
			uses = append(uses, paths.Use{Flag: "-o", Name: c.path(f.Below), Writes: true})
		}
	}
	return uses
}

// path returns the path of an output, whose name has slashes.
func (c *RewriteCmd) path(output string) string {
	return filepath.Join(c.Output, filepath.FromSlash(output))
}

// outputs returns the name of each file's output in the folder, and of each output its file. A
// name follows from the file and its pattern, never from which other files there are: a run that
// is continued has the same names.
func (c *RewriteCmd) outputs(files []string) (of, from map[string]string, err error) {
	for _, pattern := range c.File {
		if paths.Reaches(pattern, c.Output) {
			return nil, nil, cli.WrongUsage("give -o a folder outside of it", "-o %s is a folder that '%s' reads", c.Output, pattern)
		}
	}
	found, err := cli.Find(c.File)
	if err != nil {
		return nil, nil, err
	}
	below := map[string]string{}
	for _, f := range found {
		below[f.Name] = f.Below
	}
	of, from = map[string]string{}, map[string]string{}
	for _, name := range files {
		if name == "-" {
			return nil, nil, cli.WrongUsage("give -o FILE", "standard input cannot be written into the folder %s: it has no file name", c.Output)
		}
		output, ok := below[name]
		if !ok {
			return nil, nil, fmt.Errorf("%s: it is no longer there", name)
		}
		if other, ok := from[output]; ok {
			return nil, nil, cli.WrongUsage("name them by one pattern with **, such as 'notes/**/*.txt': its folders are kept", "%s and %s would both be written to %s", other, name, c.path(output))
		}
		if output == runs.LogName {
			return nil, nil, cli.WrongUsage("", "%s is a run record, not a text", name)
		}
		of[name], from[output] = output, name
	}
	for output, name := range from {
		for folder := path.Dir(output); folder != "."; folder = path.Dir(folder) {
			if other, ok := from[folder]; ok {
				return nil, nil, cli.WrongUsage("", "%s would be written to %s, and the folder of %s too", other, c.path(folder), name)
			}
		}
	}
	return of, from, nil
}

// makeFolders makes the folder of a run, and those within it with its rights.
func (c *RewriteCmd) makeFolders(outputs map[string]string) error {
	if err := os.MkdirAll(c.Output, 0o755); err != nil {
		return fmt.Errorf("%s: %w", c.Output, cli.PlainError(err))
	}
	info, err := os.Stat(c.Output)
	if err != nil {
		return fmt.Errorf("%s: %w", c.Output, cli.PlainError(err))
	}
	for output := range outputs {
		folder := filepath.Dir(c.path(output))
		if err := os.MkdirAll(folder, info.Mode().Perm()); err != nil {
			return fmt.Errorf("%s: %w", folder, cli.PlainError(err))
		}
	}
	return nil
}

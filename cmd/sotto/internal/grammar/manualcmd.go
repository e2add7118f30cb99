package grammar

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/alecthomas/kong"
	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/manual"
)

// ManualCmd prints manual pages for packages.
type ManualCmd struct {
	Date time.Time `format:"2006-01-02" default:"1970-01-01" placeholder:"YYYY-MM-DD" group:"output" help:"Date of the release."`
	Page string    `arg:"" optional:"" help:"Name of a page, such as sotto-rewrite.1 (default: list all names)."`
}

// Run prints one page, or the names of all.
func (c *ManualCmd) Run(term *cli.Terminal) error {
	model, err := Commands()
	if err != nil {
		return err
	}
	pages := ManualPages(model.Node)
	if c.Page == "" {
		_, err := fmt.Fprintln(term.Out, strings.Join(slices.Sorted(maps.Keys(pages)), "\n"))
		return err
	}
	write, ok := pages[c.Page]
	if !ok {
		return cli.WrongUsage("sotto manual lists all", "there is no page %q", c.Page)
	}
	return write(term.Out, c.Date)
}

// ManualPages returns what writes each page: one per command in section 1, one per topic
// in section 7.
func ManualPages(root *kong.Node) map[string]func(w io.Writer, date time.Time) error {
	pages := map[string]func(io.Writer, time.Time) error{}
	var add func(node *kong.Node)
	add = func(node *kong.Node) {
		name := manualName(node)
		pages[name+".1"] = func(w io.Writer, date time.Time) error {
			var see []string
			if node.Parent != nil {
				see = append(see, manualName(node.Parent))
			}
			for _, child := range node.Children {
				if !child.Hidden {
					see = append(see, manualName(child))
				}
			}
			slices.Sort(see)
			return pageOf(node).Mdoc(w, manual.Title{Name: name, Section: 1, Date: date, Version: sotto.Version}, see)
		}
		for _, child := range node.Children {
			if !child.Hidden {
				add(child)
			}
		}
	}
	add(root)
	for name, topic := range helpTopics {
		name = "sotto-" + name
		pages[name+".7"] = func(w io.Writer, date time.Time) error {
			return manual.Topic(w, manual.Title{Name: name, Section: 7, Date: date, Version: sotto.Version}, topic.purpose, topic.body())
		}
	}
	return pages
}

func manualName(node *kong.Node) string { return strings.ReplaceAll(node.FullPath(), " ", "-") }

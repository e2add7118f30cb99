package sotto

import (
	"embed"
	"strings"
)

// refutations embeds the notes of refuted mechanisms. A refuted mechanism without a note
// here has no finding, and a test fails.
//
//go:embed mechanism/catalog/*-published.md mechanism/catalog/truncated-gumbel.md
var refutations embed.FS

// finding reads from a refuted mechanism's note the published claim, the true one and the
// reason, in paragraphs.
func finding(member string) []string {
	note, err := refutations.ReadFile("mechanism/catalog/" + member + ".md")
	if err != nil {
		return nil
	}
	var paragraphs []string
	for _, section := range strings.Split(string(note), "\n## ") {
		title, text, _ := strings.Cut(section, "\n")
		if title != "Claim" && title != "Why it fails" {
			continue
		}
		for _, p := range strings.Split(strings.TrimSpace(text), "\n\n") {
			paragraphs = append(paragraphs, strings.Join(strings.Fields(p), " "))
		}
	}
	return paragraphs
}

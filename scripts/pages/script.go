package main

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
)

// A transcript is a command of a console block with the output that the page shows.
type transcript struct {
	line          int
	command, want string
}

// transcripts returns the commands of a console block: "$ " begins one, "> " continues it.
func (b block) transcripts() (all []transcript) {
	for i, line := range strings.Split(strings.TrimSuffix(b.text, "\n"), "\n") {
		if command, ok := strings.CutPrefix(line, "$ "); ok {
			all = append(all, transcript{line: b.line + i, command: command})
			continue
		}
		last := &all[len(all)-1]
		if more, ok := strings.CutPrefix(line, "> "); ok && last.want == "" {
			last.command += "\n" + more
		} else {
			last.want += line + "\n"
		}
	}
	return all
}

// script returns a page's commands for sh. It ends at the first command that fails and
// writes "page:line" to standard error. What transcript i prints goes to the file i in out.
// At the end it stops what the page left in the background.
func (p page) script(large, server bool, out string) (sh string, shown []transcript) {
	var s strings.Builder
	fmt.Fprintf(&s, `set -e
at=0
ends() {
	code=$?
	[ $code = 0 ] || echo "%[1]s:$at: exit status $code" >&2
	jobs -p >%[2]s/jobs # in $(...) some shells know of no job
	while read -r job; do kill $job 2>/dev/null || :; done <%[2]s/jobs
	wait
	exit $code
}
trap ends EXIT
`, p.name, out)
	for _, b := range p.blocks {
		switch {
		case !b.runs(large, server):
		case b.lang == "sh":
			fmt.Fprintf(&s, "at=%d\n%s", b.line, b.text)
		default:
			for _, t := range b.transcripts() {
				file := filepath.Join(out, fmt.Sprint(len(shown)))
				// A command that fails must print something, which the page then shows.
				fmt.Fprintf(&s, "at=%d\n( %s\n) >%s 2>&1 || [ -s %[3]s ]\n", t.line, t.command, file)
				shown = append(shown, t)
			}
		}
	}
	return s.String(), shown
}

// matches returns whether output is what a page shows. A line "..." of the page represents
// any lines.
func (t transcript) matches(got string) bool {
	parts := strings.Split("\n"+t.want, "\n...\n")
	for i, part := range parts {
		parts[i] = regexp.QuoteMeta(part)
	}
	return regexp.MustCompile(`\A` + strings.Join(parts, `\n(?s:.*\n)?`) + `\z`).MatchString("\n" + got)
}

// Package program builds the program that archives, packages and wheels of a release
// hold, so that it is the same in all of them.
package program

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// Commit returns the commit of the sources, marked if files differ from it. It is empty
// without a history.
func Commit(ctx context.Context) (string, error) {
	commit, err := exec.CommandContext(ctx, "git", "rev-parse", "HEAD").Output()
	if err != nil {
		return "", ctx.Err()
	}
	name := strings.TrimSpace(string(commit))
	changed, err := exec.CommandContext(ctx, "git", "status", "--porcelain").Output()
	if err != nil {
		return "", fmt.Errorf("git status: %w", err)
	}
	if len(changed) > 0 {
		name += "+modified"
	}
	return name, nil
}

// Build writes the program for a platform to a file. Its bytes depend on the sources, the
// commit and the version of Go alone: settings of the environment that change them are
// overruled.
func Build(ctx context.Context, file, system, arch, commit string) error {
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w -buildid= -X main.commit="+commit, "-o", file, "./cmd/sotto")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system, "GOARCH="+arch, "GOAMD64=v1", "GOFLAGS=")
	var messages strings.Builder
	cmd.Stderr = &messages
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("go build for %s/%s: %w\n%s", system, arch, err, messages.String())
	}
	return nil
}

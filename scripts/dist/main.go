// Command dist builds a release: for each platform an archive of the program, its manual pages and
// completions, and a bill of materials; Debian packages for Linux; and the provenance and
// the checksums of all files of the release in the folder, those of scripts/wheels included.
//
//	go run ./scripts/dist                            # all platforms, into dist/
//	go run ./scripts/dist -o FOLDER -platform linux/amd64
//
// The same commit and the same version of Go give the
// same bytes, in any folder and at any time.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"

	"github.com/sotto-dp/sotto/scripts/internal/program"
)

func main() {
	folder := flag.String("o", "dist", "write into this `folder`")
	builder := flag.String("builder", repository+"/tree/main/scripts/dist", "the `URI` of who builds, for the provenance")
	only := flag.String("platform", "", "build for this `OS/ARCH` alone")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	list := platforms
	if *only != "" {
		list = []string{*only}
	}
	if err := build(ctx, *folder, *builder, list); err != nil {
		fmt.Fprintln(os.Stderr, "dist:", err)
		os.Exit(1)
	}
}

func build(ctx context.Context, folder, builder string, list []string) error {
	scratch, err := os.MkdirTemp("", "dist-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	r, err := describe(ctx, folder, scratch)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for i, platform := range list {
		fmt.Printf("building %s, %d of %d\n", platform, i+1, len(list))
		if err := r.platform(ctx, scratch, platform); err != nil {
			return fmt.Errorf("%s: %w", platform, err)
		}
	}
	if err := r.provenance(ctx, builder, list); err != nil {
		return err
	}
	return checksums(folder, r.version)
}

// platform writes what one platform gets.
func (r *release) platform(ctx context.Context, scratch, platform string) error {
	system, arch, ok := strings.Cut(platform, "/")
	if !ok {
		return fmt.Errorf("a platform is OS/ARCH")
	}
	built := filepath.Join(scratch, "sotto-"+system+"-"+arch)
	if err := program.Build(ctx, built, system, arch, r.commit); err != nil {
		return err
	}
	data, err := os.ReadFile(built)
	if err != nil {
		return err
	}
	name := fmt.Sprintf("sotto_%s_%s_%s", r.version, system, arch)
	if err := r.bill(ctx, built, filepath.Join(r.folder, name+".sbom.json")); err != nil {
		return err
	}
	executable := "sotto"
	if system == "windows" {
		executable += ".exe"
	}
	files := append([]file{{executable, data, true}}, r.texts...)
	files = append(files, r.pages...)
	pack, extension := tarball, ".tar.gz"
	if system == "windows" {
		pack, extension = zipped, ".zip"
	}
	packed, err := pack(name, files, r.when)
	if err != nil {
		return err
	}
	if err := r.write(name+extension, packed); err != nil {
		return err
	}
	if system != "linux" {
		return nil
	}
	deb, err := r.debian(ctx, arch, data)
	if err != nil {
		return err
	}
	return r.write(fmt.Sprintf("sotto_%s_%s.deb", r.version, arch), deb)
}

// bill writes the bill of materials of a program: the modules that it is built from.
func (r *release) bill(ctx context.Context, program, name string) error {
	_, err := output(ctx, nil, filepath.Join(r.tools, "cyclonedx-gomod"), "bin", "-json", "-noserial", "-notimestamp", "-version", "v"+r.version, "-output", name, program)
	return err
}

// checksums writes the SHA-256 of the files of one version in a folder, as sha256sum checks
// them.
func checksums(folder, version string) error {
	files, err := digests(folder, version)
	if err != nil {
		return err
	}
	var b strings.Builder
	for _, f := range files {
		fmt.Fprintf(&b, "%s  %s\n", f.sum, f.name)
	}
	return os.WriteFile(filepath.Join(folder, "SHA256SUMS"), []byte(b.String()), 0o644)
}

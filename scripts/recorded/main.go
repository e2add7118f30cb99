// Command recorded runs about two hundred seeded commands with two builds of sotto, one of an earlier
// commit and one of the working tree, and compares everything that came out, byte for byte: standard
// output and error, exit codes and files. A restructuring passes when nothing differs.
//
//	go run ./scripts/recorded -base HEAD~1
//	go run ./scripts/recorded -base v1.0.0 -run 'rewrite/.*parquet' -v
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"sync"
)

func main() {
	base := flag.String("base", "HEAD", "commit whose build is compared with that of the working tree")
	run := flag.String("run", "", "compare only the cases that match this expression")
	list := flag.Bool("list", false, "print the cases and stop")
	verbose := flag.Bool("v", false, "print what differs")
	flag.Parse()
	if err := compare(*base, *run, *list, *verbose); err != nil {
		fmt.Fprintln(os.Stderr, "recorded:", err)
		os.Exit(1)
	}
}

func compare(base, run string, list, verbose bool) error {
	match, err := regexp.Compile(run)
	if err != nil {
		return err
	}
	var chosen []record
	for _, c := range records() {
		if match.MatchString(c.name) {
			chosen = append(chosen, c)
		}
	}
	if list {
		for _, c := range chosen {
			fmt.Println(c.name)
		}
		return nil
	}
	folder, err := os.MkdirTemp("", "recorded")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	before, after := filepath.Join(folder, "before"), filepath.Join(folder, "after")
	if err := build(base, before); err != nil {
		return err
	}
	if err := build("", after); err != nil {
		return err
	}

	differing := make([]string, len(chosen))
	var group sync.WaitGroup
	places := make(chan struct{}, runtime.NumCPU())
	for i, c := range chosen {
		group.Go(func() {
			places <- struct{}{}
			defer func() { <-places }()
			differing[i] = c.differ(before, after)
		})
	}
	group.Wait()
	n := 0
	for i, c := range chosen {
		if differing[i] == "" {
			continue
		}
		n++
		fmt.Println("DIFFERS", c.name)
		if verbose {
			fmt.Println(differing[i])
		}
	}
	fmt.Printf("%d cases, %d differ\n", len(chosen), n)
	if n > 0 {
		return fmt.Errorf("%d cases differ from %s", n, base)
	}
	return nil
}

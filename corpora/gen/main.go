// Command gen makes the texts of the fields that package corpus embeds, from their frames
// and lists, and states the digests of the corpora that they give.
//
//	go generate ./corpora/...
//
// The same frames and lists give the same texts and digests on every machine.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/zstd"

	"github.com/sotto-dp/sotto/corpora/internal/choose"
	"github.com/sotto-dp/sotto/corpora/internal/grammar"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/files/atomicfile"
)

//go:generate go run . -folder .. -o ../../corpus/fields

func main() {
	log.SetFlags(0)
	folder := flag.String("folder", "corpora", "folder of the fields")
	out := flag.String("o", "corpus/fields", "folder to write to")
	all := flag.Bool("all", false, "make also the fields whose frames and lists are those of the last run")
	flag.Parse()
	if err := run(*folder, *out, *all); err != nil {
		log.Fatal(err)
	}
}

func run(folder, out string, again bool) error {
	names, err := choose.Fields(os.DirFS(folder))
	if err != nil {
		return err
	}
	before, err := read(filepath.Join(out, "fields.json"))
	if err != nil {
		return err
	}
	var all []corpus.Field
	for _, name := range names {
		source, err := choose.Source(os.DirFS(folder), name)
		if err != nil {
			return err
		}
		if f, ok := before[name]; ok && f.Source == source && !again {
			all = append(all, f)
			continue
		}
		f, err := field(folder, out, name)
		if err != nil {
			return err
		}
		f.Source = source
		fmt.Printf("%s: %d texts, sha256 %s\n", name, f.Texts, f.SHA256)
		all = append(all, f)
	}
	data, err := json.MarshalIndent(all, "", "\t")
	if err != nil {
		return err
	}
	return atomicfile.WriteFile(filepath.Join(out, "fields.json"), append(data, '\n'))
}

// read returns the fields of an earlier run.
func read(path string) (map[string]corpus.Field, error) {
	data, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var all []corpus.Field
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	fields := map[string]corpus.Field{}
	for _, f := range all {
		fields[f.Name] = f
	}
	return fields, nil
}

// field writes the texts of a field and describes its corpus.
func field(folder, out, name string) (f corpus.Field, err error) {
	g, err := grammar.Read(os.DirFS(folder), name)
	if err != nil {
		return f, err
	}
	texts, err := choose.All(context.Background(), g)
	if err != nil {
		return f, fmt.Errorf("%s: %w", name, err)
	}
	f.Encoder = corpus.Joined
	if g.About("language") != "en" {
		f.Encoder = corpus.LSA // the embedded table is English
	}
	if kind := g.About("encoder"); kind != "" {
		f.Encoder = corpus.Kind(kind)
	}
	c, err := corpus.BuildField(name, f.Encoder, texts)
	if err != nil {
		return f, fmt.Errorf("%s: %w", name, err)
	}
	f.Builtin = corpus.Builtin{Name: name, Field: g.About("title"), Language: g.About("language"), Texts: c.Len(), SHA256: c.Digest()}
	f.File = c.FileDigest()
	var lines []byte
	for i := range c.Len() {
		lines = append(c.AppendText(lines, i), '\n')
	}
	w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithWindowSize(1<<22), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return f, err
	}
	return f, atomicfile.WriteFile(filepath.Join(out, name+".texts"), w.EncodeAll(lines, nil))
}

package main

import (
	"fmt"
	"strings"
)

// record is one run: commands in a folder of their own that holds the inputs.
type record struct {
	name  string
	steps []string
}

// refused adds a record of which a step fails. All steps of the others must succeed.
func refused(name string, add func(string, ...string), steps ...string) {
	add(name+refusedMark, steps...)
}

const refusedMark = " (refused)"

// seeded draws the same each time over the first words of the embedded table.
const seeded = " -q --insecure-seed 7 --words 800"

func records() []record {
	var all []record
	add := func(name string, steps ...string) { all = append(all, record{name, steps}) }
	words(add)
	options(add)
	formats(add)
	texts(add)
	vectors(add)
	corpora(add)
	statements(add)
	refusals(add)
	return all
}

func words(add func(string, ...string)) {
	for _, m := range strings.Fields("neighbours response classes tem exponential balanced packing madlib mahalanobis " +
		"vickrey brr privemb laplace gaussian-analytic trlaplace trlaplace-published truncated-gumbel") {
		over, low := " --embeddings table.txt --accept refuted", "2"
		switch {
		case m == "trlaplace-published":
			low = "0.4"
		case m == "truncated-gumbel":
			low = "16"
		}
		if m == "gaussian-analytic" || strings.HasPrefix(m, "trlaplace") {
			over += " --delta 1e-6"
		}
		rewrite := "rewrite -q -m " + m + over + " lines.txt -e "
		add("rewrite/"+m+"/low", rewrite+low+" --insecure-seed 7 --report report.json")
		if m != "trlaplace-published" {
			add("rewrite/"+m+"/high", rewrite+"17 --insecure-seed 7 --consistent --report report.json")
		}
		add("cost/"+m, "cost -m "+m+" -e "+low+" --fast --json"+over+" lines.txt")
		switch m {
		case "neighbours", "response", "classes", "tem", "exponential", "balanced", "packing":
			add("explain/"+m, "explain -m "+m+" -e 4 --top 3 --json"+over+" red blue")
			add("verify/"+m, rewrite+"4 -o random.txt --report random.json", "audit --verify random.json --embeddings table.txt")
			add("certificate/"+m, "audit -e 2 --certificate c.json"+over+" "+m, "audit --json --verify c.json --embeddings table.txt")
			add("audit/"+m, "audit -e 2 --json"+over+" "+m, "audit -e 2"+over+" "+m)
		}
		switch m {
		case "privemb", "laplace", "gaussian-analytic", "trlaplace":
			add("embed/"+m, "embed -q -m "+m+" -e 4 --of words --insecure-seed 7"+over+" lines.txt --as jsonl")
		}
	}
	refused("audit/published", add, "audit -e 4 adept-published --json --embeddings table.txt")
}

func options(add func(string, ...string)) {
	for name, flags := range map[string]string{
		"consistent":     "-e 6 --consistent",
		"cap":            "--document-epsilon 60 --document-tokens 40",
		"cap-delta":      "--document-epsilon 60 --document-delta 1e-6 --document-tokens 40",
		"clamp":          "--document-epsilon 20 --document-tokens 5 --over clamp",
		"never":          "-e 6 --never default",
		"unknown":        "-e 1 --unknown zzz",
		"spans":          "-e 6 --spans spans.jsonl",
		"spans-rest":     "-e 6 --spans spans.jsonl --marked-epsilon 2",
		"published":      "-m tem -e 6 --calibrate published",
		"workers":        "-e 6 --workers 1",
		"json":           "-e 6 --json -o out.txt",
		"parameter":      "-e 6 -m neighbours --param neighbours=5",
		"standard-input": "-e 6 -",
		"invalid":        "-e 6 --invalid replace bytes.txt",
	} {
		file := " lines.txt"
		if strings.Contains(flags, ".csv") || strings.HasSuffix(flags, " -") || strings.Contains(flags, "bytes.txt") {
			file = ""
		}
		add("options/"+name, "rewrite "+flags+seeded+" --report report.json"+file)
	}
	add("options/metric", "rewrite -e 6 --notion metric -q --insecure-seed 7 --embeddings table.txt --report report.json lines.txt")
	add("options/account", "ledger grant --ledger ledger.db a --epsilon 5000",
		"rewrite -q -e 6 --ledger ledger.db --account a -o random.txt lines.txt", "ledger show --json --ledger ledger.db a")
	refused("options/exhausted", add, "ledger grant --ledger ledger.db a --epsilon 20",
		"rewrite -q -e 6 --ledger ledger.db --account a -o out.txt lines.txt", "ledger show --json --ledger ledger.db a")
	refused("options/over", add, "rewrite --document-epsilon 20 --document-tokens 5"+seeded+" lines.txt")
	refused("options/invalid-refused", add, "rewrite -e 6"+seeded+" bytes.txt")
}

func formats(add func(string, ...string)) {
	fields := map[string]string{"rows.csv": " --field text", "rows.tsv": " --field text", "rows.jsonl": " --field text",
		"deep.jsonl": " --field m[*].t", "lines.txt": "", "text.md": " --format text"}
	for name, field := range fields {
		for unit, flags := range map[string]string{"word": "-e 6" + seeded, "text": "--unit text -e 6" + over} {
			for _, ending := range []string{"", ".gz", ".zst"} {
				_, extension, _ := strings.Cut(name, ".")
				add(fmt.Sprintf("formats/%s/%s%s", unit, name, ending), corpus,
					"rewrite "+flags+field+" "+name+" -o out."+extension+ending+" --report report.json")
			}
		}
	}
	for _, unit := range []string{"-e 6" + seeded, "--unit text -e 6" + over} {
		name, _, _ := strings.Cut(strings.TrimLeft(unit, "-"), " ")
		add("formats/folder/"+name, corpus, "rewrite "+unit+" --field text rows.csv rows.tsv -o out/ --report report.json")
		add("formats/fields/"+name, corpus, "rewrite "+unit+" --field label --field user rows.jsonl")
	}
}

// over draws over the small corpus, with a seed.
const over = " --corpus small.corpus --embeddings table.txt -q --insecure-seed 7"

// corpus builds the small corpus that records of whole texts share.
const corpus = "corpus build --public --field text --embeddings table.txt public.csv -o small.corpus --clusters 8"

func texts(add func(string, ...string)) {
	const from = " --field text rows.csv --report report.json"
	for _, e := range []string{"1", "4", "8"} {
		add("texts/retrieval/"+e, corpus, "rewrite --unit text -e "+e+over+from)
		add("texts/explain/"+e, corpus, "explain --unit text -e "+e+" --corpus small.corpus --embeddings table.txt --top 2 --json red")
		add("texts/shuffle/"+e, corpus, "rewrite --unit text --shuffle -e "+e+over+from)
		add("texts/user/"+e, corpus, "rewrite --unit text --user user --per-user 2 -e "+e+over+from)
		add("texts/pad/"+e, corpus, "rewrite --unit text --user user --per-user 2 --pad -e "+e+over+from)
		add("texts/cost/"+e, corpus, "cost --unit text --json --fast -e "+e+" --corpus small.corpus --embeddings table.txt --field text rows.csv")
		add("texts/verify/"+e, corpus, "rewrite -q --unit text -e "+e+" --corpus small.corpus --embeddings table.txt --field text rows.csv "+
			"-o random.csv --report random.json", "embeddings import --name table.txt table.txt", "audit --verify random.json --corpus small.corpus")
	}
	add("texts/english", "rewrite --unit text -e 6 -q --insecure-seed 7 lines.txt --report report.json")
	add("texts/neighbours", corpus, "rewrite --unit text --neighbours 3 -e 4"+over+from)
	add("texts/objective", corpus, "rewrite --unit text --objective readable -e 4"+over+from)
}

func vectors(add func(string, ...string)) {
	for _, as := range []string{"text", "npy", "jsonl", "parquet"} {
		const from = " -q --insecure-seed 7 lines.txt --report report.json --as "
		add("vectors/privunit/"+as, "embed -m privunit -e 4"+from+as+" -o out."+as)
		add("vectors/raw/"+as, "embed -m privunit -e 4 --raw"+from+as+" -o out."+as)
		add("vectors/laplace/"+as, "embed -m laplace --clip 2 -e 4"+from+as+" -o out."+as)
	}
}

func corpora(add func(string, ...string)) {
	const votes = " --field text --by label --labels good,bad --expect 60"
	const from = over + votes + " rows.csv"
	for _, e := range []string{"0.5", "2"} {
		add("corpora/drawn/"+e, corpus, "synthesize -e "+e+from+" --report report.json -o out.csv")
		add("corpora/weights/"+e, corpus, "synthesize --weights -e "+e+from+" --report report.json -o out.tsv")
		add("corpora/user/"+e, corpus, "synthesize --user user --per-user 2 -e "+e+from+" --report report.json -o out.jsonl")
		add("corpora/gaussian/"+e, corpus, "synthesize --user user --per-user 2 --delta 1e-6 -e "+e+from+" --report report.json -o out.parquet")
		add("corpora/model/"+e, corpus, "train language-model --corpus lines.txt --public --embeddings table.txt -o m.lm",
			"synthesize --from-model --lm m.lm -e "+e+from+" --report report.json -o out.csv")
	}
	add("corpora/check", corpus, "synthesize --check -e 1"+from)
	add("corpora/cost", corpus, "synthesize --cost -e 1"+from)
	add("corpora/info", corpus, "corpus info --json small.corpus")
	add("corpora/search", corpus, "corpus search --corpus small.corpus --embeddings table.txt --top 3 --json red")
	add("corpora/learn", corpus, "synthesize --weights -e 4"+from+" --report report.json -o out.csv",
		"learn --report report.json --corpus small.corpus --embeddings table.txt --field text --label label --weight weight --test rows.csv "+
			"--json out.csv -o model.json",
		"learn --model model.json --corpus small.corpus --embeddings table.txt --field text rows.csv")
}

func statements(add func(string, ...string)) {
	const m = " --embeddings table.txt"
	add("mechanisms", "mechanisms --json")
	add("compare", "compare -e 2:6:2 --json"+m+" neighbours response tem", "compare -e 2:6:2"+m+" neighbours response tem")
	add("tune", "tune --unchanged 0.3 --json"+m, "tune --attack 0.3 -m tem --json"+m)
	add("limits", "limits -e 4 --json"+m, "limits -e 4"+m)
	add("compile", "compile -m packing -e 2"+m+" -o p.channel")
	add("estimate", "rewrite -m response -e 4 -q --insecure-seed 7"+m+" --report report.json lines.txt -o out.txt",
		"estimate --report report.json --json"+m+" out.txt")
	add("restore", "train language-model --corpus lines.txt --public"+m+" -o m.lm",
		"rewrite -m response -e 6 -q --insecure-seed 7"+m+" --report report.json lines.txt -o out.txt",
		"restore --report report.json --lm m.lm"+m+" out.txt", "train measure --lm m.lm --corpus lines.txt --json")
	add("attack", "attack --corpus lines.txt --texts lines.txt --public -m response -e 4 --among 5 --json"+m)
	add("train/vectors", "train vectors --corpus lines.txt --public --dimensions 4 --min-count 1 -o t.table", "embeddings info t.table")
	add("help", "--help", "rewrite --help", "synthesize --help", "help mechanisms tem", "help units", "version")
}

func refusals(add func(string, ...string)) {
	for i, args := range []string{
		"rewrite lines.txt", "rewrite -e -1 lines.txt", "rewrite -e 8 nowhere.txt", "rewrite -e 8 --field no rows.csv",
		"rewrite -m none -e 8", "rewrite -m trlaplace-published -e 1 lines.txt", "rewrite -e 8 --unit text --consistent lines.txt",
		"synthesize -e 1 rows.csv", "embed -m tem lines.txt", "audit", "audit --verify rows.csv", "learn rows.csv", "explain lines.txt",
		"corpus build rows.csv -o x.corpus", "ledger show --ledger none.db", "tune --unchanged 2", "restore rows.csv", "estimate lines.txt",
		"rewrite -e 6 --consistent --document-epsilon 60 lines.txt", "rewrite -e 6 --user user --field text rows.csv",
		"rewrite -e 6 --spans spans.jsonl --consistent lines.txt", "rewrite -e 6 --unknown [?] lines.txt",
		"rewrite -e 6 --field text broken.jsonl", "limits -e 4 --unit text --linked 0.9 --json", "embed -e 4 --of tokens lines.txt",
	} {
		refused(fmt.Sprintf("refusals/%02d", i), add, args)
	}
}

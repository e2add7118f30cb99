package grammar

import "github.com/sotto-dp/sotto/cmd/sotto/internal/manual"

// Examples are the command lines that help and manual pages show, by the path of the
// command. A test runs all of them in a folder with small files of these names, in the
// order of exampleOrder: later ones read what earlier ones wrote.
var Examples = map[string][]manual.Example{
	"": {
		{Purpose: "Look at what comes out for each unit, before a budget is spent", Command: "sotto try"},
		{Purpose: "A public text like it in place of each line", Command: "sotto rewrite --unit text --corpus support -e 8 letters.txt"},
	},
	"try": {
		{Purpose: "What comes out for each unit, at three epsilons", Command: "sotto try"},
		{Purpose: "The same, with the commands for a file", Command: "sotto try --field text tickets.csv"},
	},
	"rewrite": {
		{Purpose: "Each word is protected at its position", Command: "sotto rewrite -e 10 letters.txt -o private.txt --report report.json"},
		{Purpose: "Each text of a column is protected as a whole", Command: "sotto rewrite --unit text -e 8 --field text tickets.csv -o private.csv --report texts.json"},
	},
	"spans": {
		{Purpose: "Marks of e-mail addresses, dates and the like, never of names, as rewrite --spans reads them", Command: "sotto spans letters.txt"},
		{Purpose: "The types of marks that rewrite --typed knows", Command: "sotto spans --types"},
	},
	"originals": {
		{Purpose: "The originals in place of what replaced them", Command: "sotto originals --keep-map map.jsonl letters.txt"},
		{Purpose: "Only those of the copy that was sent", Command: "sotto originals --keep-map map.jsonl --sent letters.txt letters.txt"},
	},
	"cost": {
		{Purpose: "What a run would spend; nothing is drawn", Command: "sotto cost -e 8 letters.txt"},
		{Purpose: "What an account has left for it, as JSON", Command: "sotto cost -e 8 --ledger budgets.db --account research --json letters.txt"},
	},
	"embed": {
		{Purpose: "One private vector per text", Command: "sotto embed -e 4 --field text tickets.csv -o vectors.npy --report vectors.json"},
		{Purpose: "One private vector per word, as text", Command: "sotto embed -m gaussian -e 1 --of words letters.txt"},
	},
	"estimate": {
		{Purpose: "Fitted counts of the commonest words of the original, with intervals", Command: "sotto estimate --nonnegative --report report.json private.txt"},
		{Purpose: "The count of one word, as JSON", Command: "sotto estimate --nonnegative --report report.json --word late --json private.txt"},
	},
	"restore": {
		{Purpose: "A likely original of a release", Command: "sotto restore --report report.json --lm public.lm private.txt"},
		{Purpose: "Mark words that are probably not the original ones", Command: "sotto restore --report report.json --lm public.lm --confidence 0.5 --mark private.txt -o marked.txt"},
	},
	"synthesize": {
		{Purpose: "A private copy of a labelled data set", Command: "sotto synthesize -e 2 --field text --by topic --labels order,account tickets.csv -o copy.csv --report copy.json"},
		{Purpose: "Epsilon per user: the first 5 records of each user count", Command: "sotto synthesize -e 2 --field text --user customer --per-user 5 tickets.csv -o users.txt"},
	},
	"learn": {
		{Purpose: "Fit a classifier to a private copy, and measure it", Command: "sotto learn --report texts.json --field text --label topic --test test.csv private.csv -o model.json"},
		{Purpose: "Predict the labels of texts", Command: "sotto learn --model model.json --field text test.csv"},
	},
	"explain": {
		{Purpose: "The ten likeliest outputs of a word", Command: "sotto explain -e 10 doctor"},
		{Purpose: "The public texts that a text becomes", Command: "sotto explain --unit text -e 8 'My order is late.'"},
	},
	"mechanisms": {
		{Purpose: "The catalogue as a table", Command: "sotto mechanisms"},
		{Purpose: "The catalogue with papers and parameters", Command: "sotto mechanisms --json"},
	},
	"embeddings import": {
		{Purpose: "Import word vectors under the name of the file", Command: "sotto embeddings import words.vec"},
		{Purpose: "Import them under another name", Command: "sotto embeddings import --name small words.vec"},
	},
	"embeddings info": {
		{Purpose: "Size and digest of the embedded table", Command: "sotto embeddings info english"},
		{Purpose: "The same of an imported table, as JSON", Command: "sotto embeddings info --json small"},
	},
	"embeddings list": {
		{Purpose: "Tables that --embeddings knows by name", Command: "sotto embeddings list"},
		{Purpose: "The same as JSON", Command: "sotto embeddings list --json"},
	},
	"corpus build": {
		{Purpose: "A codebook of public texts, one per line", Command: "sotto corpus build --public forum.txt -o forum.corpus"},
		{Purpose: "A codebook of the sentences of a column", Command: "sotto corpus build --public --field text --sentences test.csv -o sentences.corpus"},
	},
	"corpus write": {
		{Purpose: "A corpus of one's own field, from a model that runs on this machine", Command: `sotto corpus write --endpoint http://127.0.0.1:8080/v1 --model qwen --about "support tickets of a parcel service" --texts 20000 -o parcels.corpus`},
		{Purpose: "The rest of it, after an interruption", Command: `sotto corpus write --endpoint http://127.0.0.1:8080/v1 --model qwen --about "support tickets of a parcel service" --texts 20000 --resume -o parcels.corpus`},
	},
	"corpus info": {
		{Purpose: "Size and digest of the embedded codebook", Command: "sotto corpus info english"},
		{Purpose: "The same of a file, as JSON", Command: "sotto corpus info --json forum.corpus"},
	},
	"corpus list": {
		{Purpose: "Codebooks that --corpus knows by name", Command: "sotto corpus list"},
		{Purpose: "Five texts of each builtin one", Command: "sotto corpus list --show"},
	},
	"corpus suggest": {
		{Purpose: "Which corpus is like public texts of your field", Command: "sotto corpus suggest --public --texts forum.txt"},
		{Purpose: "Two of them, as JSON", Command: "sotto corpus suggest --public --texts forum.txt --corpus support --corpus reviews --json"},
	},
	"corpus search": {
		{Purpose: "The public texts most similar to a text", Command: "sotto corpus search 'My order is late.'"},
		{Purpose: "Three of them from a codebook, as JSON", Command: "sotto corpus search --corpus forum.corpus --top 3 --json 'My order is late.'"},
	},
	"compare": {
		{Purpose: "The default mechanisms at two values of epsilon", Command: "sotto compare --words 500 -e 4 -e 8"},
		{Purpose: "Two mechanisms over a range, as CSV", Command: "sotto compare --words 500 -e 2:10:4 --csv neighbours response"},
	},
	"tune": {
		{Purpose: "The epsilon at which a guess of a word succeeds at most 5 times in 100", Command: "sotto tune --attack 0.05 --words 2000"},
		{Purpose: "The epsilon at which one of 200 texts is linked at most 1 time in 10", Command: "sotto tune --linkage 0.1"},
	},
	"compile": {
		{Purpose: "A channel file for the first 100 words", Command: "sotto compile -e 1.2 --words 100 -o packing.channel"},
		{Purpose: "The same for another mechanism", Command: "sotto compile -m balanced -e 2 --words 100 -o balanced.channel"},
	},
	"attack": {
		{Purpose: "What a reader recovers from words", Command: "sotto attack --corpus forum.txt --texts sample.txt --public --words 2000 -e 8 --among 4"},
		{Purpose: "How often a reader links whole texts", Command: "sotto attack --texts sample.txt --public -m retrieval -e 8 --among 4"},
	},
	"report": {
		{Purpose: "A page about a private copy of a data set", Command: "sotto report copy.csv --report copy.json --field text -o copy.html"},
		{Purpose: "With what a classifier learns from it, of texts that were not released", Command: "sotto report copy.csv --report copy.json --field text --test test.csv -o measured.html --json"},
	},
	"audit": {
		{Purpose: "Certify the default mechanism, and write the certificate", Command: "sotto audit -e 8 --words 500 neighbours --certificate certificate.json"},
		{Purpose: "Recompute what a report states", Command: "sotto audit --verify report.json"},
	},
	"limits": {
		{Purpose: "The largest share of words that can stay unchanged", Command: "sotto limits -e 4"},
		{Purpose: "Check a claimed share", Command: "sotto limits -e 10 --unchanged 0.5"},
	},
	"train autoencoder": {
		{Purpose: "A small model for adept", Command: "sotto train autoencoder --corpus forum.txt --public --epochs 1 --hidden 8 --latent 8 -o small.model"},
		{Purpose: "The same with vectors of the embedded table", Command: "sotto train autoencoder --corpus forum.txt --public --embeddings english --epochs 1 --hidden 8 --latent 8 -o vectors.model"},
	},
	"train language-model": {
		{Purpose: "A trigram model for restore and attack", Command: "sotto train language-model --corpus forum.txt --public -o public.lm"},
		{Purpose: "A bigram model as an ARPA file", Command: "sotto train language-model --corpus forum.txt --public --order 2 -o public.arpa"},
	},
	"train vectors": {
		{Purpose: "A table from public text, for --embeddings", Command: "sotto train vectors --corpus forum.txt --public --min-count 2 --dimensions 8 -o forum.table"},
		{Purpose: "The same, with counts that a later run resumes from", Command: "sotto train vectors --corpus forum.txt --public --min-count 2 --dimensions 8 --state forum.counts -o forum.table"},
	},
	"train measure": {
		{Purpose: "The perplexity of a language model", Command: "sotto train measure --lm public.lm --corpus sample.txt"},
		{Purpose: "How well an autoencoder reconstructs texts", Command: "sotto train measure --model small.model --corpus sample.txt"},
	},
	"serve": {
		{Purpose: "The playground at http://127.0.0.1:8080", Command: "sotto serve"},
		{Purpose: "A service whose requests need a key and a budget", Command: "sotto serve --ledger budgets.db --keys keys --require-account"},
	},
	"health": {
		{Purpose: "Is the service on this machine ready?", Command: "sotto health"},
		{Purpose: "Does its process answer?", Command: "sotto health --live http://127.0.0.1:8080"},
	},
	"key add": {
		{Purpose: "A key for one account", Command: "sotto key add --keys keys --account research notebook"},
		{Purpose: "A key with all rights", Command: "sotto key add --keys keys --role admin operator"},
	},
	"key list": {
		{Purpose: "Which keys are there?", Command: "sotto key list --keys keys"},
		{Purpose: "The same as JSON", Command: "sotto key list --keys keys --json"},
	},
	"key revoke": {
		{Purpose: "Revoke a key", Command: "sotto key revoke --keys keys notebook"},
		{Purpose: "Revoke it and list the keys", Command: "sotto key revoke --keys keys notebook && sotto key list --keys keys"},
	},
	"ledger grant": {
		{Purpose: "A budget of 1000 for good", Command: "sotto ledger grant --ledger budgets.db research --epsilon 1000"},
		{Purpose: "A budget per day", Command: "sotto ledger grant --ledger budgets.db website --epsilon 500 --period 24h"},
	},
	"ledger show": {
		{Purpose: "What all accounts have left", Command: "sotto ledger show --ledger budgets.db"},
		{Purpose: "One account, as JSON", Command: "sotto ledger show --ledger budgets.db --json research"},
	},
	"ledger verify": {
		{Purpose: "Recompute the chain and all sums", Command: "sotto ledger verify --ledger budgets.db"},
		{Purpose: "The same as JSON", Command: "sotto ledger verify --ledger budgets.db --json"},
	},
	"ledger backup": {
		{Purpose: "Copy a ledger that is in use", Command: "sotto ledger backup --ledger budgets.db copy.db"},
		{Purpose: "The same, and print the head as JSON", Command: "sotto ledger backup --ledger budgets.db copy-2.db --json"},
	},
	"help": {
		{Purpose: "What a command does", Command: "sotto help rewrite"},
		{Purpose: "The parameters of a mechanism", Command: "sotto help mechanisms gaussian"},
	},
	"version": {
		{Purpose: "Version, commit and digests of this program", Command: "sotto version"},
		{Purpose: "The same as JSON", Command: "sotto version --json"},
	},
	"completion": {
		{Purpose: "Completion in this shell of bash", Command: "sotto completion bash >sotto.bash && . ./sotto.bash"},
		{Purpose: "Completion in zsh: a file in a folder of $fpath", Command: "sotto completion zsh >_sotto"},
	},
}

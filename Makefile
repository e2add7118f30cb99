# The targets are short names for plain go commands.

.PHONY: mechanism test test-beam check check-all race deadcode vulnerabilities interface benchmarks recorded seeds mutants soak load servecrash runcrash fuzz bench generate tidy modules wheel wheels python clients speed pages-large dist distcheck proofs

test: ## run the tests, as the README says
	go test ./...

check: ## check formatting, vet, lint and tests, as before every change
	bash .ci/run

check-all: ## check everything, also what passed here before with the same inputs; race all tests
	CHECK_ALL=1 bash .ci/run

test-beam: ## run the tests of the Beam module
	cd beam && go test ./...

race: ## all tests of the packages that share memory under the race detector; .ci/run takes -short
	go test -race -timeout 80m $$(go run ./scripts/race)

deadcode: ## list functions that no command and no test reaches
	bash scripts/deadcode

vulnerabilities: ## check the modules against the Go vulnerability database
	bash scripts/vulnerabilities

interface: ## list changes that break users' programs since the last tag or the merge base
	bash scripts/interface

benchmarks: ## compare five headline benchmarks with the merge base, in turns
	bash scripts/benchmarks

seeds: ## run the statistical tests with fresh seeds, which they print
	SOTTO_FRESH_SEEDS=1 go test -count=10 -v -run 'Draws|Sampler|Noise|Tail|Mutant|Follows|ADePT|Privemb' ./noise ./mechanism/...

recorded: ## compare what 228 seeded commands give with what they gave at a commit, byte for byte: BASE=HEAD~1
	go run ./scripts/recorded -base "$(or $(BASE),HEAD)" -v

mechanism: ## write the files of a new member NAME=x of the catalogue, and run its tests
	go run ./scripts/member $(NAME)

mutants: ## check that the tests catch one fault at a time in the sources (scripts/mutants/list)
	go run ./scripts/mutants

soak: ## load the service for ten minutes and check that its memory stays flat
	go run ./scripts/load -soak -time 10m -connections 48 -bulk-connections 2

load: ## measure requests per second and latencies of the service, short and in bulk
	go run ./scripts/load -time 30s

servecrash: ## kill -9 the service under load, 50 times
	go run ./scripts/servecrash -kills 50

runcrash: ## kill -9 a run of 62 files, 100 times, and check what it spent
	SOTTO_RUN_KILLS=100 go test ./cmd/sotto -run TestKilledRunSpendsWhatOneRunSpends -v -timeout 60m

fuzz: ## run each fuzz target for a minute
	bash scripts/fuzz 60s

bench:
	go test -run '^$$' -bench . -benchmem ./...

generate: ## needs the vector package's JSON; see embedding/builtin/PROVENANCE.md
	go generate ./...

tidy: ## go.mod and go.sum of every module: beam and lab require a core that may not be tagged yet
	bash scripts/modules --write

modules: ## every module as its users require it, packed and outside of the workspace
	bash scripts/modules

wheel: ## build the Python package for this machine into dist/
	go run ./scripts/wheels

wheels: ## build the Python package for all platforms, and its source distribution, into dist/
	go run ./scripts/wheels -all

python: ## check the Python package: types, tests, documents, notebooks, installation
	bash scripts/python

clients: ## generate clients in Go and TypeScript and use them against a running service
	bash scripts/clients/run

speed: ## measure the tables of docs/results/speed.md and write them: DATA=folder, TABLE=kernel
	go run ./scripts/speed -data "$(DATA)" -write $(TABLE)

pages-large: ## run the commands of pages that are too large for the tests: DATA=folder, PAGE=docs/results/lab.md
	go run ./scripts/pages -large -data "$(DATA)" $(PAGE)

proofs: ## check the proofs with Coq, if it is installed, and that they rest on no assumption
	bash scripts/proofs

dist: wheels ## build archives, Debian packages, wheels, bills of materials and checksums of all platforms into dist/
	go run ./scripts/dist

distcheck: ## build the release of this machine twice from the last commit, and compare all bytes
	bash scripts/distcheck

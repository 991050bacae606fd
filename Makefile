# Thin: each target installs what is missing, then calls the script that does the work.
.DEFAULT_GOAL := help
.PHONY: help install run test stress lint bench fuzz check clean

help: ## say what there is
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' Makefile
	@echo
	@echo 'make run SOURCES="a.png https://..."      takes pictures of yours: files and URLs'
	@echo 'make test TEST_ARGS="--filter DiskCache"  runs some of the tests'
	@echo 'make stress STRESS_ARGS="6 --sanitizers"  six runs, then two under each sanitizer'
	@echo 'make bench BENCH_ARGS="--filter resize"   measures some of the rows'
	@echo 'CALOTYPE_INSTALL=0 make ...               installs nothing, and leaves out what is missing'

install: ## install what is missing: libraries, pkg-config
	@Scripts/install

run: install ## load the sample pictures over HTTP, from disk and from memory, and put them on a sheet
	@Scripts/run

test: install ## run the tests
	@Scripts/test all $(TEST_ARGS)

stress: install ## run the tests that depend on timing 20 times on a busy machine, with 1, 2 and 16 at once
	@Scripts/stress $(STRESS_ARGS)

lint: install ## look for what the compiler does not see
	@Scripts/lint

bench: install ## measure beside other libraries
	@Scripts/bench $(BENCH_ARGS)

fuzz: install ## decode damaged pictures under AddressSanitizer, without end
	@Scripts/fuzz

check: install ## all that must hold: lint, tests, nginx, kernels on arm64, both sanitizers, fuzzing, builds
	@Scripts/check

clean: ## remove what the other targets made
	@rm -rf .build Output

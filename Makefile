# Each target installs missing dependencies, and then calls the script that does the work.
.DEFAULT_GOAL := help
.PHONY: help install run test stress lint bench fuzz check clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' Makefile
	@echo
	@echo 'make run SOURCES="a.png https://..."      uses your own pictures: files and URLs'
	@echo 'make test TEST_ARGS="--filter DiskCache"  runs some of the tests'
	@echo 'make stress STRESS_ARGS="6 --sanitizers"  runs the tests six times, then twice under each sanitizer'
	@echo 'make bench BENCH_ARGS="--filter resize"   measures some of the rows'
	@echo 'CALOTYPE_INSTALL=0 make ...               installs nothing, and builds without missing libraries'

install: ## install missing dependencies: libraries and pkg-config
	@Scripts/install

run: install ## load the sample pictures over HTTP, from disk and from memory, and draw a contact sheet
	@Scripts/run

test: install ## run the tests
	@Scripts/test all $(TEST_ARGS)

stress: install ## run the timing-dependent tests 20 times under load, with 1, 2 and 16 of them at once
	@Scripts/stress $(STRESS_ARGS)

lint: install ## check the rules that the compiler does not check
	@Scripts/lint

bench: install ## compare the performance with other libraries
	@Scripts/bench $(BENCH_ARGS)

fuzz: install ## decode damaged pictures under AddressSanitizer, until stopped
	@Scripts/fuzz

check: install ## run all checks: lint, tests under both sanitizers, nginx, kernels on arm64, fuzzing, builds
	@Scripts/check

clean: ## remove the files that the other targets created
	@rm -rf .build Output

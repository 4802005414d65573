# Every target that builds installs the missing system libraries first, and nothing else is needed.

PREFIX ?= /usr/local
FILTER ?=
GROUP  ?=
ROUNDS ?=
URLS   ?=
FORMAT ?=
SECONDS ?= 60

SWIFT_SOURCES := Package.swift Sources Tests Examples Benchmarks
RELEASE       := -c release --traits default,OriginServer
TEST_TRAITS   := --traits default,OriginServerTLS,Encryption
TESTS         := swift test $(TEST_TRAITS) --disable-xctest $(if $(FILTER),--filter $(FILTER))
LONGEST_FILE  := 400

# Where `make install` puts things. The command sits beside the folder of samples that it looks for there.
BIN     := $(DESTDIR)$(PREFIX)/bin
LIBEXEC := $(DESTDIR)$(PREFIX)/libexec/easel
MAN     := $(DESTDIR)$(PREFIX)/share/man/man1
BASH    := $(DESTDIR)$(PREFIX)/share/bash-completion/completions
ZSH     := $(DESTDIR)$(PREFIX)/share/zsh/site-functions
FISH    := $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
PAGES   := .build/plugins/GenerateManual/outputs/easel

# Commands change, and are no file's name.
.PHONY: help deps build run test test-tsan test-asan fuzz soak lint format bench docs install uninstall clean check-lean check-apple

help:
	@sed -n 's/^## //p' $(firstword $(MAKEFILE_LIST))

## make run         build the command and see it at work; URLS="https://... https://..." for pictures of your own
## make build       build the library and the command, in release
## make test        run the tests, and type-check the documentation's snippets; FILTER=name for some tests
## make test-tsan   run the tests under Thread Sanitizer
## make test-asan   run the tests under Address Sanitizer
## make fuzz        feed hostile bytes to every decoder and parser; FORMAT=png for one, SECONDS=n for each
## make lint        check layout and the length of files
## make format      lay the Swift files out
## make bench       measure against others; GROUP=name for one group, ROUNDS=n
## make docs        build the documentation into .build/docs
## make check-apple type-check the targets for Apple's platforms against declarations, and run their tests on stand-ins
## make check-lean  show that a user of the library gets no other package
## make install     install the command, its manual and completions; PREFIX=/usr/local, DESTDIR=
## make uninstall   remove what install put there
## make deps        install the system libraries that are missing
## make clean       remove everything that was built

deps:
	@Scripts/install-dependencies.sh

build: deps
	swift build $(RELEASE) --product easel

# The URLs go through the environment, so that the shell leaves their `&` and `?` alone.
export URLS
run: build
	@set -f; .build/release/easel demo $$URLS

test: deps
	$(TESTS)
	$(if $(FILTER),,Scripts/check-snippets.sh)

test-tsan: deps
	$(TESTS) --sanitize thread --scratch-path .build-tsan

test-asan: deps
	LSAN_OPTIONS="suppressions=$(CURDIR)/Tests/leak-sanitizer.suppressions" $(TESTS) --sanitize address --scratch-path .build-asan

fuzz: deps
	Scripts/fuzz.sh $(SECONDS) $(FORMAT)

soak: deps
	EASEL_SOAK=1 swift test --traits default,OriginServerTLS --disable-xctest --filter 'DiskCache(Kill|Processes|Full|Starved)Tests'
	EASEL_SOAK=1 swift test --traits default,OriginServerTLS --disable-xctest --filter DownloadSoakTests

lint: deps
	swift format lint --strict --parallel --recursive $(SWIFT_SOURCES)
	@find $(SWIFT_SOURCES) -name '.build*' -prune -o \( -name '*.swift' -o -name '*.c' -o -name '*.h' \) -exec awk \
		'FNR == $(LONGEST_FILE) + 1 { print FILENAME ": over $(LONGEST_FILE) lines"; found = 1 } END { exit found }' {} +

format: deps
	swift format format --in-place --parallel --recursive $(SWIFT_SOURCES)

bench:
	@Scripts/install-dependencies.sh bench
	swift run -c release --package-path Benchmarks benchmark --output Benchmarks/results.json \
		$(if $(GROUP),--group $(GROUP)) $(if $(ROUNDS),--rounds $(ROUNDS))

docs: deps
	Scripts/build-documentation.sh .build/docs

# With the traits of the tests, so that what they have built is used again.
check-apple: deps
	swift build $(TEST_TRAITS) --target EaselCore
	Scripts/check-apple.sh

check-lean: deps
	Scripts/check-lean.sh

install: build
	swift package $(RELEASE) generate-manual --multi-page
	install -d $(BIN) $(LIBEXEC) $(MAN) $(BASH) $(ZSH) $(FISH)
	install -m 755 .build/release/easel $(LIBEXEC)/easel
	cp -R .build/release/Easel_easel.resources $(LIBEXEC)/
	ln -sf ../libexec/easel/easel $(BIN)/easel
	install -m 644 $(PAGES)/easel*.1 $(MAN)/
	.build/release/easel --generate-completion-script bash > $(BASH)/easel
	.build/release/easel --generate-completion-script zsh > $(ZSH)/_easel
	.build/release/easel --generate-completion-script fish > $(FISH)/easel.fish

uninstall:
	rm -rf $(LIBEXEC)
	rm -f $(BIN)/easel $(MAN)/easel.1 $(MAN)/easel.*.1 $(BASH)/easel $(ZSH)/_easel $(FISH)/easel.fish

clean:
	rm -rf .build .build-tsan .build-asan Benchmarks/.build Examples/*/.build

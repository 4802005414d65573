# Every target that builds installs missing system libraries first. No other preparation is needed.

PREFIX ?= /usr/local
FILTER ?=
GROUP  ?=
ROUNDS ?=
URLS   ?=
FORMAT ?=
SECONDS ?= 60
QUICK  ?=
CASE   ?=
LIBRARY ?=
# The plot of the documentation is redrawn only by a full run of its group.
PLOTS  ?= $(if $(filter growth,$(GROUP)$(QUICK)),Documentation/Easel.docc/Resources,Benchmarks)/growth.svg

SWIFT         := Scripts/swift.sh
SWIFT_SOURCES := Package.swift Sources Tests Examples Benchmarks
# The sandbox requires Linux.
comma         := ,
SANDBOX       := $(if $(filter Linux,$(shell uname)),$(comma)Sandbox)
# SERVER=1 adds the image server, whose packages take minutes to build.
SERVER        ?=
SERVER_TRAIT  := $(if $(filter 1,$(SERVER)),$(comma)Server)
# The traits of the command.
COMMAND_TRAITS := default,OriginServer$(SANDBOX)$(SERVER_TRAIT)
# Links Swift's libraries statically: faster start, less memory, and an installed command needs no toolchain.
STATIC        := $(if $(filter Linux,$(shell uname)),--static-swift-stdlib)
# Tables of addresses are read-only once the program has started.
RELRO         := $(if $(filter Linux,$(shell uname)),-Xlinker -z -Xlinker relro)
RELEASE       := -c release --traits $(COMMAND_TRAITS) $(STATIC) $(RELRO) --disable-local-rpath
VERSION        = $(shell sed -n 's/^public let version = "\(.*\)"/\1/p' Sources/Easel/Version.swift)
# All tests use the same traits: traits are compiler flags, so that others would rebuild everything.
TEST_TRAITS   := default,OriginServerTLS,Encryption,Metrics,GTK$(SANDBOX)$(SERVER_TRAIT)
# Of the documentation and the lists of the public API, which contain every product; equal to those of `make test SERVER=1`.
ALL_TRAITS    := default,OriginServerTLS,Encryption,Metrics,GTK$(SANDBOX)$(comma)Server
TESTS         := FILTER='$(FILTER)' SERVER='$(SERVER)' Scripts/run-tests.sh --traits $(TEST_TRAITS)
ASAN          := --sanitize address --scratch-path .build-asan
KNOWN_LEAKS   := suppressions=$(CURDIR)/Tests/leak-sanitizer.suppressions
# Runs on a virtual display. A critical message of GTK ends the run; with backtraces, Swift would continue.
ON_DISPLAY    := Scripts/on-display.sh
DISPLAY_KIND  ?= x11-cairo
VIEW_CHECKS   := EASEL_GTK_TESTS=1 G_DEBUG=fatal-criticals SWIFT_BACKTRACE=enable=no
VIEW_TESTS    := $(SWIFT) test --traits $(TEST_TRAITS) --disable-xctest
SOAK          := $(SWIFT) test --skip-build --traits $(TEST_TRAITS) --disable-xctest --filter
GALLERY       := $(SWIFT) build -c release $(STATIC) --package-path Examples/Gallery
GALLERY_BIN   := Examples/Gallery/.build/release/gallery
SHOTS         ?= .build/gallery
LONGEST_FILE  := 400

# The folders of `make install`. The command is next to its folder of samples.
BIN     := $(DESTDIR)$(PREFIX)/bin
LIBEXEC := $(DESTDIR)$(PREFIX)/libexec/easel
MAN     := $(DESTDIR)$(PREFIX)/share/man/man1
BASH    := $(DESTDIR)$(PREFIX)/share/bash-completion/completions
ZSH     := $(DESTDIR)$(PREFIX)/share/zsh/site-functions
FISH    := $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
PAGES   := .build/manual/pages

.PHONY: help deps deps-deb deps-gtk deps-lint deps-server build run test test-server trial-server test-gtk test-gtk-asan gallery gallery-shot test-tsan test-asan fuzz fuzz-files soak lint format bench profile docs deb sbom release install uninstall clean check-apple check-api check-lean on test-newer test-jpeg3

help:
	@sed -n 's/^## //p' $(firstword $(MAKEFILE_LIST))

## make run         build the command and run its demo; URLS="https://... https://..." for your own images
## make build       build the library and the command in release mode; SERVER=1 with `easel serve`
## make test        run the tests and compile the snippets of the documentation; FILTER=name for some tests, SERVER=1 for the server's too
## make test-server  run only the tests of the image server, with redis-server, nginx and OpenStack Swift; FILTER=name for some
## make trial-server  run three image servers under faults and check every answer; MODE=overload, or MODE=soak for half an hour
## make test-tsan   run the tests under Thread Sanitizer
## make test-asan   run the tests under Address Sanitizer
## make fuzz        fuzz every decoder and parser; FORMAT=png for one, SECONDS=n for each
## make fuzz-files  test decoders with damaged files, 2,050 versions of each; FORMAT=png for one folder, WORKERS=1 for workers
## make test-gtk    run the view tests on virtual X11 and Wayland displays; test-gtk-asan under Address Sanitizer
## make test-newer  run the tests of a library with a newer version; LIBRARY=webp, QUICK=1. test-jpeg3 for libjpeg-turbo 3
## make gallery     build and run the gallery; URLS="https://... https://..." for your own images
## make gallery-shot  write screenshots of the gallery to .build/gallery, on a virtual display; DISPLAY_KIND=x11-gl
## make on          run a command on another release of Debian, as root; SUITE=trixie RUN="make test"
## make lint        check formatting, file lengths, the index of rules, imports, the lists of libraries and links
## make format      format the Swift files
## make bench       run the benchmarks against other libraries; GROUP=name for one group, ROUNDS=n, QUICK=1 for a short check
## make profile     profile one benchmark case; CASE=memory-hit, SECONDS=n
## make docs        build the documentation to .build/docs
## make check-apple type-check the targets for Apple platforms against declarations, and run their tests on substitutes
## make check-api   compare the public API with the lists in Documentation/Development/api
## make check-lean  check that the library has no other package dependencies
## make deb         build the Debian packages for this release of Debian into .build/deb; in a chroot: make on RUN="make deb"
## make sbom        write an SBOM, the licences and the versions of third-party parts to .build/third-party
## make release     check, build and tag a release; VERSION=1.2.3, QUICK=1 for a rehearsal, SUITES="bookworm trixie"
## make install     install the command, its manual and completions; PREFIX=/usr/local, DESTDIR=
## make uninstall   remove the installed files
## make deps        install missing system libraries
## make clean       remove all build products

deps:
	@Scripts/install-dependencies.sh

deps-gtk:
	@Scripts/install-dependencies.sh gtk

deps-deb:
	@Scripts/install-dependencies.sh deb

deps-server:
	@Scripts/install-dependencies.sh server

deps-lint:
	@Scripts/install-dependencies.sh lint

build: deps
	$(SWIFT) build $(RELEASE) --product easel
	$(SWIFT) build $(RELEASE) --product easel-decoder

# URLs are passed in the environment, so that the shell does not interpret `&` and `?`.
export URLS
run: build
	@set -f; .build/release/easel demo $$URLS

test: deps-gtk $(if $(SERVER_TRAIT),deps-server)
	$(TESTS)
	$(if $(FILTER),,Scripts/check-snippets.sh)

# In a folder of its own, so that `make test` does not rebuild everything.
test-server: deps-server
	FILTER='$(or $(FILTER),EaselServer)' Scripts/run-tests.sh --traits default,Server,OriginServer$(SANDBOX) --scratch-path .build-server

trial-server: deps-server
	$(MAKE) build SERVER=1
	Scripts/server-trials/run.py $(or $(MODE),faults)

test-tsan: deps-gtk
	$(TESTS) --sanitize thread --scratch-path .build-tsan

test-asan: deps-gtk
	LSAN_OPTIONS="$(KNOWN_LEAKS)" $(TESTS) $(ASAN)

# The last run has two pixels per point.
test-gtk: deps-gtk
	$(SWIFT) build --build-tests --traits $(TEST_TRAITS)
	$(VIEW_CHECKS) $(ON_DISPLAY) x11-cairo $(VIEW_TESTS) --skip-build --filter EaselGTKTests
	$(VIEW_CHECKS) $(ON_DISPLAY) x11-gl $(VIEW_TESTS) --skip-build --filter EaselGTKTests
	$(VIEW_CHECKS) $(ON_DISPLAY) wayland-gl $(VIEW_TESTS) --skip-build --filter EaselGTKTests
	GDK_SCALE=2 $(VIEW_CHECKS) $(ON_DISPLAY) x11-cairo $(VIEW_TESTS) --skip-build --filter EaselGTKTests.GTKTests/Mapping

# Without GL: Mesa leaks a table, and its library is unloaded before the sanitizer can symbolize it.
test-gtk-asan: deps-gtk
	$(SWIFT) build --build-tests --traits $(TEST_TRAITS) $(ASAN)
	LSAN_OPTIONS="$(KNOWN_LEAKS)" GDK_DEBUG=gl-disable $(VIEW_CHECKS) $(ON_DISPLAY) x11-cairo $(VIEW_TESTS) --skip-build $(ASAN) --filter EaselGTKTests

# Uses a library from a Python wheel instead of the system's.
test-jpeg3: LIBRARY = jpeg
test-jpeg3 test-newer: deps-gtk
	TRAITS=$(TEST_TRAITS) Scripts/test-newer.sh $(LIBRARY) $(if $(filter 1,$(QUICK)),quick)

gallery: deps-gtk
	$(GALLERY)
	@$(GALLERY_BIN) $(FILE)

gallery-shot: deps-gtk
	$(GALLERY)
	@$(ON_DISPLAY) $(DISPLAY_KIND) $(GALLERY_BIN) --shots $(SHOTS)

fuzz: deps
	Scripts/fuzz.sh $(SECONDS) $(FORMAT)

fuzz-files: deps
	TEST_OPTIONS='--traits $(TEST_TRAITS)' Scripts/fuzz-files.sh $(FORMAT)

soak: deps-gtk
	$(SWIFT) build --build-tests --traits $(TEST_TRAITS)
	EASEL_SOAK=1 $(SOAK) 'DiskCache(Kill|Processes|Full|Starved)Tests'
	EASEL_SOAK=1 $(SOAK) DownloadSoakTests

SUITE ?= trixie
RUN   ?= make test
on:
	Scripts/in-debian.sh $(SUITE) $(RUN)

lint: deps-lint
	$(SWIFT) format lint --strict --parallel --recursive $(SWIFT_SOURCES)
	@find $(SWIFT_SOURCES) -name '.build*' -prune -o \( -name '*.swift' -o -name '*.c' -o -name '*.h' \) -exec awk \
		'FNR == $(LONGEST_FILE) + 1 { print FILENAME ": more than $(LONGEST_FILE) lines"; found = 1 } END { exit found }' {} +
	@Scripts/check-rules.sh
	@Scripts/check-libraries.sh
	@Scripts/check-imports.py
	@Scripts/check-links.py

format: deps
	$(SWIFT) format format --in-place --parallel --recursive $(SWIFT_SOURCES)

# The benchmark reports peers that cannot be installed and measures the others. Its group of the image server needs the
# command with the server, which takes minutes to build.
BENCH_SERVER := $(filter server%,$(GROUP))$(filter 1,$(SERVER))
bench:
	@Scripts/install-dependencies.sh bench
	@Scripts/install-dependencies.sh peers || true
	$(if $(BENCH_SERVER),$(MAKE) build SERVER=1)
	$(SWIFT) build -c release $(STATIC) --package-path Benchmarks --product benchmark
	Benchmarks/.build/release/benchmark --output Benchmarks/results.json --plots $(PLOTS) \
		$(if $(GROUP),--group $(GROUP)) $(if $(FILTER),--filter '$(FILTER)') $(if $(ROUNDS),--rounds $(ROUNDS)) $(if $(filter 1,$(QUICK)),--quick)

profile: SECONDS = 5
profile:
	@Scripts/install-dependencies.sh bench
	STATIC=$(STATIC) Scripts/profile.sh "$(CASE)" $(SECONDS)

docs: deps-gtk
	$(SWIFT) build --traits $(ALL_TRAITS)
	Scripts/build-documentation.sh .build/docs

check-apple: deps
	$(SWIFT) build --traits $(TEST_TRAITS) --target EaselCore
	Scripts/check-apple.sh

check-api: deps-gtk
	$(SWIFT) build --traits $(ALL_TRAITS)
	Scripts/check-api.py

check-lean: deps
	Scripts/check-lean.sh

sbom: deps
	Scripts/third-party.py $(VERSION) $(COMMAND_TRAITS) .build/third-party

deb: deps-deb sbom
	Scripts/build-deb.sh $(VERSION)

release: deps-deb
	Scripts/release.sh $(VERSION)

# The plugin of the manual's generator would build all products again, and link the command dynamically.
install: build
	$(SWIFT) build --package-path .build/checkouts/swift-argument-parser --scratch-path .build/manual --product generate-manual
	rm -rf $(PAGES) && mkdir $(PAGES)
	.build/manual/debug/generate-manual .build/release/easel --multi-page --output-directory $(PAGES)
	install -d $(BIN) $(LIBEXEC) $(MAN) $(BASH) $(ZSH) $(FISH)
	install -m 755 .build/release/easel $(LIBEXEC)/easel
	install -m 755 .build/release/easel-decoder $(LIBEXEC)/easel-decoder
	cp -R .build/release/Easel_easel.resources $(LIBEXEC)/
	ln -sf ../libexec/easel/easel $(BIN)/easel
	for page in $(PAGES)/*.1; do \
		name=$(MAN)/$$(basename $$page .1 | tr . -).1 && sed -E -f Scripts/manual.sed $$page > $$name && chmod 644 $$name || exit; \
	done
	.build/release/easel --generate-completion-script bash > $(BASH)/easel
	.build/release/easel --generate-completion-script zsh > $(ZSH)/_easel
	.build/release/easel --generate-completion-script fish > $(FISH)/easel.fish

uninstall:
	rm -rf $(LIBEXEC)
	rm -f $(BIN)/easel $(MAN)/easel.1 $(MAN)/easel-*.1 $(BASH)/easel $(ZSH)/_easel $(FISH)/easel.fish

clean:
	rm -rf .build .build-tsan .build-asan Benchmarks/.build Examples/*/.build

import ArgumentParser
import EaselCore

extension CacheCommand {
    struct Pin: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Exempt the files of URLs from limits and expiry, including files that are cached later.",
            discussion: "Example: easel cache pin https://example.org/a.png")

        @Argument(help: ArgumentHelp("The URLs.", valueName: "url"))
        var urls: [String]

        @OptionGroup var options: Options

        func run() async throws {
            try await options.forEach(urls, isPinned: true) { (cache, input) async throws(ImageError) in
                try await cache.pin(input.url)
            }
        }
    }

    struct Unpin: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove pins. Limits and expiry apply to the files again.",
            discussion: "Example: easel cache unpin https://example.org/a.png")

        @Argument(help: ArgumentHelp("The URLs.", valueName: "url"))
        var urls: [String]

        @OptionGroup var options: Options

        func run() async throws {
            try await options.forEach(urls, isPinned: false) { (cache, input) async throws(ImageError) in
                try await cache.unpin(input.url)
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the cached URLs and the size of their files.",
            discussion: "Example: easel cache list --pinned")

        @Flag(help: "Print only pinned URLs.")
        var pinned = false

        @OptionGroup var options: Options

        func run() async throws {
            let console = await Console(style: .none)
            for entry in try await DiskCache(folder: options.folder).list() where entry.isPinned || !pinned {
                let json: JSONValue = [
                    "url": entry.url.map { .string($0) } ?? .null, "file": entry.name.map { .string($0) } ?? .null,
                    "bytes": .number(entry.bytes), "pinned": .bool(entry.isPinned),
                ]
                let text =
                    "\((entry.url ?? entry.name ?? "").printable): \(ByteText.text(entry.bytes))"
                    + (entry.isPinned ? ", pinned" : "")
                await console.writeResult(options.json ? json.text : text)
            }
            try await console.checkOutput()
        }
    }
}

extension CacheCommand.Options {
    /// Calls `body` for each URL, and prints the results. A failure does not stop the others.
    @MainActor
    fileprivate func forEach(
        _ urls: [String], isPinned: Bool, _ body: (ImageCache, ImageInput) async throws(ImageError) -> Void
    ) async throws {
        let (cache, console) = (cache, Console(style: .none))
        var hasFailed = false
        for text in urls {
            do throws(ImageError) {
                try await body(cache, ImageInput(text))
                let json: JSONValue = ["input": .string(text), "ok": true, "pinned": .bool(isPinned)]
                console.writeResult(self.json ? json.text : "\(text.printable): \(isPinned ? "pinned" : "not pinned")")
            } catch {
                hasFailed = true
                console.writeMessage("easel: \(text.truncated(to: 200)): \(error.message(for: text))")
                if self.json { console.writeResult(JSONValue.failure(input: text, error).text) }
            }
        }
        try console.checkOutput()
        if hasFailed { throw ExitStatus.failed }
    }
}

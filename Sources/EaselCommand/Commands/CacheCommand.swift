import ArgumentParser
import EaselCore

struct CacheCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache", abstract: "Inspect and clean up the disk cache, and pin images.",
        discussion: "Example: easel cache stats --json",
        subcommands: [Stats.self, List.self, Clear.self, Trim.self, Pin.self, Unpin.self, Path.self, Verify.self])

    struct Options: ParsableArguments {
        @OptionGroup var location: CacheLocation

        @Flag(help: "Print one JSON object.")
        var json = false

        var folder: String { location.folder() }
        var cache: ImageCache { ImageCache(folder: folder) }

        @MainActor
        func report(_ value: JSONValue, _ text: String) throws {
            let console = Console(style: .none)
            console.writeResult(json ? value.text : text)
            try console.checkOutput()
        }

        @MainActor
        func report(_ statistics: ImageCache.Statistics) throws {
            let (files, decoded) = (statistics.disk, statistics.decoded)
            try report(
                [
                    "entries": .number(files.entries), "bytes": .number(files.bytes),
                    "decodedBytes": .number(decoded.bytes), "pinnedBytes": .number(files.pinnedBytes),
                    "folder": .string(folder),
                ],
                "\(files.entries.counted("file")), \(ByteText.text(files.bytes)), and "
                    + "\(decoded.entries.counted("decoded thumbnail")), \(ByteText.text(decoded.bytes)) in \(folder.printable)"
            )
        }
    }

    struct Stats: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the number and size of cached files.", discussion: "Example: easel cache stats")

        @OptionGroup var options: Options

        func run() async throws { try await options.report(options.cache.statistics()) }
    }

    struct Clear: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove all cached files, or those of some URLs.",
            discussion: "Example: easel cache clear --tag album-42")

        @Option(
            help: ArgumentHelp("Remove all files of this URL, in every size, with its pin and tags.", valueName: "url"))
        var url: [String] = []

        @Option(help: ArgumentHelp("Remove all files of the URLs that were loaded with this tag.", valueName: "tag"))
        var tag: [String] = []

        @OptionGroup var options: Options

        func run() async throws {
            let cache = options.cache
            guard url.isEmpty, tag.isEmpty else { return try await clear(cache) }
            try await cache.removeAll(from: .disk)
            try await options.report(cache.statistics())
        }

        /// Removes everything cached for the given URLs. Does not count the remaining files, which would take longer.
        private func clear(_ cache: ImageCache) async throws {
            var cleared = Set(try url.map { try ImageInput($0).url })
            for url in cleared { try await cache.removeAll(of: url) }
            for tag in tag {
                cleared.formUnion(try await cache.urls(tagged: tag))
                try await cache.removeAll(tagged: tag)
            }
            try await options.report(
                ["urls": .number(cleared.count), "folder": .string(options.folder)],
                "\(cleared.count.counted("URL")) removed from \(options.folder.printable)")
        }
    }

    struct Trim: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove expired files, then the least recently used ones above the size limit.",
            discussion: "Example: easel cache trim")

        @OptionGroup var options: Options

        func run() async throws {
            let cache = options.cache
            await cache.trimDisk()
            try await options.report(cache.statistics())
        }
    }

    struct Path: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the cache folder.", discussion: "Example: du -sh \"$(easel cache path)\"")

        @OptionGroup var options: Options

        func run() async throws {
            try await options.report(["folder": .string(options.folder)], options.folder)
        }
    }

    struct Verify: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Check every cached file and remove damaged ones.",
            discussion: "Example: easel cache verify --json")

        @OptionGroup var options: Options

        func run() async throws {
            let result = await DiskCache(folder: options.folder).verify()
            try await options.report(
                [
                    "entries": .number(result.entries), "torn": .number(result.torn),
                    "removed": .number(result.removed), "bytes": .number(result.bytes),
                    "folder": .string(options.folder),
                ],
                "\(result.entries.counted("file")) checked, \(result.torn) damaged, \(result.removed) removed, "
                    + "\(ByteText.text(result.bytes)) valid in \(options.folder.printable)")
            if result.removed < result.torn { throw ExitStatus.failed }
        }
    }
}

import ArgumentParser
import EaselCore

/// `easel cache`.
struct CacheCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache", abstract: "Look at and clean up the cache on disk.",
        discussion: "Example: easel cache stats --json",
        subcommands: [Stats.self, Clear.self, Trim.self, Path.self, Verify.self])

    /// What all of them have in common.
    struct Options: ParsableArguments {
        @OptionGroup var location: CacheLocation

        @Flag(help: "Write one JSON object.")
        var json = false

        var folder: String { location.folder() }
        var cache: ImageCache { ImageCache(folder: folder) }

        /// Writes a result for a machine or for a person.
        @MainActor
        func report(_ value: JSONValue, _ text: String) throws {
            let console = Console(style: .none)
            console.result(json ? value.text : text)
            try console.checkOutput()
        }

        /// Writes what the cache holds.
        @MainActor
        func report(_ statistics: ImageCache.Statistics) throws {
            let (files, decoded) = (statistics.disk, statistics.decoded)
            try report(
                [
                    "entries": .number(files.entries), "bytes": .number(files.bytes),
                    "decodedBytes": .number(decoded.bytes), "folder": .string(folder),
                ],
                "\(files.entries.counted("file")), \(ByteCount.text(files.bytes)), and "
                    + "\(decoded.entries.counted("decoded thumbnail")), \(ByteCount.text(decoded.bytes)) in \(folder.printable)"
            )
        }
    }

    /// `easel cache stats`.
    struct Stats: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Count the files in the cache.", discussion: "Example: easel cache stats")

        @OptionGroup var options: Options

        func run() async throws {
            try await options.report(options.cache.statistics())
        }
    }

    /// `easel cache clear`.
    struct Clear: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove every file from the cache.", discussion: "Example: easel cache clear")

        @OptionGroup var options: Options

        func run() async throws {
            let cache = options.cache
            try await cache.removeAll(from: .disk)
            try await options.report(cache.statistics())
        }
    }

    /// `easel cache trim`.
    struct Trim: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove what is too old or, the least recently used first, too much.",
            discussion: "Example: easel cache trim")

        @OptionGroup var options: Options

        func run() async throws {
            let cache = options.cache
            await cache.trimDisk()
            try await options.report(cache.statistics())
        }
    }

    /// `easel cache path`.
    struct Path: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Tell where the cache is.", discussion: "Example: du -sh \"$(easel cache path)\"")

        @OptionGroup var options: Options

        func run() async throws {
            try await options.report(["folder": .string(options.folder)], options.folder)
        }
    }

    /// `easel cache verify`.
    struct Verify: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Read every file in the cache and remove the damaged ones.",
            discussion: "Example: easel cache verify --json")

        @OptionGroup var options: Options

        func run() async throws {
            let found = await DiskCache(folder: options.folder).verify()
            try await options.report(
                [
                    "entries": .number(found.entries), "torn": .number(found.torn), "removed": .number(found.removed),
                    "bytes": .number(found.bytes), "folder": .string(options.folder),
                ],
                "\(found.entries.counted("file")) read, \(found.torn) damaged, \(found.removed) removed, "
                    + "\(ByteCount.text(found.bytes)) sound in \(options.folder.printable)")
            if found.removed < found.torn { throw ExitStatus.failed }
        }
    }
}

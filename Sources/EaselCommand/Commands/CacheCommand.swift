import ArgumentParser
import EaselCore

struct CacheCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache", abstract: "Inspect and clean up the disk cache.",
        discussion: "Example: easel cache stats --json",
        subcommands: [Stats.self, Clear.self, Trim.self, Path.self, Verify.self])

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
                    "decodedBytes": .number(decoded.bytes), "folder": .string(folder),
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
            abstract: "Remove all cached files.", discussion: "Example: easel cache clear")

        @OptionGroup var options: Options

        func run() async throws {
            let cache = options.cache
            try await cache.removeAll(from: .disk)
            try await options.report(cache.statistics())
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
            let found = await DiskCache(folder: options.folder).verify()
            try await options.report(
                [
                    "entries": .number(found.entries), "torn": .number(found.torn), "removed": .number(found.removed),
                    "bytes": .number(found.bytes), "folder": .string(options.folder),
                ],
                "\(found.entries.counted("file")) checked, \(found.torn) damaged, \(found.removed) removed, "
                    + "\(ByteText.text(found.bytes)) valid in \(options.folder.printable)")
            if found.removed < found.torn { throw ExitStatus.failed }
        }
    }
}

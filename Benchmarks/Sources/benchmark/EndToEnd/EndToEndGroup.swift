import Easel
import Foundation

/// The typical work of an application: many images of about 100 KB from a server to 300 x 225, in memory and on disk;
/// again from disk and from memory; and the first image of a process.
enum EndToEndGroup {
    static let name = "endtoend"
    static let cold = "\(count) JPEGs to 300 x 225, cold, each"
    static let fromDisk = "\(count) JPEGs to 300 x 225, warm from disk, each"
    static let fromMemory = "\(count) JPEGs to 300 x 225, warm from memory, each"
    static let first = "start of the process to the first image"

    static let count = Scale.pick(400, quick: 40)
    static let size = PixelSize(300, 225)

    @Sendable static func works() async throws -> [Work] {
        guard let file = try ImageFiles.web() else { return [] }
        let server = try NginxServer(["image": file.data])
        let base = server.url("images/")
        let requests = try (0..<count).map { try request(base + String($0)) }
        let python = Absence.makeOrReport { try ThreadsPeer(base, count: count) }
        let commands = Absence.makeOrReport { try ThumbnailCommands() }
        let warm = try ScratchFolder.make("warm")
        _ = try await load(requests, manager(folder: warm))
        return [
            try coldWork(requests, base, python, commands), try warmWork(fromDisk, requests, warm, python),
            try await memoryWork(requests, warm, python), try firstWork(base, commands, keeping: server),
        ]
    }

    static func request(_ url: String) throws -> ImageRequest {
        guard let url = URL(string: url) else { throw URLError(.badURL) }
        return ImageRequest(url) {
            $0.targetSize = .pixels(width: size.width, height: size.height)
            // Like the peers, stores only the small image. The load ends when it is on disk.
            $0.cache.storeOriginal = []
            $0.options = .waitStoreCache
        }
    }

    static func manager(folder: String) -> ImageManager {
        ImageManager {
            $0.cache = ImageCache(folder: URL(filePath: folder))
            $0.loader = ImageDownloader(transport: CurlTransport())
        }
    }

    /// Loads all at once. Returns the number of correct images.
    private static func load(_ requests: [ImageRequest], _ manager: ImageManager) async throws -> Int {
        try await InParallel.sum(requests.count, atATime: requests.count) { number in
            try await manager.image(for: requests[number]).size == size ? 1 : 0
        }
    }

    private static func coldWork(
        _ requests: [ImageRequest], _ base: String, _ python: ThreadsPeer?, _ commands: ThumbnailCommands?
    ) throws -> Work {
        var manager = manager(folder: try ScratchFolder.make("cold"))
        return Work(
            group: name, name: cold, operations: count, maximumRounds: 3,
            ours: Contestant(
                "Easel", prepare: { manager = Self.manager(folder: try ScratchFolder.make("cold")) },
                .timed { _ in try await load(requests, manager) }),
            peers: [python?.contestant("cold"), commands?.all(base, count: count)].compactMap { $0 })
    }

    private static func warmWork(
        _ name: String, _ requests: [ImageRequest], _ folder: String, _ python: ThreadsPeer?
    ) throws -> Work {
        var manager = manager(folder: folder)
        return Work(
            group: Self.name, name: name, operations: count,
            ours: Contestant(
                "Easel", prepare: { manager = Self.manager(folder: folder) },
                .timed { _ in try await load(requests, manager) }),
            peers: [python?.contestant("disk")].compactMap { $0 })
    }

    private static func memoryWork(
        _ requests: [ImageRequest], _ folder: String, _ python: ThreadsPeer?
    ) async throws -> Work {
        let manager = manager(folder: folder)
        _ = try await load(requests, manager)
        return Work(
            group: name, name: fromMemory, operations: count,
            ours: Contestant(
                "Easel",
                .timed { _ in
                    var right = 0
                    for request in requests where try await manager.image(for: request).size == size { right += 1 }
                    return right
                }),
            peers: [python?.contestant("memory")].compactMap { $0 })
    }

    /// A process per operation that loads one image and exits.
    private static func firstWork(
        _ base: String, _ commands: ThumbnailCommands?, keeping server: NginxServer
    ) throws -> Work {
        let url = base + "first"
        let python = Absence.makeOrReport {
            try PythonProcess.python(with: [.aiohttp, .pillow], for: ThreadsPeer.name)
        }
        let script = try PythonProcess.path(of: "first-image")
        let easel = Bundle.main.executablePath ?? CommandLine.arguments[0]
        let expected = "\(size.width) x \(size.height)"
        func contestant(_ name: String, _ run: @escaping () throws -> String) -> Contestant {
            Contestant(
                name, in: .commands,
                .timed { _ in
                    // Keeps the server alive.
                    try withExtendedLifetime(server) { try run().contains(expected) ? 1 : 0 }
                })
        }
        return Work(
            group: name, name: first,
            ours: contestant("Easel") {
                try Tool.run(easel, FirstImage.option, url, try ScratchFolder.make("first"))
            },
            peers: [
                python.map { python in
                    contestant(ThreadsPeer.name) {
                        try Tool.run(python, script, url, try ScratchFolder.make("first"))
                    }
                },
                commands.map { commands in
                    contestant(commands.name) {
                        let count = try commands.run(url, count: 1, numbers: "")
                        return count == 1 ? expected : ""
                    }
                },
            ].compactMap { $0 })
    }
}

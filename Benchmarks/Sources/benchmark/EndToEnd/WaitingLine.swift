// Seen from the downloader's line too, whose source is linked into this folder: it is no part of Easel's interface.
@_exported import Easel
import Foundation

/// What it costs to begin loads that have to wait for their turn, and to cancel them all.
enum WaitingLine {
    private static let count = Scale.pick(100_000, quick: 1_000)
    /// Fewer where each is a whole load, which takes memory while it waits.
    private static let loadCount = count / 10
    static let name = "\(Scale.title(count)) requests waiting, enqueue and cancel, each"

    @Sendable static func works() async throws -> [Work] {
        let python = Absence.orTell {
            try PythonProcess(
                for: "asyncio", script: "threads-peer", packages: [.aiohttp, .cachetools, .pillow])
        }
        return [line(python), try loads(python)]
    }

    /// The downloader's line alone: who waits for one of 24 places, six a host.
    private static func line(_ python: PythonProcess?) -> Work {
        let hosts = (0..<10).map { "\($0).pictures.example" }
        return Work(
            group: EndToEndGroup.name, name: name, operations: count, maximumRounds: 3,
            ours: Contestant(
                "Easel",
                .timed { count in
                    var line = AdmissionQueue<Int>(limit: 24, limitPerGroup: 6)
                    for number in 0..<count {
                        _ = line.enqueue(number, group: hosts[number % 10], priority: .normal)
                    }
                    let waited = line.waitingCount + line.runningCount
                    for number in (0..<count).reversed() { _ = line.leave(number) }
                    return line.waitingCount + line.runningCount == 0 ? waited : 0
                }),
            peers: [operations(), asyncio(python, count)].compactMap { $0 })
    }

    /// The whole way to that line and back: a task for each, the caches asked, the work shared.
    private static func loads(_ python: PythonProcess?) throws -> Work {
        let requests = try LoadsInLine.requests(loadCount)
        return Work(
            group: EndToEndGroup.name, name: "\(Scale.title(loadCount)) loads waiting, begun and cancelled, each",
            operations: loadCount, maximumRounds: 3,
            ours: Contestant("Easel", .timed { _ in await LoadsInLine.beginAndCancel(requests) }),
            peers: [operations(), asyncio(python, loadCount)].compactMap { $0 })
    }

    /// SDWebImage's way: an operation for each.
    private static func operations() -> Contestant {
        Contestant("OperationQueue", .timed { queueAndCancel($0) })
    }

    private static func queueAndCancel(_ count: Int) -> Int {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 6
        queue.isSuspended = true
        for _ in 0..<count { queue.addOperation(BlockOperation {}) }
        let waited = queue.operationCount
        queue.cancelAllOperations()
        queue.isSuspended = false
        queue.waitUntilAllOperationsAreFinished()
        return waited
    }

    private static func asyncio(_ python: PythonProcess?, _ count: Int) -> Contestant? {
        python.map { python in
            Contestant(
                "asyncio", in: python.place,
                .counted {
                    let answer = PythonProcess.numbers(try python.ask(["waiting", count]))
                    return (answer.first ?? .nan) / Double(count)
                })
        }
    }
}

/// Loads that a downloader which stands still keeps waiting.
enum LoadsInLine {
    static func requests(_ count: Int) throws -> [ImageRequest] {
        try (0..<count).map { number in
            guard let url = URL(string: "http://\(number % 10).pictures.example/\(number).jpg") else {
                throw URLError(.badURL)
            }
            return ImageRequest(url)
        }
    }

    /// Returns how many waited.
    static func beginAndCancel(_ requests: [ImageRequest]) async -> Int {
        let downloader = ImageDownloader(transport: CurlTransport())
        downloader.isSuspended = true
        let manager = ImageManager {
            $0.cache = ImageCache(folder: nil as String?)
            $0.loader = downloader
        }
        let tasks = requests.map { manager.load($0) }
        while downloader.currentDownloadCount < tasks.count { await Task.yield() }
        manager.cancelAll()
        while downloader.currentDownloadCount > 0 { await Task.yield() }
        return tasks.count { $0.isCancelled }
    }
}

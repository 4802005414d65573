import Easel
import Foundation

/// The cost of starting loads that have to wait, and of cancelling them all.
enum WaitingLine {
    private static let count = Scale.pick(100_000, quick: 1_000)
    static let name = "\(Scale.title(count)) requests waiting, enqueue and cancel, each"

    @Sendable static func works() async throws -> [Work] {
        let python = Absence.makeOrReport {
            try PythonProcess(
                for: "asyncio", script: "threads-peer", packages: [.aiohttp, .cachetools, .pillow])
        }
        let requests = try LoadsInLine.requests(count)
        return [
            Work(
                group: EndToEndGroup.name, name: name, operations: count, maximumRounds: 3,
                ours: Contestant("Easel", .timed { _ in await LoadsInLine.beginAndCancel(requests) }),
                peers: [operations(), asyncio(python, count)].compactMap { $0 })
        ]
    }

    /// SDWebImage's design: an operation per load.
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
                    let answer = PythonProcess.numbers(try python.send(["waiting", count]))
                    return (answer.first ?? .nan) / Double(count)
                })
        }
    }
}

/// Loads that wait for a suspended downloader.
enum LoadsInLine {
    static func requests(_ count: Int) throws -> [ImageRequest] {
        try (0..<count).map { number in
            guard let url = URL(string: "http://\(number % 10).images.example/\(number).jpg") else {
                throw URLError(.badURL)
            }
            return ImageRequest(url)
        }
    }

    /// Returns the number of waiting loads.
    static func beginAndCancel(_ requests: [ImageRequest]) async -> Int {
        let downloader = ImageDownloader(transport: CurlTransport())
        downloader.isSuspended = true
        let manager = ImageManager {
            $0.cache = ImageCache(folder: nil)
            $0.loader = downloader
        }
        let tasks = requests.map { manager.load($0) }
        manager.cancelAll()
        while manager.statistics.inFlight > 0 || downloader.currentDownloadCount > 0 { await Task.yield() }
        return tasks.count { $0.isCancelled }
    }
}

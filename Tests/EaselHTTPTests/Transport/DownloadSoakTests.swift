#if OriginServer
import EaselHTTP
import EaselTesting
import Foundation
import Testing

@testable import EaselCore

@Suite("Downloader over libcurl: soak (P006, P011)", .timeLimit(.minutes(10)))
struct DownloadSoakTests {
    /// The allowed growth of memory after the first quarter. The allocator keeps its peak; a leak of one transfer a
    /// round would be several times as much.
    private static let tolerance = 16 << 20

    @Test("random loads, cancels, faults, stalls and resumptions leak no descriptor and no memory")
    func soak() async throws {
        var random = SeededGenerator(seed: Soak.seed("download soak"))
        let folder = FileManager.default.temporaryDirectory.path + "/easel-soak-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        // Creates the server's threads and other one-time state.
        try await rounds(1, in: folder, &random)
        let descriptors = Soak.descriptorCount
        let clock = ContinuousClock()
        let start = clock.now
        var warm: Int?
        let batch = Soak.isOn ? 10 : 1
        var count = 0
        while clock.now - start < Soak.duration {
            try await rounds(batch, in: folder, &random)
            count += batch
            if warm == nil, clock.now - start > Soak.duration / 4 { warm = Soak.residentBytes }
        }
        // Parallel tests use the same process, so its totals include theirs.
        guard Soak.isOn else { return }
        try await until { Soak.descriptorCount <= descriptors }
        let end = try #require(Soak.residentBytes)
        let growth = end - (try #require(warm))
        print("download soak: \(count) rounds of \(SoakLoad.count) loads, \(end >> 20) MB, grown by \(growth >> 10) KB")
        #expect(growth < Self.tolerance)
    }

    /// Runs `count` rounds over one transport, each with a new server, because a server's log grows with every request.
    private func rounds(_ count: Int, in folder: String, _ random: inout SeededGenerator) async throws {
        let transport = CurlTransport(connectionsPerHost: nil)
        for _ in 0..<count { try await round(transport, folder, &random) }
        await transport.shutDown()
    }

    private func round(
        _ transport: CurlTransport, _ folder: String, _ random: inout SeededGenerator
    ) async throws {
        let origin = try await OriginServer.start(SoakLoad.serve)
        let order: ImageDownloader.Order = Bool.random(using: &random) ? .fifo : .lifo
        let limit = Int.random(in: 2...24, using: &random)
        let downloader = ImageDownloader(transport: transport) {
            $0.concurrentTransfersPerHost = limit
            $0.order = order
            $0.partialFolder = folder
        }
        let loads = (0..<SoakLoad.count).map { _ in SoakLoad(&random) }
        await withTaskGroup { group in
            for load in loads { group.addTask { await load.run(downloader, origin) } }
        }
        #expect(downloader.currentDownloadCount == 0)
        // Every started response has ended, so no transfer is leaked.
        await origin.wait { $0.allSatisfy { $0.ending != nil } }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        #expect(names.allSatisfy { $0.hasSuffix(".part") } && names.count <= 64, "\(names)")
        await origin.stop()
    }
}

/// One load of the soak test: its request, and the time of its cancellation.
private struct SoakLoad: Sendable {
    static let count = 60

    private let path: String
    private let cancelsAfter: Duration?
    private let priority: LoadPriority
    private let retries: Int

    init(_ random: inout SeededGenerator) {
        path = Self.paths.randomElement(using: &random) ?? "/whole"
        let milliseconds = Int.random(in: 0...60, using: &random)
        cancelsAfter = milliseconds < 30 ? .milliseconds(milliseconds) : nil
        priority = LoadPriority.allCases.randomElement(using: &random) ?? .normal
        retries = Int.random(in: 0...2, using: &random)
    }

    private static let paths = [
        "/whole", "/whole", "/chunks", "/drip", "/breaks", "/breaks", "/stuck", "/silent", "/reset", "/garbage",
        "/closed",
        "/half", "/gone", "/moved", "/long",
    ]
    /// Longer than the minimum that is kept of a broken download.
    private static let body = Pattern.data(200_000)
    private static let versioned = OriginResponse.bytes(body).with(headers: ["ETag": "\"1\""])

    @Sendable static func serve(_ origin: inout OriginConfiguration) {
        origin.respond("/whole", with: versioned)
        origin.respond("/chunks", with: versioned, faults: [.chunked()])
        origin.respond("/drip", with: versioned, faults: [.drip(bytes: 20_000, every: .milliseconds(1))])
        let broken = versioned.with(faults: [.truncate(at: 120_000)])
        origin.respond("/breaks", with: Array(repeating: [broken, versioned], count: count).flatMap { $0 })
        // Below the minimum that is kept: the rest of a file could end right at the gate, and appear complete.
        origin.respond("/stuck", with: versioned, faults: [.holdBody(Gate(), at: 50_000)])
        origin.respond("/silent", with: versioned, faults: [.noResponse])
        origin.respond("/reset", with: versioned, faults: [.reset(at: 90_000)])
        origin.respond("/garbage", with: versioned, faults: [.garbageChunks])
        origin.respond("/closed", with: versioned, faults: [.closeBeforeHead])
        origin.respond("/half", with: versioned, faults: [.closeInsideHead])
        origin.respond("/gone", with: .status(404))
        origin.respond("/moved", with: .redirect(to: "/whole"))
        origin.respond("/long", with: versioned, faults: [.wrongLength(300_000)])
    }

    /// Loads, and expects either all bytes or a matching error. A cancelled load may still succeed.
    func run(_ downloader: ImageDownloader, _ origin: OriginServer) async {
        let request = ImageRequest(origin.url(path)) {
            $0.http.timeouts = HTTPTimeouts(connect: .milliseconds(400), idle: .milliseconds(100))
            $0.retry = .exponential(attempts: retries, first: .milliseconds(1))
        }
        let context = LoadContext(priority: priority) { _ in }
        let load = Task { try await downloader.load(request, context) }
        let cancellation = cancelsAfter.map { pause in
            Task {
                try? await Task.sleep(for: pause)
                load.cancel()
            }
        }
        let result = await load.result
        cancellation?.cancel()
        switch result {
        case .success(let loaded): #expect(loaded.data == Self.body, "\(path)")
        case .failure(let error as ImageError):
            let codes: [ImageError.Code] = [
                .cancelled, .connectionLost, .timedOut, .invalidResponse, .status, .badData,
            ]
            #expect(codes.contains(error.code), "\(path): \(error)")
        case .failure(let error): Issue.record(error)
        }
    }
}
#endif

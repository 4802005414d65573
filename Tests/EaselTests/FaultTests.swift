#if OriginServer
import Easel
import EaselTesting
import Foundation
import Testing

/// Each fault ends with one error that has a description, and leaves nothing in the cache.
@Suite("Bad input and faults, end to end", .timeLimit(.minutes(1)))
struct FaultTests {
    /// A fault of a server, and the code of the resulting error.
    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let response: OriginResponse
        let code: ImageError.Code
        var limits = ImageLimits()

        init(_ description: String, _ response: OriginResponse, _ code: ImageError.Code) {
            testDescription = description
            self.response = response
            self.code = code
        }
    }

    private static let original = OriginResponse.image(.gradient(64, 48))

    static let faults: [Fault] = [
        Fault("404", .status(404), .status),
        Fault("500", .status(500), .status),
        Fault("a circle of redirects", .redirect(to: "/a.png"), .tooManyRedirects),
        Fault("a redirect to nowhere", .status(302), .invalidResponse),
        Fault("a redirect to a file", .redirect(to: "file:///etc/hostname"), .invalidResponse),
        Fault("an empty body", .bytes(Data()), .badData),
        Fault("a body that ends early", original.with(faults: [.truncate(at: 90)]), .connectionLost),
        Fault(
            "a chunked body that ends early", original.with(faults: [.chunked(), .truncate(at: 90)]), .connectionLost),
        Fault("a reset", original.with(faults: [.reset(at: 90)]), .connectionLost),
        Fault("no answer", original.with(faults: [.closeBeforeHead]), .connectionLost),
        Fault("half a head", original.with(faults: [.closeInsideHead]), .connectionLost),
        Fault("no HTTP", original.with(faults: [.garbageHead]), .invalidResponse),
        Fault("a web page", .text("<!DOCTYPE html><html></html>", type: "image/png"), .badData),
        Fault("10 GB announced", original.with(faults: [.wrongLength(10_000_000_000)]), .tooLarge),
        Fault("a PNG of 50000 x 50000", .bytes(hugePNG, type: "image/png"), .tooLarge),
        Fault("a PNG that is cut off", .bytes(hugePNG.prefix(20), type: "image/png"), .badData),
        Fault("noise", .bytes(Data((0..<200).map { UInt8($0) }), type: "image/png"), .badData),
    ]

    /// A valid header that announces 2.5 gigapixels, and an empty IDAT.
    private static let hugePNG = Data([
        0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0xC3, 0x50, 0, 0,
        0xC3, 0x50, 8, 6, 0, 0, 0, 0x4B, 0xAF, 0x3D, 0xCA, 0, 0, 0, 0, 0x49, 0x44, 0x41, 0x54, 0x35, 0xAF, 0x06,
        0x1E, 0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82,
    ])

    @Test("a fault is one error with a description, and nothing is cached", arguments: faults)
    func fault(fault: Fault) async throws {
        try await WholeStack.run {
            $0.respond("/a.png", with: fault.response)
        } _: { stack in
            let task = stack.manager.load(stack.request("/a.png"))
            var ends: [ImageError?] = []
            for await event in task.events {
                if case .finished(let result) = event { ends.append(result.failure) }
            }
            #expect(ends.map { $0?.code } == [fault.code])
            #expect(ends.first??.description.isEmpty == false)
            #expect(stack.cachedFiles.isEmpty)
        }
    }

    @Test("a server that is not running is unreachable")
    func refused() async throws {
        try await WholeStack.run({ _ in }) { stack in
            await stack.origin.stop()
            #expect(await stack.failure("/a.png")?.code == .unreachable)
            #expect(stack.cachedFiles.isEmpty)
        }
    }

    @Test("a host without an address is unreachable")
    func unknownHost() async throws {
        let url = try #require(URL(string: "http://easel.invalid/a.png"))
        let task = ImageManager { $0.cache = ImageCache(folder: nil as String?) }.load(ImageRequest(url))
        await #expect { try await task.response } throws: { ($0 as? ImageError)?.code == .unreachable }
    }

    @Test("a stalled server fails after the timeouts of the request")
    func stalls() async throws {
        try await WholeStack.run {
            $0.respond("/silent.png", with: Self.original, faults: [.noResponse])
            $0.respond("/stalls.png", with: Self.original, faults: [.holdBody(Gate(), at: 20)])
        } _: { stack in
            let silent = await stack.failure("/silent.png") { $0.http.timeouts.connect = .milliseconds(100) }
            let stalled = await stack.failure("/stalls.png") { $0.http.timeouts.idle = .milliseconds(100) }
            #expect(silent == .timedOut(.connect))
            #expect(stalled == .timedOut(.idle))
            #expect(stack.cachedFiles.isEmpty)
        }
    }

    @Test("a body over the byte limit is refused while it arrives (B81)")
    func tooManyBytes() async throws {
        try await WholeStack.run {
            $0.respond("/a.png", with: .bytes(Data(count: 5000)), faults: [.chunked()])
        } _: { stack in
            let error = await stack.failure("/a.png") { $0.limits.bytes = 1000 }
            #expect(error?.code == .tooLarge)
        }
    }

    @Test("a transient failure is retried if the request allows it (B77)")
    func retry() async throws {
        try await WholeStack.run {
            $0.respond("/a.png", with: [.status(503), .status(503), Self.original])
        } _: { stack in
            let request = stack.request("/a.png") { $0.retry = .exponential(attempts: 2, first: .milliseconds(1)) }
            let response = try await stack.manager.load(request).response
            #expect(response.timeline.requests == 3)
        }
    }

    @Test("a folder that cannot be written disables only caching, with a warning")
    func unwritableFolder() async throws {
        // A file cannot have a subfolder, not even for root.
        try await WholeStack.run(
            { $0.respond("/a.png", with: Self.original) }, folder: "/dev/null/easel"
        ) { stack in
            let log = WarningLog()
            let response = try await stack.freshManager(observer: log).load(stack.request("/a.png")).response
            #expect(response.image.size == PixelSize(64, 48))
            #expect(log.codes == [.unwritable])
        }
    }

    @Test("a changed file in the cache is downloaded again")
    func damagedFile() async throws {
        try await WholeStack.run {
            $0.respond("/a.png", with: Self.original)
        } _: { stack in
            _ = try await stack.manager.load(stack.request("/a.png")).response
            let path = stack.folder + "/" + (try #require(stack.cachedFiles.first))
            var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            bytes[40] ^= 0xFF
            let file = try #require(FileHandle(forWritingAtPath: path))
            try file.write(contentsOf: bytes)
            try file.close()
            #expect(try await stack.freshManager().load(stack.request("/a.png")).response.source == .network)
            #expect(stack.origin.requests.count == 2)
        }
    }
}

extension Result where Failure == ImageError {
    fileprivate var failure: ImageError? {
        if case .failure(let error) = self { error } else { nil }
    }
}
#endif

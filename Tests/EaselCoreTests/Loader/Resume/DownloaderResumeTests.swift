import EaselTesting
import FoundationEssentials
import TestSupport
import Testing

@testable import EaselCore

@Suite("Downloader: resuming partial downloads (P011, B82 to B84)", .timeLimit(.minutes(1)))
struct DownloaderResumeTests {
    private static let url = "http://images.test/a"
    private static let completeFile = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
    private static let broken = ImageError.connectionLost(received: 0, expected: nil)

    /// Returns the whole file, interrupted at `count`.
    private static func interruptedResponse(at count: Int, _ headers: HTTPHeaders = ["ETag": "\"1\""]) -> FakeResponse {
        .response(
            headers: headers, body: [.bytes(completeFile.prefix(count)), .failure(broken)],
            length: .announced(completeFile.count))
    }

    private static func remainingResponse(from offset: Int, _ change: (inout HTTPHeaders) -> Void = { _ in })
        -> FakeResponse
    {
        var headers: HTTPHeaders = ["ETag": "\"1\"", "Content-Range": "bytes \(offset)-299999/300000"]
        change(&headers)
        return .response(status: 206, headers: headers, body: [.bytes(completeFile.dropFirst(offset))])
    }

    private static let other = FakeResponse.response(headers: ["ETag": "\"2\""], body: [.bytes(Data(count: 70_000))])

    /// Loads once for each answer, in a separate folder, and checks the last load.
    private func load(
        _ answers: FakeResponse..., recorder: LoadRecorder = LoadRecorder(),
        _ check: (LoadedData, FakeTransport, TemporaryFolder) async throws -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            let fixture = DownloaderFixture { $0.partialFolder = folder.path }
            for (number, answer) in answers.enumerated() {
                fixture.transport.respond(Self.url, with: answer)
                let request = try DownloaderFixture.request()
                if number < answers.count - 1 {
                    await #expect(throws: ImageError.self) { try await fixture.load(request) }
                } else {
                    try await check(try await fixture.load(request, recorder), fixture.transport, folder)
                }
            }
        }
    }

    private func ranges(_ transport: FakeTransport) -> [String?] { transport.requests.map { $0.headers["Range"] } }

    @Test("the next load requests the missing range and returns the whole file")
    func resumes() async throws {
        let recorder = LoadRecorder()
        try await load(Self.interruptedResponse(at: 200_000), Self.remainingResponse(from: 200_000), recorder: recorder)
        {
            loaded, transport, folder in
            #expect(loaded.data == Self.completeFile)
            #expect(ranges(transport) == [nil, "bytes=200000-"])
            #expect(transport.requests.last?.headers["If-Range"] == "\"1\"")
            #expect(recorder.progress.first == LoadProgress(received: 200_000, expected: 300_000))
            #expect(recorder.progress.last == LoadProgress(received: 300_000, expected: 300_000))
            #expect(loaded.response?.status == 200)
            let names = try folder.names()
            #expect(names.isEmpty)
        }
    }

    @Test("the remainder of a file is accepted if only the status 200 is")
    func acceptableStatus() async throws {
        try await TemporaryFolder.with { folder in
            let fixture = DownloaderFixture {
                $0.partialFolder = folder.path
                $0.acceptableStatusCodes = [200]
            }
            fixture.transport.respond(
                Self.url, with: Self.interruptedResponse(at: 200_000), Self.remainingResponse(from: 200_000))
            let request = try DownloaderFixture.request()
            await #expect(throws: ImageError.self) { try await fixture.load(request) }
            #expect(try await fixture.load(request).data == Self.completeFile)
        }
    }

    @Test("no part is stored if the request forbids it (RFC 9111 5.2.1.5)")
    func noStore() async throws {
        try await TemporaryFolder.with { folder in
            let fixture = DownloaderFixture { $0.partialFolder = folder.path }
            fixture.transport.respond(Self.url, with: Self.interruptedResponse(at: 200_000))
            let request = try DownloaderFixture.request {
                $0.http.policy = .standard
                $0.http.headers["Cache-Control"] = "no-store"
            }
            await #expect(throws: ImageError.self) { try await fixture.load(request) }
            #expect(try folder.names().isEmpty)
        }
    }

    @Test("a retry within a load resumes too")
    func retry() async throws {
        try await TemporaryFolder.with { folder in
            let fixture = DownloaderFixture { $0.partialFolder = folder.path }
            fixture.transport.respond(
                Self.url, with: Self.interruptedResponse(at: 200_000), Self.remainingResponse(from: 200_000))
            let request = try DownloaderFixture.request { $0.retry = .exponential(attempts: 1, first: .zero) }
            let loaded = try await fixture.load(request)
            #expect(loaded.data == Self.completeFile)
            #expect(ranges(fixture.transport) == [nil, "bytes=200000-"])
        }
    }

    @Test("a download interrupted twice resumes twice")
    func twice() async throws {
        let second = FakeResponse.response(
            status: 206, headers: ["ETag": "\"1\"", "Content-Range": "bytes 100000-299999/300000"],
            body: [.bytes(Self.completeFile.dropFirst(100_000).prefix(100_000)), .failure(Self.broken)])
        try await load(Self.interruptedResponse(at: 100_000), second, Self.remainingResponse(from: 200_000)) {
            loaded, transport, _ in
            #expect(loaded.data == Self.completeFile)
            #expect(ranges(transport) == [nil, "bytes=100000-", "bytes=200000-"])
        }
    }

    @Test("a server may send the whole file instead, of any version (B83)")
    func completeResponse() async throws {
        try await load(Self.interruptedResponse(at: 200_000), Self.other) { loaded, _, folder in
            #expect(loaded.data == Data(count: 70_000))
            let names = try folder.names()
            #expect(names.isEmpty)
        }
    }

    @Test("a smaller whole file removes the partial download too")
    func smallerWhole() async throws {
        try await load(Self.interruptedResponse(at: 200_000), .bytes(Data([1, 2, 3]))) { loaded, _, folder in
            #expect(loaded.data == Data([1, 2, 3]))
            let names = try folder.names()
            #expect(names.isEmpty)
        }
    }

    @Test("an unrequested 206 is an error")
    func unasked() async throws {
        let fixture = DownloaderFixture()
        fixture.transport.respond(Self.url, with: Self.remainingResponse(from: 200_000))
        #expect(await fixture.error(of: try DownloaderFixture.request())?.code == .invalidResponse)
    }

    @Test("less than 64 KiB is not stored")
    func small() async throws {
        try await load(Self.interruptedResponse(at: 60_000), Self.other) { _, transport, _ in
            #expect(ranges(transport) == [nil, nil])
        }
    }

    @Test("a partial download of a file under 192 KiB is not stored")
    func smallFile() async throws {
        let answer = FakeResponse.response(
            headers: ["ETag": "\"1\""], body: [.bytes(Data(count: 150_000)), .failure(Self.broken)],
            length: .announced(160_000))
        try await load(answer, Self.other) { _, transport, folder in
            #expect(ranges(transport) == [nil, nil])
            let names = try folder.names()
            #expect(names.isEmpty)
        }
    }

    @Test("without a strong validator nothing is stored", arguments: [[:], ["ETag": "W/\"1\""]] as [HTTPHeaders])
    func noValidator(headers: HTTPHeaders) async throws {
        try await load(Self.interruptedResponse(at: 200_000, headers), Self.other) { _, transport, _ in
            #expect(ranges(transport) == [nil, nil])
        }
    }

    @Test(
        "a partial download that does not match is removed, and the whole file is requested at once",
        arguments: [
            remainingResponse(from: 200_000) { $0["ETag"] = "\"2\"" }, remainingResponse(from: 150_000),
            remainingResponse(from: 200_000) { $0["Content-Range"] = "bytes 200000-399999/400000" },
            remainingResponse(from: 200_000) { $0["Content-Range"] = nil }, .response(status: 416),
        ])
    func startsOver(answer: FakeResponse) async throws {
        try await TemporaryFolder.with { folder in
            let fixture = DownloaderFixture { $0.partialFolder = folder.path }
            fixture.transport.respond(Self.url, with: Self.interruptedResponse(at: 200_000), answer, Self.other)
            let request = try DownloaderFixture.request()
            #expect(await fixture.error(of: request) == Self.broken)
            let loaded = try await fixture.load(request)
            #expect(loaded.data == Data(count: 70_000) && loaded.timeline.requests == 2)
            #expect(ranges(fixture.transport) == [nil, "bytes=200000-", nil])
            let names = try folder.names()
            #expect(names.isEmpty)
        }
    }

    @Test("an error in between keeps the partial download (B84)")
    func errorBetween() async throws {
        try await load(
            Self.interruptedResponse(at: 200_000), .response(status: 503), Self.remainingResponse(from: 200_000)
        ) { loaded, _, _ in
            #expect(loaded.data == Self.completeFile)
        }
    }

    @Test("a cancelled load keeps its partial download, and a finished one leaves nothing (B84)")
    func cancelled() async throws {
        try await TemporaryFolder.with { folder in
            let fixture = DownloaderFixture { $0.partialFolder = folder.path }
            fixture.transport.respond(
                Self.url,
                with: .response(
                    headers: ["ETag": "\"1\""], body: [.bytes(Self.completeFile.prefix(200_000)), .hold(Gate())],
                    length: .announced(300_000)), Self.remainingResponse(from: 200_000))
            let request = try DownloaderFixture.request()
            let recorder = LoadRecorder()
            let task = Task { await fixture.error(of: request, recorder) }
            await recorder.waitForProgress(2)
            task.cancel()
            #expect(await task.value == .cancelled)
            let loaded = try await fixture.load(request)
            #expect(loaded.data == Self.completeFile)
            let names = try folder.names()
            #expect(names.isEmpty)
        }
    }

    @Test("a partial download for another identity is not used (B26)")
    func identity() async throws {
        try await TemporaryFolder.with { folder in
            let fixture = DownloaderFixture { $0.partialFolder = folder.path }
            fixture.transport.respond(Self.url, with: Self.interruptedResponse(at: 200_000), Self.other)
            _ = await fixture.error(of: try DownloaderFixture.request { $0.http.headers["Authorization"] = "one" })
            _ = try await fixture.load(DownloaderFixture.request { $0.http.headers["Authorization"] = "two" })
            #expect(ranges(fixture.transport) == [nil, nil])
        }
    }

    @Test("the limit applies to the whole file, and removes the partial download")
    func limit() async throws {
        try await TemporaryFolder.with { folder in
            let fixture = DownloaderFixture { $0.partialFolder = folder.path }
            fixture.transport.respond(
                Self.url, with: Self.interruptedResponse(at: 200_000), Self.remainingResponse(from: 200_000))
            _ = await fixture.error(of: try DownloaderFixture.request())
            let error = await fixture.error(of: try DownloaderFixture.request { $0.limits.bytes = 250_000 })
            #expect(error == .tooLarge(.bytes(300_000, limit: 250_000)))
            let names = try folder.names()
            #expect(names.isEmpty)
        }
    }
}

import EaselCore
import EaselTesting
import Foundation
import Testing

@Suite("Fake transport", .timeLimit(.minutes(1)))
struct FakeTransportTests {
    private let transport = FakeTransport()
    private let request = HTTPRequest(url: "http://images.test/a")

    private func read(_ body: HTTPBody) async throws(ImageError) -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        while let piece = try await body.next() { pieces.append(piece) }
        return pieces
    }

    @Test("The body arrives in the scripted pieces")
    func pieces() async throws {
        let body: [FakeResponse.Piece] = [.bytes(Data([1, 2])), .bytes(Data()), .bytes(Data([3]))]
        transport.respond(request.url, with: .response(status: 206, headers: ["ETag": "x"], body: body))
        let response = try await transport.send(request)
        #expect(response.status == 206)
        #expect(response.headers["etag"] == "x")
        #expect(response.bodyLength == 3)
        #expect(try await read(response.body) == [[1, 2], [3]])
        #expect(transport.exchanges.map(\.ending) == [.finished])
    }

    @Test("Answers are used in order, and the last one repeats")
    func script() async throws {
        transport.respond(request.url, with: .failure(.timedOut(.connect)), .bytes(Data([7])))
        await #expect(throws: ImageError.timedOut(.connect)) { try await transport.send(request) }
        for _ in 0..<2 {
            let response = try await transport.send(request)
            #expect(try await read(response.body) == [[7]])
        }
        #expect(transport.requests.count == 3)
    }

    @Test("A URL without an answer is unreachable")
    func unknown() async {
        await #expect(
            throws: ImageError.unreachable(host: request.url, reason: "The test has no response for it.")
        ) { try await transport.send(request) }
    }

    @Test("The head announces the configured length")
    func length() async throws {
        let body = [FakeResponse.Piece.bytes(Data([1]))]
        transport.respond(
            request.url, with: .response(body: body, length: .unknown),
            .response(body: body, length: .announced(1 << 40)))
        #expect(try await transport.send(request).bodyLength == nil)
        #expect(try await transport.send(request).bodyLength == 1 << 40)
    }

    @Test("A body can end with an error")
    func brokenBody() async throws {
        let error = ImageError.connectionLost(received: 1, expected: 2)
        transport.respond(request.url, with: .response(body: [.bytes(Data([1])), .failure(error)]))
        let response = try await transport.send(request)
        #expect(try await response.body.next() == [1])
        await #expect(throws: error) { try await response.body.next() }
        #expect(transport.exchanges.map(\.ending) == [.failed(error)])
    }

    @Test("A gate holds the head, and cancelling ends the wait")
    func waitsWithHead() async {
        transport.respond(request.url, with: .response(gate: Gate()))
        let sending = Task { [transport, request] in _ = try await transport.send(request) }
        await transport.waitForRequests(1)
        #expect(transport.exchanges.map(\.ending) == [nil])
        sending.cancel()
        await #expect(throws: ImageError.cancelled) { try await sending.value }
        #expect(transport.exchanges.map(\.ending) == [.dropped])
    }

    @Test("A cancelled reader gets no more of the body")
    func cancelledReader() async throws {
        transport.respond(request.url, with: .response(body: [.hold(Gate()), .bytes(Data([1]))]))
        let response = try await transport.send(request)
        let reading = Task { try await response.body.next() }
        reading.cancel()
        await #expect(throws: ImageError.cancelled) { try await reading.value }
        #expect(transport.exchanges.map(\.ending) == [.dropped])
    }

    @Test("A task that is already cancelled gets no head")
    func cancelledSender() async {
        transport.respond(request.url, with: .bytes(Data([1])))
        let gate = Gate()
        let sending = Task { [transport, request] in
            try? await gate.wait()
            _ = try await transport.send(request)
        }
        sending.cancel()
        await #expect(throws: ImageError.cancelled) { try await sending.value }
    }

    @Test("A gate holds the rest of the body until it opens")
    func waitsWithBody() async throws {
        let gate = Gate()
        transport.respond(request.url, with: .response(body: [.bytes(Data([1])), .hold(gate), .bytes(Data([2]))]))
        let response = try await transport.send(request)
        #expect(try await response.body.next() == [1])
        let next = Task { try await response.body.next() }
        gate.open()
        #expect(try await next.value == [2])
    }

    @Test("A released body is recorded as dropped")
    func droppedBody() async throws {
        transport.respond(request.url, with: .bytes(Data([1])))
        _ = try await transport.send(request)
        await transport.wait { $0.first?.ending == .dropped }
        #expect(transport.exchanges.map(\.ending) == [.dropped])
    }

    @Test("Nothing is sent after shutdown")
    func shutDown() async {
        await transport.shutDown()
        #expect(transport.isShutDown)
        await #expect(throws: ImageError.invalidated) { try await transport.send(request) }
        #expect(transport.requests.isEmpty)
    }
}

import EaselCore
import Foundation
import Testing

@testable import EaselTesting

@Suite("Response plans")
struct ResponsePlanTests {
    private let answer = ServerResponse(status: 200, headers: ["ETag": "x"], body: Data("0123456789".utf8))
    private let head = "HTTP/1.1 200 \r\nETag: x\r\nContent-Length: 10\r\n\r\n"

    /// Returns the steps as text, which makes failures readable.
    private func steps(_ faults: OriginFault..., keepsAlive: Bool = true) -> [String] {
        ResponsePlan(answer, faults: faults, keepsAlive: keepsAlive).steps.map { step in
            if case .write(let data) = step { String(decoding: data, as: UTF8.self) } else { "\(step)" }
        }
    }

    @Test("A plan without faults sends head and body and keeps the connection")
    func none() {
        #expect(steps() == [head, "0123456789"])
    }

    @Test("A request without keep-alive gets a Connection field, and the connection is closed")
    func notAlive() {
        let head = "HTTP/1.1 200 \r\nETag: x\r\nConnection: close\r\nContent-Length: 10\r\n\r\n"
        #expect(steps(keepsAlive: false) == [head, "0123456789", "close"])
    }

    @Test("delay waits before the head, delayBody after it")
    func delays() {
        #expect(
            ResponsePlan(answer, faults: [.delayBody(.seconds(2)), .delay(.seconds(1))]).steps == [
                .wait(.seconds(1)), .write(Data(head.utf8)), .wait(.seconds(2)), .write(answer.body),
            ])
    }

    @Test("closeAfter counts from the first byte of the head, over everything that is written")
    func closeAfter() {
        #expect(steps(.closeAfter(0)) == ["close"])
        #expect(steps(.closeAfter(9)) == ["HTTP/1.1 ", "close"])
        #expect(steps(.closeAfter(head.utf8.count)) == [head, "close"])
        #expect(steps(.closeAfter(head.utf8.count + 3)) == [head, "012", "close"])
        #expect(steps(.closeAfter(1000)) == [head, "0123456789", "close"])
    }

    @Test("dripHead sends the head in pieces")
    func dripHead() {
        let plan = ResponsePlan(answer, faults: [.dripHead(bytes: 40, every: .seconds(1))])
        #expect(
            plan.steps == [
                .write(Data(head.utf8.prefix(40))), .wait(.seconds(1)), .write(Data(head.utf8.dropFirst(40))),
                .write(answer.body),
            ])
    }

    @Test("garbageChunks announces chunks and sends other bytes")
    func garbageChunks() {
        let plan = steps(.garbageChunks)
        #expect(plan.first?.contains("Transfer-Encoding: chunked") == true)
        #expect(plan.count == 3 && plan.last == "close")
        #expect(plan[1].contains("this is not HTTP"))
    }

    @Test("hold waits before the head, holdBody at its offset")
    func holds() {
        let (first, second) = (Gate(), Gate())
        #expect(
            ResponsePlan(answer, faults: [.holdBody(second, at: 4), .hold(first)]).steps == [
                .hold(first), .write(Data(head.utf8)), .write(Data("0123".utf8)), .hold(second),
                .write(Data("456789".utf8)),
            ])
    }

    @Test("holdBody at or after the end of the body holds the end of the response", arguments: [10, 99])
    func holdAtEnd(offset: Int) {
        let gate = Gate()
        #expect(
            ResponsePlan(answer, faults: [.holdBody(gate, at: offset)], keepsAlive: false).steps.suffix(3) == [
                .write(answer.body), .hold(gate), .close,
            ])
    }

    @Test("drip waits only between pieces")
    func drip() {
        #expect(
            ResponsePlan(answer, faults: [.drip(bytes: 5, every: .seconds(1))]).steps.dropFirst() == [
                .write(Data("01234".utf8)), .wait(.seconds(1)), .write(Data("56789".utf8)),
            ])
    }

    @Test("truncate announces the whole body, sends part of it and closes")
    func truncate() {
        #expect(steps(.truncate(at: 3)) == [head, "012", "close"])
    }

    @Test("reset announces the whole body, sends part of it and resets")
    func reset() {
        #expect(steps(.reset(at: 3)) == [head, "012", "reset"])
    }

    @Test("truncate clamps its offset to the body")
    func cutOutside() {
        #expect(steps(.truncate(at: 99)) == [head, "0123456789", "close"])
        #expect(steps(.truncate(at: -1)) == [head, "close"])
    }

    @Test("wrongLength announces its length, and closes after the body", arguments: [3, 10_000_000_000])
    func wrongLength(announced: Int) {
        let head = "HTTP/1.1 200 \r\nETag: x\r\nContent-Length: \(announced)\r\n\r\n"
        #expect(steps(.wrongLength(announced)) == [head, "0123456789", "close"])
    }

    @Test("wrongLength announces 10 GB")
    func huge() {
        #expect(steps(.wrongLength(10_000_000_000)).first?.contains("Content-Length: 10000000000\r\n") == true)
    }

    @Test("chunked frames every piece and ends with an empty chunk")
    func chunked() {
        let head = "HTTP/1.1 200 \r\nETag: x\r\nTransfer-Encoding: chunked\r\n\r\n"
        #expect(
            steps(.chunked(size: 4)) == [head, "4\r\n0123\r\n", "4\r\n4567\r\n", "2\r\n89\r\n", "0\r\n\r\n"])
    }

    @Test("chunked with truncate omits the empty chunk")
    func truncatedChunked() {
        #expect(steps(.chunked(size: 4), .truncate(at: 6)).dropFirst() == ["4\r\n0123\r\n", "2\r\n45\r\n", "close"])
    }

    @Test("untilClose announces nothing and ends the body with the connection")
    func untilClose() {
        #expect(steps(.untilClose) == ["HTTP/1.1 200 \r\nETag: x\r\n\r\n", "0123456789", "close"])
    }

    @Test("emptyBody announces no bytes and sends none")
    func emptyBody() {
        #expect(steps(.emptyBody) == ["HTTP/1.1 200 \r\nETag: x\r\nContent-Length: 0\r\n\r\n"])
    }

    @Test("closeBeforeHead sends nothing")
    func closeBeforeHead() {
        #expect(steps(.closeBeforeHead) == ["close"])
    }

    @Test("closeInsideHead sends half of the head")
    func closeInsideHead() {
        #expect(steps(.closeInsideHead) == [String(decoding: Data(head.utf8).prefix(23), as: UTF8.self), "close"])
    }

    @Test("garbageHead sends bytes that are not HTTP and the body, and closes")
    func garbageHead() {
        let steps = steps(.garbageHead)
        #expect(steps.first?.hasPrefix("HTTP") == false)
        #expect(steps.dropFirst() == ["0123456789", "close"])
        #expect(self.steps(.garbageHead, .reset(at: 3)).dropFirst() == ["012", "reset"])
    }

    @Test("A response with only a head has no chunk, and truncate still closes")
    func headOnly() {
        var head = ServerResponse(status: 200, body: Data("0123456789".utf8))
        (head.body, head.isHeadOnly) = (Data(), true)
        #expect(
            ResponsePlan(head, faults: [.chunked()]).steps == [
                .write(Data("HTTP/1.1 200 \r\nTransfer-Encoding: chunked\r\n\r\n".utf8))
            ])
        head.length = nil
        #expect(
            ResponsePlan(head, faults: [.chunked(), .truncate(at: 3)]).steps == [
                .write(Data("HTTP/1.1 200 \r\n\r\n".utf8)), .close,
            ])
    }

    @Test("extraHeaders adds the given number of fields of the given size")
    func extraHeaders() {
        let head = "HTTP/1.1 200 \r\nETag: x\r\nX-Extra-0: xxx\r\nX-Extra-1: xxx\r\nContent-Length: 10\r\n\r\n"
        #expect(steps(.extraHeaders(count: 2, size: 3)).first == head)
    }

    @Test("neverAnswers stalls, even after a delay")
    func neverAnswers() {
        #expect(
            ResponsePlan(answer, faults: [.noResponse, .delay(.seconds(1))]).steps == [.wait(.seconds(1)), .stall])
    }

    @Test("Faults with invalid sizes do not trap")
    func senselessSizes() {
        #expect(steps(.chunked(size: 0)).count == 12)
        #expect(steps(.drip(bytes: Int.max, every: .zero)) == [head, "0123456789"])
        #expect(steps(.extraHeaders(count: -1, size: -1)) == [head, "0123456789"])
    }
}

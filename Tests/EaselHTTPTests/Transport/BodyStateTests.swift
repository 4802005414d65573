import EaselCore
import Testing

@testable import EaselTransport

@Suite("Body state")
struct BodyStateTests {
    private var state = BodyState<String>(highWatermark: 10)

    /// The result of an event, in a form that can be compared.
    private enum Outcome: Equatable {
        case waits
        case answers(BodyState<String>.Outcome, resumes: Bool)
        case keeps(pauses: Bool)
        case hands(String)
    }

    private mutating func append(_ bytes: [UInt8]) -> Outcome {
        let (reader, pauses) = state.append(bytes)
        return reader.map { .hands($0) } ?? .keeps(pauses: pauses)
    }

    private mutating func read(_ reader: String = "reader") -> Outcome {
        state.read(reader).map { .answers($0.outcome, resumes: $0.resumesProducer) } ?? .waits
    }

    @Test("Buffered chunks are read in one piece")
    mutating func coalescing() {
        #expect(append([1, 2]) == .keeps(pauses: false))
        #expect(append([3]) == .keeps(pauses: false))
        #expect(read() == .answers(.success([1, 2, 3]), resumes: false))
        #expect(read() == .waits)
    }

    @Test("A waiting reader receives the bytes at once, and they are not buffered")
    mutating func handing() {
        #expect(read("a") == .waits)
        #expect(append([1]) == .hands("a"))
        #expect(state.unreadCount == 0)
    }

    @Test("Buffered bytes and the end can be taken without waiting; an empty buffer gives nil")
    mutating func taking() {
        #expect(state.take() == nil)
        _ = append([1, 2])
        #expect(state.take()?.outcome == .success([1, 2]))
        #expect(state.take() == nil)
        _ = state.finish(.success(()))
        #expect(state.take()?.outcome == .success(nil))
    }

    @Test("The producer is paused once, at the watermark")
    mutating func pausing() {
        #expect(append(Array(repeating: 0, count: 9)) == .keeps(pauses: false))
        #expect(append([0]) == .keeps(pauses: true))
        #expect(append([0]) == .keeps(pauses: false))
        #expect(state.isPaused)
    }

    @Test("A read after a pause returns all bytes and resumes the producer once")
    mutating func resuming() {
        _ = append(Array(repeating: 0, count: 12))
        #expect(read() == .answers(.success(Array(repeating: 0, count: 12)), resumes: true))
        #expect(!state.isPaused)
        #expect(read() == .waits)
    }

    @Test("A second pause may begin before the producer has resumed")
    mutating func pausingAgain() {
        _ = append(Array(repeating: 0, count: 12))
        _ = read()
        #expect(append(Array(repeating: 0, count: 12)) == .keeps(pauses: true))
        #expect(state.isPaused)
        #expect(read() == .answers(.success(Array(repeating: 0, count: 12)), resumes: true))
    }

    @Test("Bytes before the end are read first, and every later read returns the end")
    mutating func ending() {
        _ = append([1])
        #expect(state.finish(.success(())) == nil)
        #expect(read() == .answers(.success([1]), resumes: false))
        #expect(read() == .answers(.success(nil), resumes: false))
        #expect(read() == .answers(.success(nil), resumes: false))
    }

    @Test("Bytes before an error are read first, and every later read returns the error")
    mutating func failing() {
        _ = append([1])
        #expect(state.finish(.failure(.timedOut(.idle))) == nil)
        #expect(read() == .answers(.success([1]), resumes: false))
        #expect(read() == .answers(.failure(.timedOut(.idle)), resumes: false))
        #expect(read() == .answers(.failure(.timedOut(.idle)), resumes: false))
    }

    @Test("A finished producer is not resumed")
    mutating func endedWhilePaused() {
        _ = append(Array(repeating: 0, count: 12))
        _ = state.finish(.success(()))
        #expect(read() == .answers(.success(Array(repeating: 0, count: 12)), resumes: false))
    }

    @Test("A waiting reader receives the end")
    mutating func endWhileWaiting() {
        _ = read("a")
        #expect(state.finish(.success(())) == "a")
        #expect(read() == .answers(.success(nil), resumes: false))
    }

    @Test("Only the first end counts")
    mutating func endedTwice() {
        _ = state.finish(.success(()))
        _ = state.finish(.failure(.cancelled))
        #expect(read() == .answers(.success(nil), resumes: false))
    }

    @Test("Cancelling drops later bytes, fails the waiting reader and stops the producer")
    mutating func cancelling() {
        _ = read("a")
        let action = state.cancel()
        #expect(action.reader == "a")
        #expect(action.stopsProducer)
        #expect(append([1]) == .keeps(pauses: false))
        #expect(state.unreadCount == 0)
        #expect(read() == .answers(.failure(.cancelled), resumes: false))
    }

    @Test("Cancelling drops unread bytes")
    mutating func cancellingUnread() {
        _ = append([1, 2, 3])
        _ = state.cancel()
        #expect(state.unreadCount == 0)
        #expect(read() == .answers(.failure(.cancelled), resumes: false))
    }

    @Test("Cancelling after the end stops nothing and changes nothing")
    mutating func cancellingAfterEnd() {
        _ = state.finish(.failure(.timedOut(.idle)))
        #expect(!state.cancel().stopsProducer)
        #expect(read() == .answers(.failure(.timedOut(.idle)), resumes: false))
    }

    @Test("Cancelling drops unread bytes after the end, and the body fails")
    mutating func cancellingUnreadAfterEnd() {
        _ = append([1])
        _ = state.finish(.success(()))
        _ = state.cancel()
        #expect(read() == .answers(.failure(.cancelled), resumes: false))
    }

    @Test("A second reader fails, and the first one stays")
    mutating func secondReader() {
        _ = read("a")
        #expect(
            read("b")
                == .answers(.failure(.unsupported("A body has one reader at a time.")), resumes: false))
        #expect(append([1]) == .hands("a"))
    }

    @Test("A watermark of 0 still accepts a byte")
    mutating func noWatermark() {
        state = BodyState(highWatermark: 0)
        #expect(append([1]) == .keeps(pauses: true))
        #expect(read() == .answers(.success([1]), resumes: true))
    }
}

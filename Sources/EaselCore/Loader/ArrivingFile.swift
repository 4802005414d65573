import EaselFoundation
import Synchronization

/// A file that is on its way, and whoever wants to look at what is there of it.
///
/// The bytes lie in one place. Who looks copies what is new to him, so that appending never has to copy what is there.
final class ArrivingFile: Sendable {
    private struct State: ~Copyable {
        var bytes: GatheredBytes
        var observers: [@Sendable () -> Void] = []
    }

    /// Bytes of the whole, where the server says.
    let expected: Int?
    /// What the answer says about keeping the file.
    let response: StoredResponse?
    private let state: Mutex<State>

    /// A file of which `beginning` is there.
    init(beginning: Data, expected: Int?, response: StoredResponse?) {
        self.expected = expected
        self.response = response
        state = Mutex(State(bytes: GatheredBytes(beginning: beginning, expected: expected)))
    }

    /// Bytes that are there.
    var count: Int { state.withLock { $0.bytes.count } }

    /// A copy of what lies behind the first `offset` bytes.
    func bytes(from offset: Int) -> Data {
        state.withLock { $0.bytes.bytes(from: offset) }
    }

    /// Calls `observer`, which must not block, now and after each piece.
    func observe(_ observer: @escaping @Sendable () -> Void) {
        state.withLock { $0.observers.append(observer) }
        observer()
    }

    func append(_ piece: [UInt8]) {
        let observers = state.withLock { state in
            state.bytes.append(piece)
            return state.observers
        }
        for observe in observers { observe() }
    }

    /// The file, for whom it was gathered. Nobody can look at it any more.
    func finish() -> Data {
        state.withLock { state in
            state.observers = []
            return exchange(&state.bytes, with: GatheredBytes()).finish()
        }
    }
}

import EaselFoundation
import Synchronization

/// A file in flight. Its observers copy the new bytes.
final class ArrivingFile: Sendable {
    private struct State {
        var bytes: Data
        /// `nil` after the end: observers retain the file, so that one that comes later would keep it forever.
        var observers: [@Sendable () -> Void]? = []
    }

    /// The length of the complete file, if known.
    let expected: Int?
    /// The stored fields of the response.
    let response: StoredResponse?
    private let state: Mutex<State>

    init(beginning: Data, expected: Int?, response: StoredResponse?) {
        self.expected = expected
        self.response = response
        var bytes = beginning
        // The announced length may be wrong.
        bytes.reserveCapacity(min(expected ?? 0, 64 << 20))
        state = Mutex(State(bytes: bytes))
    }

    /// The number of bytes received.
    var count: Int { state.withLock { $0.bytes.count } }

    /// Returns a copy of the bytes after the first `offset`.
    func bytes(from offset: Int) -> Data {
        state.withLock { state in
            offset < state.bytes.count ? state.bytes.withUnsafeBytes { Data($0[offset...]) } : Data()
        }
    }

    /// Calls `observer`, which must not block, now and after each chunk until the end.
    func observe(_ observer: @escaping @Sendable () -> Void) {
        state.withLock { $0.observers?.append(observer) }
        observer()
    }

    func append(_ chunk: [UInt8]) {
        let observers = state.withLock { state in
            state.bytes.append(contentsOf: chunk)
            return state.observers ?? []
        }
        for observe in observers { observe() }
    }

    /// Moves the bytes out, and removes the observers.
    @discardableResult
    func finish() -> Data {
        state.withLock { state in
            state.observers = nil
            return exchange(&state.bytes, with: Data())
        }
    }
}

import EaselFoundation
import Synchronization

/// Writes the pieces of a download as they come, behind its back: the download waits only where the disk falls behind.
final class PartialWriter: Sendable {
    private struct State {
        var pending: [UInt8] = []
        var room: Int
        var writing: Task<Void, Never>?
    }

    private let file: OpenFile
    private let state: Mutex<State>
    /// Bytes that may wait for the disk.
    private static let highWatermark = 1 << 20

    /// - Parameter room: the most bytes that are written; what comes behind them is not kept.
    init(_ file: consuming OpenFile, room: Int) {
        self.file = file
        state = Mutex(State(room: room))
    }

    /// Takes a piece.
    func append(_ bytes: [UInt8]) async {
        let waiting = state.withLock { state -> Task<Void, Never>? in
            guard state.room >= bytes.count else {
                // A hole would make what comes behind it useless.
                state.room = 0
                return nil
            }
            state.room -= bytes.count
            state.pending += bytes
            // Inside the lock, so that there is one at a time; a new task only queues.
            if state.writing == nil { state.writing = Task { await self.write() } }
            return state.pending.count > Self.highWatermark ? state.writing : nil
        }
        await waiting?.value
    }

    /// Returns when everything that was taken is written.
    func finish() async {
        await state.withLock { $0.writing }?.value
    }

    private func write() async {
        while let bytes = next() {
            let isWritten = await WorkerPool.writes.run { (try? file.append(PartialFile.frame(bytes))) != nil }
            if !isWritten { state.withLock { $0.room = 0 } }
        }
    }

    private func next() -> [UInt8]? {
        state.withLock { state in
            guard !state.pending.isEmpty else {
                state.writing = nil
                return nil
            }
            defer { state.pending = [] }
            return state.pending
        }
    }
}

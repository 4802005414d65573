import EaselFoundation
import Synchronization

/// What one attempt at a download does about the part that an earlier one has left, and about leaving one itself (P011).
final class Resumption: Sendable {
    private struct State {
        /// What an earlier attempt has left, unless it has turned out to be of no use.
        var left: PartialDownload?
        /// Whether the answer goes on where that ends.
        var isContinued = false
        /// The answer that is being read, and what is remembered of it.
        var answer: HTTPResponse?
        var remembered: StoredResponse?
        var writer: PartialWriter?
        /// Whether nothing of this answer is kept.
        var isGivenUp = false
    }

    private let folder: PartialFolder
    private let request: ImageRequest
    private let hadPart: Bool
    private let state: Mutex<State>
    /// A part that is smaller is loaded again as fast as it is asked about (B82).
    private static let smallestPart = 64 << 10
    /// A file that is announced as smaller is loaded anew: making and removing a part for each costs more than the few that
    /// break off.
    private static let smallestFile = 192 << 10

    /// Looks for what is left of `request`, unless there is nothing to be found.
    init(_ request: ImageRequest, in folder: PartialFolder, looks: Bool = true) async {
        self.folder = folder
        self.request = request
        let left = looks ? await folder.partial(for: request.originalKey, limit: request.limits.bytes) : nil
        hadPart = left != nil
        state = Mutex(State(left: left))
    }

    private var key: CacheKey { request.originalKey }

    /// `request` for what is missing.
    func asking(_ request: HTTPRequest) -> HTTPRequest {
        state.withLock { $0.left?.asking(request) } ?? request
    }

    /// Whether the whole has to be asked for, because what is left does not fit the answer (B83).
    func startsOver(_ answer: HTTPResponse) async -> Bool {
        let verdict = state.withLock { state -> PartialDownload.Verdict in
            guard let verdict = state.left?.verdict(answer) else { return .unrelated }
            state.isContinued = verdict == .continues
            if verdict == .whole || verdict == .startOver { state.left = nil }
            return verdict
        }
        guard verdict == .startOver else { return false }
        await folder.remove(key)
        return true
    }

    /// Whether the answer goes on where the part ends.
    var isContinued: Bool { state.withLock { $0.isContinued } }

    /// What is remembered of the whole, where `answer` brings only the rest of it (RFC 9111 3.4).
    func completed(_ stored: StoredResponse, by answer: HTTPResponse) -> StoredResponse {
        guard let left = state.withLock({ $0.isContinued ? $0.left : nil }) else { return stored }
        return stored.completing(left.response)
    }

    /// What is there before the answer's body.
    var beginning: Data { state.withLock { $0.isContinued ? $0.left?.body : nil } ?? Data() }

    /// Bytes of the whole, where the answer brings only the rest of it.
    var total: Int? {
        state.withLock { state in
            guard state.isContinued, let answer = state.answer else { return nil }
            return state.left?.total(with: answer)
        }
    }

    /// Reads an answer by `body`, which calls `keep` with every piece, and forgets the part when it is whole.
    func collecting(
        _ answer: HTTPResponse, _ remembered: StoredResponse, _ body: () async throws(ImageError) -> Data
    ) async throws(ImageError) -> Data {
        state.withLock { state in
            state.answer = answer
            state.remembered = remembered
        }
        do throws(ImageError) {
            let data = try await body()
            let isWritten = await finishWriting()
            if isWritten || hadPart { await folder.remove(key) }
            if let total, total != data.count { throw .connectionLost(received: data.count, expected: total) }
            return data
        } catch {
            _ = await finishWriting()
            if case .tooLarge = error { await folder.remove(key) }
            throw error
        }
    }

    /// Takes a piece, which is the end of what has come.
    func keep(_ piece: [UInt8], of file: ArrivingFile) async {
        guard file.count >= Self.smallestPart else { return }
        if let writer = state.withLock({ $0.writer }) { return await writer.append(piece) }
        let partial = state.withLock { state -> PartialDownload? in
            guard !state.isGivenUp, let answer = state.answer, let remembered = state.remembered,
                state.isContinued || (answer.bodyLength ?? .max) >= Self.smallestFile
            else { return nil }
            // Once begun or found impossible, it is not tried again with every piece.
            state.isGivenUp = true
            let body = file.bytes(from: 0)
            if state.isContinued, let left = state.left {
                return PartialDownload(response: remembered, total: left.total(with: answer), body: body)
            }
            return PartialDownload(beginning: body, of: answer, remembered: remembered)
        }
        guard let partial, let writer = await folder.begin(partial, for: key) else { return }
        state.withLock { $0.writer = writer }
    }

    /// Returns, when all that was taken is written, whether anything was.
    private func finishWriting() async -> Bool {
        guard let writer = state.withLock({ $0.writer }) else { return false }
        await writer.finish()
        return true
    }
}

import EaselFoundation
import Synchronization

/// The partial download of one attempt: the one that an earlier attempt has left, and the one that this attempt writes.
final class Resumption: Sendable {
    private struct State {
        /// The part that an earlier attempt has left, unless it does not fit the response.
        var left: PartialDownload?
        /// Whether the response continues that part.
        var isContinued = false
        /// The response that is being read, and its stored fields.
        var answer: HTTPResponse?
        var remembered: StoredResponse?
        var writer: PartialWriter?
        /// Whether no writer is to be created any more.
        var isGivenUp = false
    }

    private let folder: PartialFolder
    private let request: ImageRequest
    private let hadPart: Bool
    private let state: Mutex<State>
    /// A smaller part takes no longer to load again than to resume.
    private static let smallestPart = 64 << 10
    /// No part of a smaller file is kept: that would cost more than loading the few that are interrupted again.
    private static let smallestFile = 192 << 10

    /// Looks for a part of `request`'s file if `looks` is true.
    init(_ request: ImageRequest, in folder: PartialFolder, looks: Bool = true) async {
        self.folder = folder
        self.request = request
        let left = looks ? await folder.partial(for: request.originalKey, limit: request.limits.bytes) : nil
        hadPart = left != nil
        state = Mutex(State(left: left))
    }

    private var key: CacheKey { request.originalKey }

    /// `request` for the missing rest.
    func asking(_ request: HTTPRequest) -> HTTPRequest {
        state.withLock { $0.left?.asking(request) } ?? request
    }

    /// Whether to request the whole, as the part does not fit the response.
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

    /// Whether the response continues the part.
    var isContinued: Bool { state.withLock { $0.isContinued } }

    /// The stored fields of the whole, if `answer` has only the rest of it (RFC 9111 3.4).
    func completed(_ stored: StoredResponse, by answer: HTTPResponse) -> StoredResponse {
        guard let left = state.withLock({ $0.isContinued ? $0.left : nil }) else { return stored }
        return stored.completing(left.response)
    }

    /// The bytes before the response's body.
    var beginning: Data { state.withLock { $0.isContinued ? $0.left?.body : nil } ?? Data() }

    /// Bytes of the whole, if the response has only the rest of it.
    var total: Int? {
        state.withLock { state in
            guard state.isContinued, let answer = state.answer else { return nil }
            return state.left?.total(with: answer)
        }
    }

    /// Reads a response by `body`, which calls `keep` with every piece, and removes the part when the file is whole.
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

    /// Writes a piece, which is the end of `file`.
    func keep(_ piece: [UInt8], of file: ArrivingFile) async {
        guard file.count >= Self.smallestPart else { return }
        if let writer = state.withLock({ $0.writer }) { return await writer.append(piece) }
        let partial = state.withLock { state -> PartialDownload? in
            guard !state.isGivenUp, let answer = state.answer, let remembered = state.remembered,
                state.isContinued || (answer.bodyLength ?? .max) >= Self.smallestFile
            else { return nil }
            // Not tried again with every piece.
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

    /// Waits until everything is written. Returns whether anything was.
    private func finishWriting() async -> Bool {
        guard let writer = state.withLock({ $0.writer }) else { return false }
        await writer.finish()
        return true
    }
}

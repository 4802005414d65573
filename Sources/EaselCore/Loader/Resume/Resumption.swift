import EaselFoundation

/// The partial download of one attempt: the part that an earlier attempt has left, and the file that this attempt
/// writes. Used by one task.
final class Resumption {
    /// Whether the response continues the part.
    private(set) var isContinued = false

    private let folder: PartialFolder
    private let request: ImageRequest
    private let hadPart: Bool
    private var part: PartialDownload?
    private var writer: PartialWriter?
    private var hasTriedToWrite = false
    /// Loading a smaller part again takes no longer than resuming it.
    private static let smallestPart = 64 << 10
    /// Parts of smaller files are not stored: that costs more than loading the few interrupted ones again.
    private static let smallestFile = 192 << 10

    /// Searches for a part of the file of `request`, unless `searches` is false.
    init(_ request: ImageRequest, in folder: PartialFolder, searches: Bool = true) async {
        self.folder = folder
        self.request = request
        part = searches ? await folder.partial(for: request.originalKey, limit: request.limits.bytes) : nil
        hadPart = part != nil
    }

    private var key: CacheKey { request.originalKey }

    /// Returns `request`, for the missing remainder if there is a part.
    func addRange(to request: HTTPRequest) -> HTTPRequest { part?.addRange(to: request) ?? request }

    /// Evaluates a response. Returns whether the whole file must be requested, because the part does not fit the
    /// response.
    func startsOver(after response: HTTPResponse) async -> Bool {
        guard let verdict = part?.evaluate(response) else { return false }
        isContinued = verdict == .continues
        if verdict == .whole || verdict == .startOver { part = nil }
        guard verdict == .startOver else { return false }
        await folder.remove(key)
        return true
    }

    /// Returns the fields to store for the whole, if `stored` is of its remainder (RFC 9111 3.4).
    func complete(_ stored: StoredResponse) -> StoredResponse {
        isContinued ? part.map { stored.merge(into: $0.response) } ?? stored : stored
    }

    /// The bytes before the body of the response.
    var beginning: Data { isContinued ? part?.body ?? Data() : Data() }

    /// Returns the length of the whole, if `response` is only the remainder.
    func total(with response: HTTPResponse) -> Int? { isContinued ? part?.total(with: response) : nil }

    /// Reads a response by `body`, which calls `write` with every piece, and removes the part when the file is
    /// complete.
    func collect(
        _ response: HTTPResponse, _ body: () async throws(ImageError) -> Data
    ) async throws(ImageError) -> Data {
        do throws(ImageError) {
            let data = try await body()
            if writer != nil || hadPart { await folder.remove(key) }
            if let total = total(with: response), total != data.count {
                throw .connectionLost(received: data.count, expected: total)
            }
            return data
        } catch {
            if error.code == .tooLarge { await folder.remove(key) }
            throw error
        }
    }

    /// Writes a piece, which is the end of `file`.
    func write(_ piece: [UInt8], of file: ArrivingFile, _ response: HTTPResponse) async {
        if let writer { return await writer.append(piece) }
        guard !hasTriedToWrite, file.count >= Self.smallestPart, let stored = file.response,
            isContinued || (response.bodyLength ?? .max) >= Self.smallestFile
        else { return }
        hasTriedToWrite = true
        let body = file.bytes(from: 0)
        let whole =
            isContinued
            ? PartialDownload(response: stored, total: total(with: response), body: body)
            : PartialDownload(beginning: body, of: response, stored: stored)
        if let whole { writer = await folder.begin(whole, for: key) }
    }
}

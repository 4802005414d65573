#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Gathers the body of an answer.
enum BodyCollector {
    /// The whole body, after what an earlier attempt has left of it, counted as it comes: the announced length may be
    /// missing, or a lie.
    ///
    /// - Throws: `ImageError.tooLarge`, `.badData` for an empty body, and what the transport throws.
    static func collect(
        _ response: HTTPResponse, _ resumption: Resumption, limit: Int, progress: ProgressFilter, _ context: LoadContext
    ) async throws(ImageError) -> Data {
        var data = resumption.beginning
        let expected = resumption.total ?? response.bodyLength
        if let expected, expected > limit { throw .tooLarge(.bytes(expected, limit: limit)) }
        data.reserveCapacity(min(expected ?? 0, largestReservation))
        var progress = progress
        if progress.passes(received: data.count, expected: expected) {
            context.report(received: data.count, expected: expected)
        }
        while let piece = try await response.body.next() {
            guard data.count + piece.count <= limit else {
                throw .tooLarge(.bytes(data.count + piece.count, limit: limit))
            }
            data.append(contentsOf: piece)
            await resumption.keep(piece, of: data)
            if progress.passes(received: data.count, expected: expected) {
                context.report(received: data.count, expected: expected)
            }
        }
        guard !data.isEmpty else {
            throw .badData("The server's answer is empty. Check the URL in a browser.")
        }
        return data
    }

    /// An announced length is only a guess until the bytes are there.
    private static let largestReservation = 16 << 20
}

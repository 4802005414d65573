import EaselFoundation

/// Gathers the body of an answer.
enum BodyCollector {
    /// The whole body, after what an earlier attempt has left of it, counted as it comes: the announced length may be
    /// missing, or a lie.
    ///
    /// - Throws: `ImageError.tooLarge`, `.badData` for an empty body, and what the transport throws.
    static func collect(
        _ response: HTTPResponse, _ stored: StoredResponse, _ resumption: Resumption?, _ bounds: Bounds,
        _ context: LoadContext
    ) async throws(ImageError) -> Data {
        let expected = resumption?.total ?? response.bodyLength
        if let expected, expected > bounds.limit { throw .tooLarge(.bytes(expected, limit: bounds.limit)) }
        let file = ArrivingFile(beginning: resumption?.beginning ?? Data(), expected: expected, response: stored)
        var received = file.count
        var progress = bounds.progress
        if progress.passes(received: received, expected: expected) {
            context.report(received: received, expected: expected)
        }
        if bounds.showsPieces { context.report(.arriving(file)) }
        while let piece = try await response.body.next() {
            received += piece.count
            guard received <= bounds.limit else { throw .tooLarge(.bytes(received, limit: bounds.limit)) }
            file.append(piece)
            if let resumption { await resumption.keep(piece, of: file) }
            if progress.passes(received: received, expected: expected) {
                context.report(received: received, expected: expected)
            }
        }
        guard received > 0 else {
            throw .badData("The server's answer is empty. Check the URL in a browser.")
        }
        return file.finish()
    }

    /// How much is taken, and how much is told of it.
    struct Bounds {
        /// The most bytes.
        let limit: Int
        /// Which progress is reported.
        let progress: ProgressFilter
        /// Whether others may look at the file before it is whole: not where the bytes are a secret still (X142).
        let showsPieces: Bool
    }
}

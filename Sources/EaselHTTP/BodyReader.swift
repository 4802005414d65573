internal import EaselCore
internal import Synchronization

/// The reader's end of a body: pulls pieces from the exchange and undoes their content coding.
///
/// Decoding happens on the reader's side, not on libcurl's thread, so that one slow body does not hold up the others
/// and the back-pressure is the same with and without compression.
final class BodyReader: Sendable {
    /// The most that one read decompresses.
    private static let pieceLimit = 128 << 10

    private let exchange: Exchange
    private let coding: ContentCoding
    /// Made at the first byte: answers without a body may name any coding. Locked by the one reader only.
    private let decoder = Mutex<ContentDecoder?>(nil)

    init(_ exchange: Exchange, coding: ContentCoding) {
        self.exchange = exchange
        self.coding = coding
    }

    /// The next decoded piece, `nil` after the last.
    func next() async throws(ImageError) -> [UInt8]? {
        guard coding != .identity else { return try await exchange.next() }
        do throws(ImageError) {
            return try await nextDecoded()
        } catch {
            exchange.cancel()
            throw error
        }
    }

    private func nextDecoded() async throws(ImageError) -> [UInt8]? {
        let limit = min(Self.pieceLimit, exchange.request.highWatermark)
        while true {
            let decoded = Result { () throws(ImageError) -> [UInt8]? in
                try decoder.withLock { (decoder) throws(ImageError) in try decoder?.next(limit: limit) }
            }
            if let piece = try decoded.get() { return piece }
            guard let input = try await exchange.next() else {
                try decoder.withLock { (decoder) throws(ImageError) in try decoder?.finish() }
                return nil
            }
            try decoder.withLock { (decoder) throws(ImageError) in
                if decoder == nil { decoder = try ContentDecoder(coding) }
                decoder?.feed(input)
            }
        }
    }
}

internal import EaselCore
internal import EaselTransport
internal import Synchronization

/// The consumer of a body: pulls chunks from the exchange and reverses their content coding.
///
/// Decoding runs on the reader's task instead of libcurl's thread, so one slow body does not block the others, and
/// backpressure is the same with and without compression.
final class BodyReader: Sendable {
    /// The maximum size of one decompressed chunk.
    private static let chunkLimit = 128 << 10

    private let exchange: Exchange
    private let coding: ContentCoding
    /// Created at the first byte, since responses without a body can declare any coding. Only one reader locks it.
    private let decoder = Mutex<ContentDecoder?>(nil)

    init(_ exchange: Exchange, coding: ContentCoding) {
        self.exchange = exchange
        self.coding = coding
    }

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
        let limit = min(Self.chunkLimit, exchange.request.highWatermark)
        while true {
            let decoded = Result { () throws(ImageError) -> [UInt8]? in
                try decoder.withLock { (decoder) throws(ImageError) in try decoder?.next(limit: limit) }
            }
            if let chunk = try decoded.get() { return chunk }
            guard let input = try await exchange.next() else {
                try decoder.withLock { (decoder) throws(ImageError) in try decoder?.finish() }
                return nil
            }
            try decoder.withLock { (decoder) throws(ImageError) in
                if decoder == nil { decoder = try ContentDecoder(coding) }
                decoder?.append(input)
            }
        }
    }
}

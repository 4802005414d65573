internal import CZlib
internal import EaselCore
internal import EaselTransport

/// A decoder that decompresses gzip and deflate in chunks of limited size.
///
/// libcurl's own decoding accepts truncated streams, and inflates into memory without limit while a transfer is paused.
/// This decoder inflates only on demand, so a decompression bomb costs no more memory than any other body.
struct ContentDecoder: ~Copyable {
    private enum Phase {
        /// No byte of the stream has been read.
        case before
        case inside
        /// After a gzip member: another member or padding can follow.
        case betweenMembers
        /// After the end. Further bytes are padding, which is ignored.
        case ended
    }

    /// zlib's state points to its stream, so the stream needs a stable address.
    private let stream: UnsafeMutablePointer<z_stream>
    private let isGzip: Bool
    private var phase = Phase.before
    private var isOpen = false
    private var input: [UInt8] = []
    private var consumedCount = 0
    private var receivedCount = 0
    private var decodedCount = 0
    /// Whether the last chunk had the maximum size: zlib may have more output without further input.
    private var mayHaveOutput = false

    /// - Throws: `ImageError.invalidResponse` for an unsupported coding.
    init(_ coding: ContentCoding) throws(ImageError) {
        switch coding {
        case .gzip: isGzip = true
        case .deflate: isGzip = false
        case .identity: throw .invalidResponse("its body has no content coding.")
        case .unknown(let name):
            throw .invalidResponse("its body is compressed as \"\(name.printable)\", which Easel did not request.")
        }
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
    }

    deinit {
        if isOpen { inflateEnd(stream) }
        stream.deinitialize(count: 1)
        stream.deallocate()
    }

    /// Adds the next bytes from the network. Call only after `next` has returned `nil`.
    mutating func append(_ bytes: [UInt8]) {
        input = consumedCount == input.count ? bytes : input[consumedCount...] + bytes
        consumedCount = 0
        receivedCount += bytes.count
    }

    /// Returns decoded bytes, at most `limit` and never empty; `nil` if more input is required.
    ///
    /// - Throws: `ImageError.invalidResponse` for damaged data, and for far more input than output.
    mutating func next(limit: Int) throws(ImageError) -> [UInt8]? {
        while consumedCount < input.count || mayHaveOutput {
            switch phase {
            case .before:
                // The second byte distinguishes zlib's format from raw deflate.
                guard input.count - consumedCount >= 2 else { return nil }
                try open()
            case .inside:
                let chunk = try inflateChunk(limit: limit)
                decodedCount += chunk.count
                if !chunk.isEmpty { return chunk }
            case .betweenMembers:
                let isMember = input[consumedCount] == 0x1F
                if isMember { inflateReset(stream) }
                phase = isMember ? .inside : .ended
            case .ended:
                consumedCount = input.count
            }
        }
        // Ends a body of endless padding or empty blocks. Even a gzip member for each byte takes only 21 bytes a byte.
        guard receivedCount <= 65_536 + 32 * decodedCount else {
            throw .invalidResponse("its compressed body is far larger than its content.")
        }
        return nil
    }

    /// Marks the end of the input.
    ///
    /// - Throws: `ImageError.connectionLost` if the data is truncated. An empty body is complete, as in a response to
    ///   HEAD.
    func finish() throws(ImageError) {
        switch phase {
        case .betweenMembers, .ended: return
        case .before where receivedCount == 0: return
        case .before, .inside: throw .connectionLost(received: receivedCount, expected: nil)
        }
    }

    private mutating func open() throws(ImageError) {
        let first = input[consumedCount]
        let second = input[consumedCount + 1]
        let isZlib = first & 0x0F == 8 && (Int(first) << 8 | Int(second)) % 31 == 0
        let windowBits = isGzip ? MAX_WBITS + 16 : isZlib ? MAX_WBITS : -MAX_WBITS
        let code = inflateInit2_(stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard code == Z_OK else { throw .invalidResponse("no memory is available to decompress it.") }
        isOpen = true
        phase = .inside
    }

    /// Calls zlib once, which consumes input, returns output, or both.
    private mutating func inflateChunk(limit: Int) throws(ImageError) -> [UInt8] {
        var code = Z_OK
        let limit = max(1, limit)
        let available = UInt32(clamping: input.count - consumedCount)
        let chunk = input.withUnsafeMutableBufferPointer { input in
            [UInt8](unsafeUninitializedCapacity: limit) { output, count in
                stream.pointee.next_in = input.baseAddress.map { $0 + consumedCount }
                stream.pointee.avail_in = available
                stream.pointee.next_out = output.baseAddress
                stream.pointee.avail_out = UInt32(clamping: limit)
                code = inflate(stream, Z_NO_FLUSH)
                count = Int(UInt32(clamping: limit) - stream.pointee.avail_out)
            }
        }
        consumedCount += Int(available - stream.pointee.avail_in)
        mayHaveOutput = false
        switch code {
        case Z_STREAM_END: phase = isGzip ? .betweenMembers : .ended
        case Z_OK: mayHaveOutput = chunk.count == limit
        case Z_BUF_ERROR: break
        default: throw .invalidResponse("its compressed body is damaged.")
        }
        return chunk
    }
}

internal import CZlib
internal import EaselCore

/// Undoes gzip and deflate, a bounded piece at a time.
///
/// libcurl could do it, but takes a stream that ends too early for a whole one, and a paused transfer inflates on into
/// its memory. Here nothing is inflated before it is asked for, so that a bomb costs its reader no more than any body.
struct ContentDecoder: ~Copyable {
    private enum Phase {
        /// No byte of the stream is taken yet.
        case before
        case inside
        /// Behind a gzip member: another may follow, or padding.
        case betweenMembers
        /// Behind the end. What a server sends there is padding.
        case ended
    }

    /// zlib's state points back at its stream, so that the stream must stay where it is.
    private let stream: UnsafeMutablePointer<z_stream>
    private let isGzip: Bool
    private var phase = Phase.before
    private var isOpen = false
    private var input: [UInt8] = []
    private var consumedCount = 0
    private var receivedCount = 0
    /// Whether the last piece was as long as allowed: zlib may hold more of it without any input.
    private var mayHoldOutput = false

    /// - Throws: `ImageError.invalidResponse` for a coding that is not known here.
    init(_ coding: ContentCoding) throws(ImageError) {
        switch coding {
        case .gzip: isGzip = true
        case .deflate: isGzip = false
        case .identity: throw .invalidResponse("its body has no content coding.")
        case .unknown(let name):
            throw .invalidResponse("its body is compressed as \"\(name.printable)\", which Easel did not ask for.")
        }
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
    }

    deinit {
        if isOpen { inflateEnd(stream) }
        stream.deinitialize(count: 1)
        stream.deallocate()
    }

    /// Takes the next bytes from the network, once `next` has no more to give.
    mutating func feed(_ bytes: [UInt8]) {
        input = consumedCount == input.count ? bytes : input[consumedCount...] + bytes
        consumedCount = 0
        receivedCount += bytes.count
    }

    /// Decoded bytes, `limit` at most and never none; `nil` where it takes more input to go on.
    ///
    /// - Throws: `ImageError.invalidResponse` for damaged data.
    mutating func next(limit: Int) throws(ImageError) -> [UInt8]? {
        while consumedCount < input.count || mayHoldOutput {
            switch phase {
            case .before:
                // The second byte tells zlib's format from raw deflate.
                guard input.count - consumedCount >= 2 else { return nil }
                try open()
            case .inside:
                let piece = try inflatePiece(limit: limit)
                if !piece.isEmpty { return piece }
            case .betweenMembers:
                let isMember = input[consumedCount] == 0x1F
                if isMember { inflateReset(stream) }
                phase = isMember ? .inside : .ended
            case .ended:
                consumedCount = input.count
            }
        }
        return nil
    }

    /// The network has no more bytes.
    ///
    /// - Throws: `ImageError.connectionLost` where the data ends too early. A body of no bytes at all is whole: the
    ///   answer to HEAD has one.
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
        guard code == Z_OK else { throw .invalidResponse("there is no memory to decompress it.") }
        isOpen = true
        phase = .inside
    }

    /// One call of zlib, which takes input, gives output, or both.
    private mutating func inflatePiece(limit: Int) throws(ImageError) -> [UInt8] {
        var code = Z_OK
        let limit = max(1, limit)
        let available = UInt32(clamping: input.count - consumedCount)
        let piece = input.withUnsafeMutableBufferPointer { input in
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
        mayHoldOutput = false
        switch code {
        case Z_STREAM_END: phase = isGzip ? .betweenMembers : .ended
        case Z_OK: mayHoldOutput = piece.count == limit
        case Z_BUF_ERROR: break
        default: throw .invalidResponse("its compressed body is damaged.")
        }
        return piece
    }
}

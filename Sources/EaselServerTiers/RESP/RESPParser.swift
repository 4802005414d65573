#if Server
import EaselFoundation
import NIOCore

/// An incremental parser of RESP2 replies.
///
/// A pure value: bytes are appended as they arrive, and complete replies are taken out. Announced lengths and counts
/// are checked against limits before memory is allocated for them. After an error, the stream has no known boundaries,
/// and its connection must be closed.
struct RESPParser {
    /// The limits of one reply.
    struct Limits: Sendable, Hashable {
        /// The number of bytes of all strings together.
        var byteCount = 8 << 20
        /// The number of elements of all arrays together.
        var elementCount = 1 << 18
        /// The number of arrays in each other.
        var depth = 8
        /// The number of bytes of a line.
        var lineLength = 16 << 10
    }

    private struct OpenArray {
        var elements: [RedisReply] = []
        let count: Int
    }

    private let limits: Limits
    private var buffer = ByteBuffer()
    /// The number of bytes at the start of the buffer that contain no end of a line.
    private var scannedCount = 0
    /// The length of the string that follows.
    private var stringLength: Int?
    private var arrays: [OpenArray] = []
    private var byteCount = 0
    private var elementCount = 0

    init(limits: Limits = Limits()) { self.limits = limits }

    /// Whether a reply has begun, and is incomplete.
    var isInsideReply: Bool { buffer.readableBytes > 0 || !arrays.isEmpty || stringLength != nil }

    /// Appends bytes of the stream.
    mutating func append(_ bytes: ByteBuffer) {
        if buffer.readableBytes == 0 {
            buffer = bytes
        } else {
            buffer.discardReadBytes()
            buffer.writeImmutableBuffer(bytes)
        }
    }

    /// Returns the next complete reply, or `nil` until more bytes arrive.
    ///
    /// - Throws: `TierError.invalidReply` for bytes that are not RESP2, and for a reply that exceeds a limit.
    mutating func next() throws(TierError) -> RedisReply? {
        while let element = try nextElement() {
            guard let reply = close(element) else { continue }
            byteCount = 0
            elementCount = 0
            return reply
        }
        return nil
    }

    /// Returns the next reply that is not an array with elements, which begins one instead.
    private mutating func nextElement() throws(TierError) -> RedisReply? {
        while true {
            if let length = stringLength { return try string(length) }
            guard var line = try nextLine() else { return nil }
            guard let type = line.popFirst() else { throw Self.error("a line is empty") }
            switch type {
            case UInt8(ascii: "+"): return .status(try text(line))
            case UInt8(ascii: "-"): return .error(try text(line))
            case UInt8(ascii: ":"): return .integer(try Self.number(line))
            case UInt8(ascii: "$"):
                let length = try Self.number(line)
                if length == -1 { return .null }
                try beginString(length)
            case UInt8(ascii: "*"):
                let count = try Self.number(line)
                if count == -1 { return .null }
                if count == 0 { return .array([]) }
                try beginArray(count)
            default: throw Self.error("a line begins with the byte \(type)")
            }
        }
    }

    /// Adds an element to the innermost array. Returns the complete reply, if it is one.
    private mutating func close(_ element: RedisReply) -> RedisReply? {
        var element = element
        while var array = arrays.popLast() {
            array.elements.append(element)
            guard array.elements.count == array.count else {
                arrays.append(array)
                return nil
            }
            element = .array(array.elements)
        }
        return element
    }

    private mutating func beginString(_ length: Int) throws(TierError) {
        guard length >= 0, length <= limits.byteCount - byteCount else {
            throw Self.error("a string has \(length) bytes")
        }
        byteCount += length
        stringLength = length
    }

    private mutating func beginArray(_ count: Int) throws(TierError) {
        guard count > 0, count <= limits.elementCount - elementCount, arrays.count < limits.depth else {
            throw Self.error("an array has \(count) elements at depth \(arrays.count)")
        }
        elementCount += count
        arrays.append(OpenArray(count: count))
    }

    /// Returns the string with its end of line, once all of it has arrived.
    private mutating func string(_ length: Int) throws(TierError) -> RedisReply? {
        guard buffer.readableBytes >= length + 2 else { return nil }
        let bytes = buffer.readSlice(length: length)
        guard buffer.readInteger(as: UInt16.self) == 0x0D0A else { throw Self.error("a string has no end") }
        stringLength = nil
        return .bytes(bytes.map { Data($0.readableBytesView) } ?? Data())
    }

    /// Returns the next line without its end, once it is complete.
    private mutating func nextLine() throws(TierError) -> ArraySlice<UInt8>? {
        guard let end = buffer.readableBytesView.dropFirst(scannedCount).firstIndex(of: 0x0A) else {
            scannedCount = buffer.readableBytes
            guard scannedCount <= limits.lineLength else { throw Self.error("a line is too long") }
            return nil
        }
        scannedCount = 0
        let count = end - buffer.readerIndex + 1
        guard count <= limits.lineLength + 2, let line = buffer.readBytes(length: count), line.suffix(2).first == 0x0D
        else { throw Self.error("a line is too long, or has no end") }
        return line.dropLast(2)
    }

    private mutating func text(_ line: ArraySlice<UInt8>) throws(TierError) -> String {
        guard line.count <= limits.byteCount - byteCount else { throw Self.error("it has too many bytes") }
        byteCount += line.count
        return String(decoding: line, as: UTF8.self)
    }

    private static func number(_ line: ArraySlice<UInt8>) throws(TierError) -> Int {
        guard let first = line.first, first != UInt8(ascii: "+"),
            let number = Int(String(decoding: line, as: UTF8.self))
        else { throw error("a number is malformed") }
        return number
    }

    private static func error(_ reason: String) -> TierError {
        TierError(.invalidReply, "The reply is not RESP2, or exceeds a limit: \(reason).")
    }
}
#endif

#if JXL
import EaselCore

/// Where the codestream of a JPEG XL lies in its file: in one piece, or in boxes that hold one part each (ISO/IEC 18181-2).
struct JXLCodestream {
    private var parts: [Range<Int>] = []
    /// Bytes of all parts.
    private(set) var count = 0
    /// The part that was read last, and the bytes before it.
    private var current = 0
    private var start = 0

    /// `nil` for what does not begin as a JPEG XL does.
    init?(_ file: Span<UInt8>) {
        if file.bigEndian16(at: 0) == 0xFF0A {
            append(0..<file.count)
        } else {
            guard file.bigEndian32(at: 0) == 12, file.holds("JXL ", at: 4), file.bigEndian32(at: 8) == 0x0D0A_870A
            else { return nil }
            if let whole = file.firstBox("jxlc", in: 12..<file.count) {
                append(whole)
            } else {
                // Each begins with its number, and the last one's has its highest bit set.
                var isLast = false
                file.forEachBox("jxlp", in: 12..<file.count) { box in
                    guard !isLast, box.count > 4, let number = file.bigEndian32(at: box.lowerBound) else { return }
                    isLast = number >> 31 == 1
                    append((box.lowerBound + 4)..<box.upperBound)
                }
            }
        }
        guard bytes(of: file, at: 0, count: 2) == [0xFF, 0x0A] else { return nil }
    }

    private mutating func append(_ part: Range<Int>) {
        parts.append(part)
        count += part.count
    }

    /// At most so many bytes from a place on, fewer at the end.
    ///
    /// - Parameter place: not before that of the last call: parts are passed over once.
    mutating func bytes(of file: Span<UInt8>, at place: Int, count: Int) -> [UInt8] {
        while let part = (current < parts.count ? parts[current] : nil), start + part.count <= place {
            start += part.count
            current += 1
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        var skipped = place - start
        for part in parts[current...] {
            if bytes.count == count { break }
            let first = part.lowerBound + skipped
            let last = min(first + count - bytes.count, part.upperBound)
            file.extracting(first..<last).withUnsafeBytes { bytes += $0 }
            skipped = 0
        }
        return bytes
    }
}
#endif

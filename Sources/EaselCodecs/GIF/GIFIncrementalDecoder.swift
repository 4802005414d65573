public import EaselCore

import EaselFoundation

extension GIFCoder: IncrementalDecoding {
    /// Creates a decoder that shows the first frame's rows as they arrive, and bands that become finer for an
    /// interlaced frame. Later frames are not shown; `AnimationDecoding` plays complete files.
    public func makeIncrementalDecoder(_ options: DecodeOptions) -> any IncrementalDecoder {
        GIFIncrementalDecoder(options)
    }
}

private final class GIFIncrementalDecoder: IncrementalDecoder {
    private let options: DecodeOptions
    /// The file up to the first frame's data, or all data received until that is found.
    private var head: [UInt8] = []
    private var throttle = SearchThrottle()
    private var frame: GIFPartialFrame?

    init(_ options: DecodeOptions) { self.options = options }

    func append(_ bytes: Data) throws(ImageError) {
        try options.checkCancellation()
        guard frame == nil else {
            frame?.append(bytes.span)
            return
        }
        head.append(contentsOf: bytes)
        if throttle.shouldSearch(head.count) { try findFrame() }
    }

    func preview() throws(ImageError) -> DecodedImage? {
        try options.checkCancellation()
        if frame == nil, throttle.recordGrowth(to: head.count) { try findFrame() }
        return try frame?.preview(options)
    }

    private func findFrame() throws(ImageError) {
        guard ["GIF87a", "GIF89a"].contains(where: { head.starts(with: $0.utf8.prefix(head.count)) }) else {
            throw .badData("Not a GIF file.")
        }
        // Without a frame in the data so far, one may still follow.
        guard let file = try? GIFFile(head.span), let first = file.frames.first else { return }
        try options.limits.check(file.header)
        let frame = try GIFPartialFrame(first, of: file, in: head.span, options)
        frame.append(head.span.extracting(first.data.lowerBound..<head.count))
        self.frame = frame
        head = []
    }
}

/// The first frame of a GIF, decoded from the data received so far.
private final class GIFPartialFrame {
    private let header: ImageHeader
    private let size: PixelSize
    private var image: GIFImage
    /// The remaining bytes of the sub-block; `nil` before its length.
    private var remainingCount: Int?
    private var hasEnded = false
    /// Undecoded codes, followed by zeros for readers of whole words.
    private var codes: [UInt8] = []
    private var bit = 0
    private var shownCount = 0

    init(_ frame: GIFFrame, of file: GIFFile, in bytes: Span<UInt8>, _ options: DecodeOptions) throws(ImageError) {
        header = file.header
        size = file.size
        image = try GIFImage(empty: frame, in: bytes, limit: options.limits.pixels)
    }

    /// Adds the next bytes, which are sub-blocks with their lengths.
    func append(_ bytes: Span<UInt8>) {
        var offset = 0
        while offset < bytes.count, !hasEnded {
            guard let count = remainingCount else {
                let length = Int(bytes[offset])
                offset += 1
                if length == 0 { hasEnded = true } else { remainingCount = length }
                continue
            }
            let end = min(offset + count, bytes.count)
            for index in offset..<end { codes.append(bytes[index]) }
            remainingCount = count == end - offset ? nil : count - (end - offset)
            offset = end
            if codes.count >= Self.batch { decode() }
        }
        decode()
    }

    func preview(_ options: DecodeOptions) throws(ImageError) -> DecodedImage? {
        guard image.count > shownCount else { return nil }
        shownCount = image.count
        let pixels = try PixelBuffer.draw(size) { canvas in
            canvas.clear(.whole(size))
            image.drawPartial(on: canvas)
        }
        return try DecodedImage(stored: pixels, header: header, options: options, isPartial: true)
    }

    private static let batch = 64 << 10

    private func decode() {
        let bits = bit..<(codes.count * 8)
        codes += [0, 0, 0, 0]
        bit = codes.withUnsafeBytes { bytes in
            bytes.baseAddress.map { image.decode($0, bits: bits) } ?? bits.upperBound
        }
        // The remainder is shorter than a code.
        codes.removeLast(4)
        codes.removeFirst(bit / 8)
        bit %= 8
        if image.isComplete { hasEnded = true }
    }
}

#if JXL
import CJXL
public import EaselCore

import EaselFoundation

extension JXLCoder: IncrementalDecoding {
    /// A decoder that shows a picture at an eighth of its detail as soon as that is there, then pass by pass, or part
    /// by part where the file has no passes.
    public func makeIncrementalDecoder(_ options: DecodeOptions) -> any IncrementalDecoder {
        JXLIncrementalDecoder(options)
    }
}

private final class JXLIncrementalDecoder: IncrementalDecoder {
    private let options: DecodeOptions
    private var input = JXLArrivals()
    private var picture: JXLArrivingPicture?

    init(_ options: DecodeOptions) {
        self.options = options
    }

    func append(_ bytes: Data) throws(ImageError) {
        let picture = try arrivingPicture()
        guard !picture.isWhole else { return }
        try options.checkCancellation()
        input.append(bytes)
        try input.give { (pending) throws(ImageError) in try picture.take(pending) }
    }

    private func arrivingPicture() throws(ImageError) -> JXLArrivingPicture {
        if let picture { return picture }
        let picture = try JXLArrivingPicture(options)
        self.picture = picture
        return picture
    }

    var isSufficient: Bool { picture?.isSufficient ?? false }

    func preview() throws(ImageError) -> ImagePreview? {
        try picture?.preview(bytesTaken: input.taken)
    }
}

/// The bytes that have come and that libjxl has not read for good: it is given those again, with what follows them.
struct JXLArrivals {
    private var pending: [UInt8] = []
    private var start = 0
    /// How many bytes libjxl has read for good.
    private(set) var taken = 0

    mutating func append(_ bytes: Data) {
        // Moved to the front only when that is less work than what was read since.
        if start > pending.count / 2 {
            pending.removeSubrange(..<start)
            start = 0
        }
        pending += bytes
    }

    /// Calls `body`, which returns how many of the bytes it has left.
    mutating func give(
        _ body: (UnsafeBufferPointer<UInt8>) throws(ImageError) -> Int
    ) throws(ImageError) {
        let range = start..<pending.count
        let left = try pending.span.withUnsafeBufferPointer { (bytes) throws(ImageError) in
            try body(UnsafeBufferPointer(rebasing: bytes[range]))
        }
        start = pending.count - min(left, range.count)
        taken += range.count - min(left, range.count)
    }
}
#endif

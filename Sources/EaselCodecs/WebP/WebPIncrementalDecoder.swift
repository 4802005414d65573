import CWebP
public import EaselCore

import EaselFoundation

extension WebPCoder: IncrementalDecoding {
    /// Shows the rows of a still picture as they come, and the first frame of an animation when it has. Of a file that
    /// announces EXIF, which stands behind the picture, nothing is shown before that has come: it may turn the picture.
    ///
    /// libwebp asks for the whole of the file each time, so that is kept.
    public func makeIncrementalDecoder(_ options: DecodeOptions) -> any IncrementalDecoder {
        WebPIncrementalDecoder(options)
    }
}

/// One WebP that is arriving.
private final class WebPIncrementalDecoder: IncrementalDecoder {
    private var options: DecodeOptions
    private var file: [UInt8] = []
    private var growth = Growth()
    private var still: WebPArrivingPicture?
    private var isAnimated = false
    private var hasShownFrame = false

    init(_ options: DecodeOptions) {
        self.options = options
    }

    func append(_ bytes: Data) throws(ImageError) {
        try options.checkCancellation()
        guard still?.isWhole != true, !hasShownFrame else { return }
        file.append(contentsOf: bytes)
        if growth.isWorthAnotherLook(file.count) { try look() }
    }

    func preview() throws(ImageError) -> ImagePreview? {
        try options.checkCancellation()
        if growth.hasGrown(file.count) { try look() }
        return isAnimated ? try firstFrame() : try still?.preview(options)
    }

    private func look() throws(ImageError) {
        if still == nil, !isAnimated { try begin() }
        if let still {
            try file.withUnsafeBufferPointer { (bytes) throws(ImageError) in
                try still.update(bytes, isCancelled: options.isCancelled)
            }
        }
    }

    private func begin() throws(ImageError) {
        try file.withUnsafeBufferPointer { (bytes) throws(ImageError) in
            guard try Self.isReady(bytes) else { return }
            // Without an error in the header, what is missing is still to come.
            guard let file = try? WebPFile(bytes), let frame = file.frames.first else { return }
            try options.limits.check(file.header)
            isAnimated = file.isAnimated
            let data = UnsafeBufferPointer(rebasing: bytes[frame.data.lowerBound...])
            guard !isAnimated, WebPArrivingPicture.hasFeatures(data) else { return }
            still = try WebPArrivingPicture(
                file.header, colors: file.colors(in: bytes), from: frame.data.lowerBound, data, options)
        }
    }

    /// Whether the container's header has come, and the EXIF that it announces, which stands behind the picture and may
    /// turn it: until then no preview would be upright.
    private static func isReady(_ bytes: UnsafeBufferPointer<UInt8>) throws(ImageError) -> Bool {
        let isOther = bytes.count >= 12 && !bytes[8...11].elementsEqual("WEBP".utf8)
        guard "RIFF".utf8.starts(with: bytes.prefix(4)), !isOther else {
            throw .badData("This is no WebP: its signature is missing or damaged.")
        }
        var data = WebPData(bytes: bytes.baseAddress, size: bytes.count)
        var state = WEBP_DEMUX_PARSE_ERROR
        let demuxer = WebPDemuxPartial(&data, &state)
        defer { WebPDemuxDelete(demuxer) }
        guard state != WEBP_DEMUX_PARSE_ERROR else {
            throw .badData("The WebP is damaged, or cut off before its header ends.")
        }
        guard let demuxer else { return false }
        let isAnnounced = WebPDemuxGetI(demuxer, WEBP_FF_FORMAT_FLAGS) & EXIF_FLAG.rawValue != 0
        guard isAnnounced, state != WEBP_DEMUX_DONE else { return true }
        var chunk = WebPChunkIterator()
        defer { WebPDemuxReleaseChunkIterator(&chunk) }
        return WebPDemuxGetChunk(demuxer, "EXIF", 1, &chunk) != 0
    }

    private func firstFrame() throws(ImageError) -> ImagePreview? {
        guard !hasShownFrame else { return nil }
        options.frame = 0
        options.allowsPartial = true
        do {
            var image = try WebPCoder().decode(Data(file), options)
            image.metadata.isPartial = true
            hasShownFrame = true
            file = []
            return ImagePreview(image: image)
        } catch {
            // Before the frame is whole there is nothing to show.
            guard case .badData = error else { throw error }
            return nil
        }
    }
}

public import EaselCore

public import EaselFoundation

extension WebPCoder: AnimationDecoding {
    /// Reads the chunks of the file, and decodes frames as they are asked for. A still picture is an animation of one.
    public func makeAnimationDecoder(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> any AnimationDecoder
    {
        let (file, colors) = try data.span.withUnsafeBufferPointer { (bytes) throws(ImageError) in
            let file = try WebPFile(bytes)
            return (file, file.colors(in: bytes))
        }
        if file.isCutOff, !options.allowsPartial { throw WebPRaster.cutOff }
        return try FrameCompositor(
            WebPFrames(data: data, file: file), isPartial: file.isCutOff, colors: colors, options)
    }

    /// The frames whose data has come whole; none before EXIF has come that the file announces, which may turn them.
    public func header(ofBeginning data: Data) -> ImageHeader? {
        data.span.withUnsafeBufferPointer { bytes in
            guard let file = try? WebPFile(bytes), file.isAnimated, file.isOrientationKnown else { return nil }
            return file.header.beginning(isLastFrameWhole: file.frames.last?.isWhole == true)
        }
    }
}

private struct WebPFrames: FrameSource {
    let data: Data
    let file: WebPFile

    var header: ImageHeader { file.header }
    var placements: [FramePlacement] { file.frames.map(\.placement) }

    func draw(_ frame: Int, on canvas: Canvas, isCancelled: () -> Bool) throws(ImageError) -> Bool {
        let place = file.frames[frame].placement
        let raster = try data.span.withUnsafeBufferPointer { (bytes) throws(ImageError) in
            // The data's place was checked against the file's end.
            try WebPRaster(
                UnsafeBufferPointer(rebasing: bytes[file.frames[frame].data]), stored: place.rectangle.size,
                size: place.rectangle.size, allowsPartial: false, isCancelled: isCancelled)
        }
        canvas.draw(raster.pixels, in: place.rectangle, over: !place.hidesCanvas)
        return true
    }
}

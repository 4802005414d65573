public import EaselCore

public import EaselFoundation

extension GIFCoder: AnimationDecoding {
    /// Reads the blocks of the file, and decompresses frames as they are asked for.
    public func makeAnimationDecoder(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> any AnimationDecoder
    {
        let file = try GIFFile(data.span)
        if file.isCutOff, !options.allowsPartial { throw .badData("The GIF is damaged or cut off.") }
        return try FrameCompositor(
            GIFFrames(data: data, file: file, limit: options.limits.pixels), isPartial: file.isCutOff, options)
    }

    /// The frames whose data has come whole.
    public func header(ofBeginning data: Data) -> ImageHeader? {
        guard let file = try? GIFFile(data.span) else { return nil }
        return file.header.beginning(isLastFrameWhole: file.frames.last?.end != nil)
    }
}

private struct GIFFrames: FrameSource {
    let data: Data
    let file: GIFFile
    /// Pixels that a frame may have, which may be larger than the canvas.
    let limit: Int

    var header: ImageHeader { file.header }
    var placements: [FramePlacement] { file.placements }

    func draw(_ frame: Int, on canvas: Canvas, isCancelled: () -> Bool) throws(ImageError) -> Bool {
        let picture = try GIFPicture.whole(file.frames[frame], in: data.span, limit: limit, isCancelled: isCancelled)
        picture.draw(on: canvas)
        return picture.isComplete
    }
}

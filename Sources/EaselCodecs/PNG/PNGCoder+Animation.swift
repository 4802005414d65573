public import EaselCore

public import EaselFoundation

extension PNGCoder: AnimationDecoding {
    /// Reads the chunks of the file, and inflates frames as they are asked for. A still picture is an animation of one.
    public func makeAnimationDecoder(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> any AnimationDecoder
    {
        let file = try PNGFile(data.span)
        if file.isCutOff, file.isAnimated, !options.allowsPartial {
            throw .badData("The animated PNG is cut off before its end.")
        }
        var raster = PNGRaster(file, in: data.span)
        let colors = raster.convertedColors(in: data.span, to: options.colorSpace)
        return try FrameCompositor(
            PNGFrames(data: data, raster: raster, header: raster.header(in: data.span)),
            isPartial: file.isCutOff && file.isAnimated, colors: colors, options)
    }

    /// The frames that others follow: only then is it known that all of their data has come.
    public func header(ofBeginning data: Data) -> ImageHeader? {
        guard let file = try? PNGFile(data.span), file.isAnimated else { return nil }
        return PNGRaster(file, in: data.span).header(in: data.span).beginning(isLastFrameWhole: !file.isCutOff)
    }
}

private struct PNGFrames: FrameSource {
    let data: Data
    let raster: PNGRaster
    let header: ImageHeader

    var placements: [FramePlacement] {
        let isOpaque = !raster.expander.hasAlpha
        guard raster.file.isAnimated else {
            return [
                FramePlacement(
                    rectangle: .whole(header.storedSize), disposal: .keep, hidesCanvas: true, isOpaque: isOpaque)
            ]
        }
        return raster.file.frames.map { $0.placement(hasAlpha: !isOpaque) }
    }

    func draw(_ frame: Int, on canvas: Canvas, isCancelled: () -> Bool) throws(ImageError) -> Bool {
        let frames = raster.file.frames
        let chunks = frames.isEmpty ? raster.file.imageChunks : frames[frame].chunks
        let place = frames.isEmpty ? .whole(header.storedSize) : frames[frame].rectangle
        let pixels = try raster.pixels(of: chunks, in: data.span, size: place.size, isCancelled: isCancelled)
        canvas.draw(pixels, in: place, over: !(frames.isEmpty || frames[frame].replaces))
        return true
    }

    var deepColors: ColorDescription? { raster.deepColors(in: data.span) }

    func draw(_ frame: Int, on canvas: borrowing DeepCanvas, isCancelled: () -> Bool) throws(ImageError) {
        let frames = raster.file.frames
        if frames.isEmpty {
            try raster.draw(
                raster.file.imageChunks, in: data.span, on: canvas, .whole(header.storedSize), isCancelled: isCancelled)
        } else {
            try raster.draw(frames[frame], in: data.span, on: canvas, isCancelled: isCancelled)
        }
    }
}

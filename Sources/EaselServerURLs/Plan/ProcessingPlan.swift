#if Server
package import EaselCore
package import EaselFoundation

/// The load that makes the pixels of a result.
package struct ProcessingPlan: Sendable, Hashable {
    /// The size to decode to.
    package var targetSize: TargetSize
    /// The frame to decode, unless all are.
    package var frame: Int
    package var colorSpace: ColorSpace
    /// The changes after the decode, in order. Those of an animation apply to each frame.
    package var transforms: [ImageTransform]
    /// The size of the result; `nil` if it depends on the pixels, which are trimmed.
    package var size: PixelSize?
    /// An estimate of the bytes of pixels that exist at a time, for one frame.
    package var byteCount: Int

    /// Sets the parts of a request that the plan decides.
    package func apply(to request: inout ImageRequest) {
        request.targetSize = targetSize
        request.frame = frame
        request.colorSpace = colorSpace
        request.transforms = transforms
        request.avoidsDefaultTransforms = true
    }
}

/// The limits of a result.
package struct ResultLimits: Sendable, Hashable {
    /// The most pixels.
    package var pixels = 50_000_000
    /// The longest side. A larger result is scaled down to it. `nil` for no limit.
    package var side: Int?

    package init() {}
}

extension ProcessingOptions {
    /// Returns the load that makes the pixels of the result.
    ///
    /// - Parameters:
    ///   - header: the header of the source, which sizes are computed from.
    ///   - keepsAnimation: whether all frames are used (`ChosenEncoding.keepsAnimation`).
    ///   - watermark: the image that the option `watermark` places.
    /// - Throws: an error for a page or a watermark that does not exist, and for a result beyond the limits.
    package func plan(
        for header: ImageHeader, keepsAnimation: Bool, watermark: DecodedImage? = nil,
        limits: ResultLimits = ResultLimits()
    ) throws(URLError) -> ProcessingPlan {
        ProcessingPlan(targetSize: .original, frame: 0, colorSpace: .sRGB, transforms: [], size: nil, byteCount: 0)
    }

    /// Returns the request for the pixels of the result, from the source at `source`.
    package func request(
        for source: URL, header: ImageHeader, keepsAnimation: Bool = false, watermark: DecodedImage? = nil,
        limits: ResultLimits = ResultLimits()
    ) throws(URLError) -> ImageRequest {
        let plan = try plan(for: header, keepsAnimation: keepsAnimation, watermark: watermark, limits: limits)
        return ImageRequest(source) { plan.apply(to: &$0) }
    }

    /// The options that decide the bytes of the result, as text that is the same in every process: part of the key of
    /// a stored result, with the source, its version and the format.
    package var keyText: String { "" }
}
#endif

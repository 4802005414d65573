/// A gain map (ISO 21496-1): a small image that is stored next to a base image, and contains how much brighter each part
/// of it is in HDR.
///
/// The light of a channel in HDR, with a weight from 0 for the base image to 1 for full HDR, is:
///
///     gain = minimum + (maximum - minimum) * pow(encoded, 1 / gamma)
///     hdr = (base + baseOffset) * exp2(gain * weight) - alternateOffset
public struct GainMap: Sendable {
    /// The encoded gains in R, G and B, from 0 to 255. They are equal in a map of one channel. Upright, and usually
    /// smaller than the base image.
    public var pixels: PixelBuffer
    /// The parameters of the formula.
    public var parameters: Parameters

    package init(pixels: PixelBuffer, parameters: Parameters) {
        self.pixels = pixels
        self.parameters = parameters
    }

    /// The parameters of a gain map. Those of the formula are for R, G and B.
    public struct Parameters: Sendable, Hashable {
        /// The gain of an encoded 0, in stops.
        public var minimum: SIMD3<Double>
        /// The gain of an encoded 255, in stops.
        public var maximum: SIMD3<Double>
        /// The exponent of the encoding.
        public var gamma: SIMD3<Double>
        /// The offset that is added to the light of the base image.
        public var baseOffset: SIMD3<Double>
        /// The offset that is subtracted from the light of the result.
        public var alternateOffset: SIMD3<Double>
        /// The headroom of the base image in stops: its peak above SDR white. 0 for an SDR image.
        public var baseHeadroom: Double
        /// The headroom in stops at which the map applies fully.
        public var alternateHeadroom: Double
        /// Whether the formula applies to the primaries of the base image, instead of those of the HDR image.
        public var usesBaseColors: Bool

        /// Creates parameters. The defaults are those of the Ultra HDR format, for equal channels.
        package init(
            minimum: SIMD3<Double> = .zero, maximum: SIMD3<Double>, gamma: SIMD3<Double> = .one,
            baseOffset: SIMD3<Double> = SIMD3(repeating: 1.0 / 64),
            alternateOffset: SIMD3<Double> = SIMD3(repeating: 1.0 / 64), baseHeadroom: Double = 0,
            alternateHeadroom: Double, usesBaseColors: Bool = true
        ) {
            self.minimum = minimum
            self.maximum = maximum
            self.gamma = gamma
            self.baseOffset = baseOffset
            self.alternateOffset = alternateOffset
            self.baseHeadroom = baseHeadroom
            self.alternateHeadroom = alternateHeadroom
            self.usesBaseColors = usesBaseColors
        }
    }
}

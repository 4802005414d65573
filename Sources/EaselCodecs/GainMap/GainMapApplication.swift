import EaselCore

/// A gain map as stored in a file: not turned upright.
struct StoredGainMap {
    let map: GainMap
    /// The colors of the HDR image, whose primaries the gains may apply to; `nil` if the file has none.
    let alternateColors: ColorDescription?

    init(_ map: GainMap, alternateColors: ColorDescription?) {
        self.map = map
        self.alternateColors = alternateColors
    }

    /// Returns whether a map is at most as large as its base image, and both are within the limits.
    static func accepts(_ size: PixelSize, _ header: ImageHeader, _ options: DecodeOptions) -> Bool {
        let base = header.storedSize
        guard size.width > 0, size.height > 0, size.width <= base.width, size.height <= base.height,
            let area = size.area, let baseArea = base.area
        else { return false }
        return area <= options.limits.pixels - baseArea
    }

    /// Returns `nil` instead of an error for a damaged map: its base image is shown.
    ///
    /// - Throws: `ImageError.cancelled`
    static func ignoringDamage(_ body: () throws(ImageError) -> StoredGainMap?) throws(ImageError) -> StoredGainMap? {
        do throws(ImageError) {
            return try body()
        } catch let error where error.code == .cancelled {
            throw error
        } catch { return nil }
    }
}

extension DecodeOptions {
    /// Whether a gain map is decoded and applied.
    var wantsGainMap: Bool { depth == .sixteen || hdrHeadroom != nil }
}

extension DecodedImage {
    /// Finishes a decode of an image with a gain map, like `init(stored:header:options:colors:isPartial:)`.
    ///
    /// - Parameters:
    ///   - stored: the base image before orientation, in the stored or the requested size.
    ///   - gainMap: the map of the file.
    ///   - deep: returns the base image in 16 bits, for a file of more than 8.
    init(
        stored: consuming PixelBuffer, gainMap: StoredGainMap, header: ImageHeader, options: DecodeOptions,
        colors: ColorDescription, deep: (() throws(ImageError) -> DeepRaster)? = nil
    ) throws(ImageError) {
        let size = options.storedTargetSize(for: header)
        let base = try stored.detectingOpacity().resized(to: size, isCancelled: options.isCancelled)
        try self.init(stored: base, header: header, options: options, colors: colors)
        if var gains = try GainMapApplication(gainMap, to: colors, size: size, options) {
            let raster = if let deep { try deep() } else { try DeepRaster(base) }
            let light = try raster.pixels(
                of: size, hasAlpha: !pixels.isOpaque, colors: .perceptualQuantizer, isCancelled: options.isCancelled
            ) { gains.convertNextRow($0) }
            deepPixels = try light.upright(from: header.orientation, isCancelled: options.isCancelled)
        } else if let deep, options.wantsDeepPixels(of: header) {
            self = try withDeepPixels(deep(), header: header, options: options, colors: colors)
        }
        let map = try gainMap.map.pixels.upright(from: header.orientation, isCancelled: options.isCancelled)
        self.gainMap = GainMap(pixels: map, parameters: gainMap.map.parameters)
    }
}

extension DeepRaster {
    /// Creates an image from 8-bit pixels.
    fileprivate init(_ pixels: PixelBuffer) throws(ImageError) {
        try self.init(pixels.size)
        for y in 0..<size.height {
            let words = row(y)
            pixels.withRow(y) { row in
                for x in 0..<row.count {
                    for channel in 0..<4 {
                        // B, G, R, A in memory.
                        let shift = UInt32(channel == 3 ? 24 : 16 - channel * 8)
                        words[x * 4 + channel] = UInt16(row[x] >> shift & 0xFF) * 257
                    }
                }
            }
        }
        finish(bits: 16, isPremultiplied: !pixels.isOpaque)
    }
}

/// The conversion of a base image to HDR with a gain map, row by row, as BT.2020 PQ (ITU-R BT.2100). SDR white is 203
/// cd/m2 (BT.2408).
struct GainMapApplication {
    private static let steps = 4096

    /// Converts colors that are not those of primaries and a curve to Display P3.
    private let preparation: DeepConversion?
    /// The light of each value, for red, then green, then blue.
    private let light: [Float]
    /// Converts light of the base image to the primaries that the gains apply to, and from them to BT.2020.
    private let toGainColors: LightMatrix?
    private let toOutput: LightMatrix
    /// The factor of each encoded gain, for red, then green, then blue.
    private let factors: [Float]
    private let baseOffset: SIMD3<Float>
    private let alternateOffset: SIMD3<Float>
    private let map: PixelBuffer
    private let size: PixelSize
    /// The number of the next row.
    private var y = 0
    /// A row of the map, scaled vertically.
    private var gains: [SIMD3<Float>]

    /// - Parameters:
    ///   - colors: the colors of the base image.
    ///   - size: the size of the base image, in the orientation of the map.
    /// - Returns: `nil` if the map does not apply: to an HDR image, and to unconverted colors.
    init?(
        _ gainMap: StoredGainMap, to colors: ColorDescription, size: PixelSize, _ options: DecodeOptions
    ) throws(ImageError) {
        let parameters = gainMap.map.parameters
        guard parameters.alternateHeadroom > parameters.baseHeadroom, colors.highDynamicRange == nil,
            options.colorSpace != .unconverted, let context = LittleCMSContext()
        else { return nil }
        var source = LittleCMSProfile(colors, in: context)
        if source?.isMatrix != true {
            preparation = DeepConversion(colors, to: .displayP3)
            source = LittleCMSProfile(.displayP3, in: context)
        } else {
            preparation = nil
        }
        guard let base = source?.colorants, let light = source?.light(count: Self.steps + 1)?.flatMap(\.self),
            light.allSatisfy(\.isFinite),
            let output = LittleCMSProfile(.bt2020, .power(1), in: context)?.colorants?.inverse
        else { return nil }
        self.light = light
        let alternate = gainMap.alternateColors.flatMap { LittleCMSProfile($0, in: context)?.colorants }
        if !parameters.usesBaseColors, let alternate, let toAlternate = alternate.inverse {
            toGainColors = LightMatrix(toAlternate * base)
            toOutput = LightMatrix(output * alternate)
        } else {
            toGainColors = nil
            toOutput = LightMatrix(output * base)
        }
        let weight = parameters.weight(for: options.hdrHeadroom)
        factors = (0..<3).flatMap { parameters.factors(channel: $0, weight: weight) }
        // Without gains, the result is exactly the base image.
        baseOffset = weight > 0 ? SIMD3(parameters.baseOffset) : .zero
        alternateOffset = weight > 0 ? SIMD3(parameters.alternateOffset) : .zero
        let small = PixelSize(
            min(gainMap.map.pixels.width, size.width), min(gainMap.map.pixels.height, size.height))
        map = try gainMap.map.pixels.resized(to: small, isCancelled: options.isCancelled)
        self.size = size
        gains = Array(repeating: .zero, count: map.width + 1)
    }

    /// Converts the next row, of straight R, G, B, A, in place. Alpha is unchanged.
    mutating func convertNextRow(_ words: UnsafeMutableBufferPointer<UInt16>) {
        preparation?.convert(words)
        readGains()
        let scale = Float(map.width) / Float(size.width)
        let peak = Float(ToneMapping.referenceWhite / 10_000)
        let (output, light, factors, gains) = (PerceptualQuantizer.words, light, factors, gains)
        for x in 0..<size.width {
            let offset = x * 4
            var color = SIMD3(
                Self.amount(words[offset], 0, light), Self.amount(words[offset + 1], 1, light),
                Self.amount(words[offset + 2], 2, light))
            if let toGainColors { color = toGainColors.applied(to: color) }
            // Interpolates between the centers of the map's pixels. The last one is repeated at the end.
            let position = min(max((Float(x) + 0.5) * scale - 0.5, 0), Float(map.width - 1))
            let index = Int(position)
            let gain = gains[index] + (gains[index + 1] - gains[index]) * (position - Float(index))
            let factor = SIMD3(
                Self.factor(gain.x, 0, factors), Self.factor(gain.y, 1, factors), Self.factor(gain.z, 2, factors))
            color = toOutput.applied(to: (color + baseOffset) * factor - alternateOffset) * peak
            for channel in 0..<3 {
                words[offset + channel] = PerceptualQuantizer.word(color[channel], output)
            }
        }
        y += 1
    }

    /// Interpolates the row of the map for row `y`.
    private mutating func readGains() {
        let position = (Float(y) + 0.5) * Float(map.height) / Float(size.height) - 0.5
        let share = min(max(position, 0), Float(map.height - 1))
        let first = Int(share)
        let weight = share - Float(first)
        map.withRow(first) { upper in
            map.withRow(min(first + 1, map.height - 1)) { lower in
                for x in 0..<map.width {
                    let (top, bottom) = (Self.encodedGain(upper[x]), Self.encodedGain(lower[x]))
                    gains[x] = top + (bottom - top) * weight
                }
            }
        }
        gains[map.width] = gains[map.width - 1]
    }

    @inline(__always)
    private static func encodedGain(_ pixel: UInt32) -> SIMD3<Float> {
        SIMD3(Float(pixel >> 16 & 0xFF), Float(pixel >> 8 & 0xFF), Float(pixel & 0xFF))
    }

    /// Interpolates the light of a value.
    @inline(__always)
    private static func amount(_ word: UInt16, _ channel: Int, _ light: [Float]) -> Float {
        let position = Float(word) * (Float(steps) / 65_535)
        let index = min(Int(position), steps - 1)
        let start = channel * (steps + 1) + index
        return light[start] + (light[start + 1] - light[start]) * (position - Float(index))
    }

    /// Interpolates the factor of an encoded gain from 0 to 255.
    @inline(__always)
    private static func factor(_ gain: Float, _ channel: Int, _ factors: [Float]) -> Float {
        let index = min(Int(gain), 254)
        let start = channel * 256 + index
        return factors[start] + (factors[start + 1] - factors[start]) * (gain - Float(index))
    }
}

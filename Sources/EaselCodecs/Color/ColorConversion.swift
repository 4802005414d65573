import CEaselPixels
import CLittleCMS
public import EaselCore
import Synchronization

/// A conversion of pixels from the colors of a file to a `ColorSpace`. Built once for each profile and cached.
struct ColorConversion: Sendable {
    /// The format of the input.
    enum Samples: Hashable {
        /// Premultiplied 8-bit pixels.
        case pixels
        /// Straight 16-bit R, G, B, A.
        case words
        /// 8-bit C, M, Y, K. 255 is full ink, or none if inverted, as Adobe writes it.
        case inks(isInverted: Bool)
    }

    enum Kind {
        case matrix(MatrixConversion)
        case wordMatrix(MatrixWordConversion)
        /// The result for each of 256 or 65,536 grays.
        case gray([UInt8])
        case transform(ColorTransform)
        case toneMapping(ToneMapping)
    }

    let kind: Kind

    /// Returns the conversion, or `nil` if the colors need none or the profile is invalid. Takes microseconds for a
    /// cached profile, and up to a few milliseconds for a new one.
    static func from(
        _ colors: ColorDescription, to space: ColorSpace, of samples: Samples = .pixels
    ) -> ColorConversion? {
        if space == .unconverted || space == .sRGB && colors.isSRGB { return nil }
        return ColorConversionCache.conversion(.init(colors: colors, space: space, samples: samples)) {
            build(colors, to: space, of: samples)
        }
    }

    /// Converts premultiplied 8-bit pixels in place.
    func convert(_ canvas: Canvas, isCancelled: () -> Bool) throws(ImageError) {
        try canvas.forEachRow(isCancelled: isCancelled) { convert($0, count: $1) }
    }

    /// Converts premultiplied 8-bit pixels in place.
    func convert(_ pixels: UnsafeMutablePointer<UInt32>, count: Int) {
        switch kind {
        case .matrix(let matrix): matrix.convert(pixels, count: count)
        case .gray(let table) where table.count == 256: easel_color_map(table, pixels, count)
        case .gray, .wordMatrix: break
        case .transform(let transform): transform.convert(pixels, count: count)
        case .toneMapping(let mapping): mapping.convert(pixels, count: count)
        }
    }

    /// Converts 16-bit samples to premultiplied 8-bit pixels, mainly for HDR. Requires a conversion of `.words`.
    ///
    /// - Parameters:
    ///   - samples: `count` times straight R, G, B, A, each from 0 to 65,535.
    ///   - pixels: room for `count` pixels.
    func convertWords(_ samples: UnsafePointer<UInt16>, to pixels: UnsafeMutablePointer<UInt32>, count: Int) {
        switch kind {
        case .matrix: return
        case .wordMatrix(let matrix): matrix.convert(samples, to: pixels, count: count)
        case .gray(let table):
            guard table.count == 1 << 16 else { return }
            for x in 0..<count { pixels[x] = UInt32(table[Int(samples[x &* 4])]) &* 0x01_0101 }
        case .transform(let transform): transform.convert(UnsafeRawPointer(samples), to: pixels, count: count)
        case .toneMapping(let mapping): mapping.convertWords(samples, to: pixels, count: count)
        }
        for x in 0..<count {
            let alpha = (UInt32(samples[x &* 4 &+ 3]) &* 255 &+ 32_895) >> 16
            pixels[x] = pixels[x] & 0xFF_FFFF | alpha << 24
        }
        easel_color_premultiply(pixels, pixels, count)
    }

    /// Converts C, M, Y, K to opaque pixels in place. Requires a conversion of `.inks`.
    func convertInks(_ canvas: Canvas, isCancelled: () -> Bool) throws(ImageError) {
        guard case .transform(let transform) = kind else { return }
        try canvas.forEachRow(isCancelled: isCancelled) { transform.convert(UnsafeRawPointer($0), to: $0, count: $1) }
        canvas.makeOpaque()
    }

    var byteCount: Int {
        switch kind {
        case .matrix(let matrix): matrix.byteCount
        case .wordMatrix(let matrix): matrix.byteCount
        case .gray(let table): table.count
        case .transform(let transform): transform.byteCount
        case .toneMapping(let mapping): mapping.byteCount
        }
    }
}

/// A cache of recently built conversions, for files with the same profile.
///
/// Keys are the complete input, not a hash, which a hostile file could forge.
struct ColorConversionCache {
    struct Key: Equatable {
        var colors: ColorDescription
        var space: ColorSpace
        var samples: ColorConversion.Samples

        var byteCount: Int {
            if case .profile(let profile) = colors { return profile.bytes.count + MemoryLayout<Self>.stride }
            return MemoryLayout<Self>.stride
        }
    }

    private let countLimit: Int
    private let byteLimit: Int
    /// The least recently used first.
    private var entries: [(key: Key, conversion: ColorConversion?, byteCount: Int)] = []

    var count: Int { entries.count }
    var byteCount: Int { entries.reduce(0) { $0 + $1.byteCount } }

    /// Creates a cache with these limits. It evicts the least recently used conversions.
    init(countLimit: Int = 64, byteLimit: Int = 16 << 20) {
        self.countLimit = countLimit
        self.byteLimit = byteLimit
    }

    /// Returns the cached conversion: `.some(nil)` if the colors need none, `nil` for a cache miss.
    mutating func conversion(for key: Key) -> ColorConversion?? {
        guard let index = entries.firstIndex(where: { $0.key == key }) else { return nil }
        entries.append(entries.remove(at: index))
        return .some(entries.last?.conversion)
    }

    mutating func insert(_ conversion: ColorConversion?, for key: Key) {
        let size = key.byteCount + (conversion?.byteCount ?? 0)
        guard size <= byteLimit else { return }
        entries.removeAll { $0.key == key }
        entries.append((key, conversion, size))
        while count > countLimit || byteCount > byteLimit { entries.removeFirst() }
    }

    private static let shared = Mutex(ColorConversionCache())

    /// Returns the conversion in the process-wide cache, or else builds it. Two threads may build the same conversion
    /// at once; neither waits for the other.
    static func conversion(_ key: Key, build: () -> ColorConversion?) -> ColorConversion? {
        if let cached = shared.withLock({ $0.conversion(for: key) }) { return cached }
        let conversion = build()
        shared.withLock { $0.insert(conversion, for: key) }
        return conversion
    }
}

extension PixelBuffer {
    /// Returns the image in other colors. Reuses the memory of a unique reference.
    consuming func converted(
        by conversion: ColorConversion?, isCancelled: () -> Bool
    ) throws(ImageError) -> PixelBuffer {
        if let conversion {
            try modify { (canvas) throws(ImageError) in try conversion.convert(canvas, isCancelled: isCancelled) }
        }
        return self
    }
}

extension DecodedImage {
    /// Returns the image in sRGB if it is in Display P3, for encoders and toolkits that support only sRGB. Clamps each
    /// channel to the gamut of sRGB.
    ///
    /// - Throws: `ImageError.tooLarge` if memory runs out.
    public func convertedToSRGB() throws(ImageError) -> DecodedImage {
        guard metadata.colorSpace == .displayP3 else { return self }
        var image = self
        let conversion = ColorConversion.from(.codePoints(.displayP3), to: .sRGB)
        image.pixels = try pixels.converted(by: conversion) { false }
        image.metadata.colorSpace = .sRGB
        return image
    }
}

extension ICCProfile {
    /// The Display P3 profile, for formats that need an ICC profile.
    static let displayP3: ICCProfile? = {
        guard let context = LittleCMSContext(), let profile = LittleCMSProfile(.displayP3, in: context),
            let name = cmsMLUalloc(context.handle, 1)
        else { return nil }
        defer { cmsMLUfree(name) }
        // The profile's handle does not retain it.
        defer { withExtendedLifetime(profile) {} }
        cmsMLUsetASCII(name, "en", "US", "Display P3")
        cmsWriteTag(profile.handle, cmsSigProfileDescriptionTag, UnsafeRawPointer(name))
        var count: UInt32 = 0
        guard cmsSaveProfileToMem(profile.handle, nil, &count) != 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(count))
        guard cmsSaveProfileToMem(profile.handle, &bytes, &count) != 0 else { return nil }
        return ICCProfile(bytes, for: .rgb)
    }()
}

extension ColorConversion {
    /// Builds a conversion. Invalid colors are treated as sRGB: an image is not rejected for its profile.
    static func build(_ colors: ColorDescription, to space: ColorSpace, of samples: Samples) -> ColorConversion? {
        guard let context = LittleCMSContext(), let target = LittleCMSProfile(space, in: context) else { return nil }
        let kind =
            if let points = colors.highDynamicRange {
                toneMapping(of: points, to: target)
            } else {
                kind(from: LittleCMSProfile(colors, in: context), to: target, of: samples)
            }
        if let kind { return ColorConversion(kind: kind).omittingIdentity(of: samples) }
        if case .inks = samples { return nil }
        return colors == .sRGB || space == .sRGB ? nil : build(.sRGB, to: space, of: samples)
    }

    private static func toneMapping(of points: CodePoints, to target: LittleCMSProfile) -> Kind? {
        guard let from = LittleCMSProfile(points.chromaticities, .power(1), in: target.context)?.colorants,
            let to = target.colorants?.inverse
        else { return nil }
        return .toneMapping(ToneMapping(to * from, isHybridLogGamma: points.transfer == CodePoints.hybridLogGamma))
    }

    private static func kind(
        from source: LittleCMSProfile?, to target: LittleCMSProfile, of samples: Samples
    ) -> Kind? {
        guard let source else { return nil }
        switch samples {
        case .pixels:
            if source.isGray { return grayTable(from: source, .gray, to: target).map(Kind.gray) }
            if let matrix = MatrixConversion(from: source, to: target) { return .matrix(matrix) }
            return ColorTransform(from: source, .pixels, to: target).map(Kind.transform)
        case .words:
            if source.isGray { return grayTable(from: source, .grayWords, to: target).map(Kind.gray) }
            if let matrix = MatrixWordConversion(from: source, to: target) { return .wordMatrix(matrix) }
            return ColorTransform(from: source, .words, to: target).map(Kind.transform)
        case .inks(let isInverted):
            return ColorTransform(from: source, .inks(isInverted: isInverted), to: target).map(Kind.transform)
        }
    }

    /// Returns the result for each gray. The results are gray too, so one component suffices.
    private static func grayTable(
        from source: LittleCMSProfile, _ layout: ColorTransform.Layout, to target: LittleCMSProfile
    ) -> [UInt8]? {
        guard let transform = ColorTransform(from: source, layout, to: target) else { return nil }
        func values(_ grays: [some FixedWidthInteger]) -> [UInt8] {
            var pixels = [UInt32](repeating: 0, count: grays.count)
            grays.withUnsafeBytes { bytes in
                guard let start = bytes.baseAddress else { return }
                pixels.withUnsafeMutableBufferPointer { pixels in
                    if let target = pixels.baseAddress { transform.convert(start, to: target, count: pixels.count) }
                }
            }
            return pixels.map { UInt8(truncatingIfNeeded: $0 >> 8) }
        }
        if case .grayWords = layout { return values(Array(UInt16.min ... .max)) }
        return values(Array(UInt8.min ... .max))
    }

    /// Returns `nil` for variants of sRGB, for which no 8-bit component changes by more than 1. That is less than the
    /// variants differ from each other through rounding.
    private func omittingIdentity(of samples: Samples) -> ColorConversion? {
        var results = Self.probes
        results.withUnsafeMutableBufferPointer { pixels in
            guard let start = pixels.baseAddress else { return }
            switch samples {
            case .pixels: convert(start, count: pixels.count)
            case .words: convertWords(Self.wordProbes, to: start, count: pixels.count)
            case .inks: pixels.update(repeating: 0)
            }
        }
        // The grays come first; a gray image has no other colors.
        var count = results.count
        if case .gray = kind { count = 256 }
        let isNear = (0..<count).allSatisfy { index in
            stride(from: 0, to: 24, by: 8).allSatisfy { shift in
                abs(Int(Self.probes[index] >> shift & 0xFF) - Int(results[index] >> shift & 0xFF)) <= 1
            }
        }
        return isNear ? nil : self
    }

    /// The probes as 16-bit R, G, B, A.
    private static let wordProbes = probes.flatMap { probe in
        [16, 8, 0, 24].map { UInt16(truncatingIfNeeded: probe >> UInt32($0) & 0xFF) * 257 }
    }

    /// All grays, and colors across the whole cube.
    private static let probes: [UInt32] = {
        let grays = (0..<256).map { 0xFF00_0000 | UInt32($0) * 0x01_0101 }
        let steps: [UInt32] = [0, 1, 8, 24, 51, 102, 153, 204, 230, 255]
        let colors = steps.flatMap { red in
            steps.flatMap { green in steps.map { 0xFF00_0000 | red << 16 | green << 8 | $0 } }
        }
        return grays + colors
    }()
}

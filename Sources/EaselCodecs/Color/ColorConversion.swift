import CEaselPixels
import CLittleCMS
public import EaselCore
import Synchronization

/// Converts pixels from the colors of a file to a `ColorSpace`. Built once for each profile and cached.
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
        for y in 0..<canvas.size.height {
            if y % 64 == 0, isCancelled() { throw .cancelled }
            convert(canvas.row(y), count: canvas.size.width)
        }
    }

    /// Converts premultiplied 8-bit pixels in place.
    func convert(_ pixels: UnsafeMutablePointer<UInt32>, count: Int) {
        switch kind {
        case .matrix(let matrix): matrix.convert(pixels, count: count)
        case .gray(let table) where table.count == 256: easel_color_look_up(table, pixels, count)
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
        for y in 0..<canvas.size.height {
            if y % 64 == 0, isCancelled() { throw .cancelled }
            transform.convert(UnsafeRawPointer(canvas.row(y)), to: canvas.row(y), count: canvas.size.width)
        }
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
    struct Key: Hashable {
        var colors: ColorDescription
        var space: ColorSpace
        var samples: ColorConversion.Samples

        var byteCount: Int {
            if case .profile(let profile) = colors { return profile.bytes.count + MemoryLayout<Self>.stride }
            return MemoryLayout<Self>.stride
        }
    }

    private struct Entry {
        /// The conversion; `nil` if the colors need none.
        var conversion: ColorConversion?
        var byteCount: Int
        var lastUse: Int
    }

    private let countLimit: Int
    private let byteLimit: Int
    private var entries: [Key: Entry] = [:]
    private var uses = 0
    private(set) var byteCount = 0

    var count: Int { entries.count }

    /// Creates a cache with these limits. It evicts the least recently used conversions.
    init(countLimit: Int = 64, byteLimit: Int = 16 << 20) {
        self.countLimit = countLimit
        self.byteLimit = byteLimit
    }

    /// Returns the cached conversion: `.some(nil)` if the colors need none, `nil` for a cache miss.
    mutating func conversion(for key: Key) -> ColorConversion?? {
        guard let index = entries.index(forKey: key) else { return nil }
        uses += 1
        entries.values[index].lastUse = uses
        return .some(entries.values[index].conversion)
    }

    mutating func keep(_ conversion: ColorConversion?, for key: Key) {
        let size = key.byteCount + (conversion?.byteCount ?? 0)
        guard size <= byteLimit else { return }
        uses += 1
        byteCount -= entries[key]?.byteCount ?? 0
        byteCount += size
        entries[key] = Entry(conversion: conversion, byteCount: size, lastUse: uses)
        while entries.count > countLimit || byteCount > byteLimit {
            guard let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) else { return }
            byteCount -= oldest.value.byteCount
            entries[oldest.key] = nil
        }
    }
}

extension ColorConversionCache {
    private static let shared = Mutex(ColorConversionCache())

    /// Returns the conversion in the process-wide cache, or else builds it. Two threads may build the same conversion
    /// at once; neither waits for the other.
    static func conversion(_ key: Key, build: () -> ColorConversion?) -> ColorConversion? {
        if let kept = shared.withLock({ $0.conversion(for: key) }) { return kept }
        let conversion = build()
        shared.withLock { $0.keep(conversion, for: key) }
        return conversion
    }
}

extension PixelBuffer {
    /// Returns the image in other colors. Reuses the memory of a unique reference.
    consuming func converted(
        by conversion: ColorConversion?, isCancelled: () -> Bool
    ) throws(ImageError) -> PixelBuffer {
        guard let conversion else { return self }
        let (size, bytesPerRow) = (size, bytesPerRow)
        return try changed { (bytes) throws(ImageError) in
            guard let canvas = Canvas(bytes, bytesPerRow: bytesPerRow, size: size) else { return }
            try conversion.convert(canvas, isCancelled: isCancelled)
        }
    }
}

extension DecodedImage {
    /// Returns the image in sRGB if it is in Display P3, for encoders and toolkits that support only sRGB. Clamps each
    /// channel to the gamut of sRGB.
    ///
    /// - Throws: `ImageError.tooLarge` if memory runs out.
    public func inStandardColors() throws(ImageError) -> DecodedImage {
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

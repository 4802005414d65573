import CEaselPixels
import CLittleCMS
public import EaselCore
import Synchronization

/// Turns the pixels of one file's colors into those of a `ColorSpace`. Built once a profile, and kept for the next file.
struct ColorConversion: Sendable {
    /// What is converted.
    enum Samples: Hashable {
        /// Premultiplied 8-bit pixels.
        case pixels
        /// 16-bit R, G, B, A, not premultiplied.
        case words
        /// 8-bit C, M, Y, K: 255 is all ink or, inverted as Adobe writes it, none.
        case inks(isInverted: Bool)
    }

    enum Kind {
        case matrix(MatrixConversion)
        case wordMatrix(MatrixWordConversion)
        /// The value of each gray: 256 or 65,536 of them.
        case gray([UInt8])
        case transform(ColorTransform)
        case toneMapping(ToneMapping)
    }

    let kind: Kind

    /// The conversion, or `nil` where there is nothing to do: the colors are those already, or nearly so, or the profile
    /// cannot be used. Takes microseconds for a profile that was met before, and up to some milliseconds for a new one.
    static func from(
        _ colors: ColorDescription, to space: ColorSpace, of samples: Samples = .pixels
    ) -> ColorConversion? {
        if space == .unconverted || space == .sRGB && colors.isSRGB { return nil }
        return ColorConversionCache.conversion(.init(colors: colors, space: space, samples: samples)) {
            build(colors, to: space, of: samples)
        }
    }

    /// Converts premultiplied 8-bit pixels where they are.
    func convert(_ canvas: Canvas, isCancelled: () -> Bool) throws(ImageError) {
        for y in 0..<canvas.size.height {
            if y % 64 == 0, isCancelled() { throw .cancelled }
            convert(canvas.row(y), count: canvas.size.width)
        }
    }

    /// Converts premultiplied 8-bit pixels where they are.
    func convert(_ pixels: UnsafeMutablePointer<UInt32>, count: Int) {
        switch kind {
        case .matrix(let matrix): matrix.convert(pixels, count: count)
        case .gray(let table) where table.count == 256: easel_color_look_up(table, pixels, count)
        case .gray, .wordMatrix: break
        case .transform(let transform): transform.convert(pixels, count: count)
        case .toneMapping(let mapping): mapping.convert(pixels, count: count)
        }
    }

    /// Converts 16-bit samples to premultiplied 8-bit pixels: for files of more than 8 bits, HDR above all. Of a conversion
    /// of `.words`.
    ///
    /// - Parameters:
    ///   - samples: `count` times R, G, B, A, not premultiplied, each from 0 to 65,535.
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

    /// Converts C, M, Y, K to opaque pixels where they are. Of a conversion of `.inks`.
    func convertInks(_ canvas: Canvas, isCancelled: () -> Bool) throws(ImageError) {
        guard case .transform(let transform) = kind else { return }
        for y in 0..<canvas.size.height {
            if y % 64 == 0, isCancelled() { throw .cancelled }
            transform.convert(UnsafeRawPointer(canvas.row(y)), to: canvas.row(y), count: canvas.size.width)
        }
        canvas.makeOpaque()
    }

    /// The bytes that it takes.
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

/// The conversions that were built last, so that the next file with the same profile finds its own made.
///
/// They are found by the whole of what they were made from, and not by a hash of it, which a hostile file could share with
/// an honest one.
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
        /// `nil`: it is known that there is nothing to convert.
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

    /// A cache that holds at most this much, and forgets what was used longest ago.
    init(countLimit: Int = 64, byteLimit: Int = 16 << 20) {
        self.countLimit = countLimit
        self.byteLimit = byteLimit
    }

    /// What was kept: `.some(nil)` where there is nothing to convert, `nil` where nothing is known.
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

    /// What the whole process keeps, else what `build` makes. Two threads that want the same at once may both build it:
    /// neither waits for the other.
    static func conversion(_ key: Key, build: () -> ColorConversion?) -> ColorConversion? {
        if let kept = shared.withLock({ $0.conversion(for: key) }) { return kept }
        let conversion = build()
        shared.withLock { $0.keep(conversion, for: key) }
        return conversion
    }
}

extension PixelBuffer {
    /// The same image in other colors: in the same memory, if this is the only reference.
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
    /// The image in sRGB, where it is in Display P3: for encoders that cannot say that colors are others, and for toolkits that
    /// know no others. What sRGB does not have becomes the nearest that it has, channel by channel.
    ///
    /// - Throws: `ImageError.tooLarge` where the machine has no room for another image.
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
    /// Display P3, for files that say it by a profile.
    static let displayP3: ICCProfile? = {
        guard let context = LittleCMSContext(), let profile = LittleCMSProfile(.displayP3, in: context),
            let name = cmsMLUalloc(context.handle, 1)
        else { return nil }
        defer { cmsMLUfree(name) }
        // Handles do not keep it.
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

import CEaselPixels
import EaselCore

/// Turns the pixels of one file's colours into those of a `ColorSpace`. Built once a profile, and kept for the next file.
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

    /// The conversion, or `nil` where there is nothing to do: the colours are those already, or nearly so, or the profile
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

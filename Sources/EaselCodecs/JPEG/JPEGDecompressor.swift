import CEaselJPEG
import EaselCore

/// The libjpeg state for one complete file. The C shim catches libjpeg's jumps.
struct JPEGDecompressor: ~Copyable {
    private let decoder: OpaquePointer
    private let header: easel_jpeg_header

    /// Reads the markers before the first scan. `bytes` must stay valid for the lifetime of this value.
    ///
    /// - Throws: `ImageError.badData`; `.tooLarge` for a side beyond libjpeg's limit; `.unsupported` for a kind of JPEG
    ///   that libjpeg does not decode.
    init(_ bytes: UnsafeBufferPointer<UInt8>) throws(ImageError) {
        guard let decoder = easel_jpeg_decoder_open(bytes.baseAddress, bytes.count) else {
            throw .badData("Not a JPEG file.")
        }
        var header = easel_jpeg_header()
        guard easel_jpeg_decoder_read_header(decoder, &header) else {
            let headerFailure = Self.headerFailure(decoder, header)
            easel_jpeg_decoder_close(decoder)
            throw headerFailure
        }
        self.decoder = decoder
        self.header = header
    }

    deinit {
        easel_jpeg_decoder_close(decoder)
    }

    /// The limit of libjpeg, for reading and for writing.
    static let longestSide = 65_500

    var size: PixelSize { PixelSize(Int(header.width), Int(header.height)) }
    var componentCount: Int { Int(header.components) }
    var hasMeanScan: Bool { header.has_dc_scan }

    /// A description of the last failure or of the damage.
    var message: String { Self.message(decoder) }

    /// The error for damaged data.
    var damage: ImageError { .badData("The JPEG is damaged: \(message).") }

    /// Whether data was missing or invalid.
    var isDamaged: Bool { easel_jpeg_decoder_is_damaged(decoder) }

    /// Decodes the image at a fraction of its size. Sets `isDamaged` if data is missing or invalid.
    func pixels(_ scale: JPEGScale, _ inks: CMYK?, isCancelled: () -> Bool) throws(ImageError) -> PixelBuffer {
        let size = try begin(scale)
        try readScans(isCancelled: isCancelled)
        return try PixelBuffer(size: size, isOpaque: true) { (target, bytesPerRow) throws(ImageError) in
            try readRows(into: target, bytesPerRow: bytesPerRow, height: size.height, isCancelled: isCancelled)
            if let inks, let canvas = Canvas(target, bytesPerRow: bytesPerRow, size: size) {
                try inks.convert(canvas, isCancelled: isCancelled)
            }
        }
    }

    /// Starts decoding at a fraction of the size, and returns the resulting size.
    private func begin(_ scale: JPEGScale) throws(ImageError) -> PixelSize {
        var width: UInt32 = 0
        var height: UInt32 = 0
        let hasBegun = easel_jpeg_decoder_begin(
            decoder, Int32(scale.denominator), scale.usesFirstScanOnly, &width, &height)
        guard hasBegun else { throw Self.failure(decoder) }
        return PixelSize(Int(width), Int(height))
    }

    /// Reads all scans of a file with several scans.
    private func readScans(isCancelled: () -> Bool) throws(ImageError) {
        while true {
            switch easel_jpeg_decoder_consume(decoder) {
            case EASEL_JPEG_READY: return
            case EASEL_JPEG_MORE: if isCancelled() { throw .cancelled }
            default: throw Self.failure(decoder)
            }
        }
    }

    /// Decodes all rows. `bytes` has `height` rows of `bytesPerRow` bytes, with room for four bytes a pixel.
    private func readRows(
        into bytes: UnsafeMutableRawBufferPointer, bytesPerRow: Int, height: Int, isCancelled: () -> Bool
    ) throws(ImageError) {
        guard let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        var row = 0
        while row < height {
            if isCancelled() { throw .cancelled }
            let count = easel_jpeg_decoder_read_rows(
                decoder, start + row * bytesPerRow, bytesPerRow, Int32(min(32, height - row)))
            guard count >= 0 else { throw Self.failure(decoder) }
            row += Int(count)
        }
    }

    /// Returns the error for a header that was not read.
    private static func headerFailure(_ decoder: OpaquePointer, _ header: easel_jpeg_header) -> ImageError {
        let size = PixelSize(Int(header.width), Int(header.height))
        guard max(size.width, size.height) <= longestSide else {
            return .tooLarge(.pixels(size, limit: longestSide * longestSide))
        }
        return failure(decoder)
    }

    /// Returns the error for the last failed call.
    private static func failure(_ decoder: OpaquePointer) -> ImageError {
        let reason = "The JPEG cannot be decoded: \(message(decoder))."
        return easel_jpeg_decoder_is_unsupported(decoder) ? .unsupported(reason) : .badData(reason)
    }

    /// Returns libjpeg's message for the failure or the damage.
    private static func message(_ decoder: OpaquePointer) -> String {
        String(cString: easel_jpeg_decoder_message(decoder))
    }
}

/// The conversion of C, M, Y, K to RGB, by the embedded profile, or else by the simple formula.
struct CMYK {
    private let conversion: ColorConversion?
    private let isInverted: Bool
    /// The colors after `convert`, or `nil` if they are the requested ones.
    let colors: ColorDescription?

    /// - Parameters:
    ///   - colors: the color description of the file.
    ///   - isInverted: whether 255 is no ink, as in every file with Adobe's marker.
    init(_ colors: ColorDescription, isInverted: Bool, to space: ColorSpace) {
        self.isInverted = isInverted
        if case .profile = colors {
            conversion = ColorConversion.from(colors, to: space, of: .inks(isInverted: isInverted))
        } else {
            conversion = nil
        }
        self.colors = conversion == nil ? .sRGB : nil
    }

    /// Converts C, M, Y, K pixels to opaque B, G, R, A in place.
    func convert(_ canvas: Canvas, isCancelled: () -> Bool) throws(ImageError) {
        if let conversion { return try conversion.convertInks(canvas, isCancelled: isCancelled) }
        Self.convert(canvas, isInverted: isInverted)
    }

    /// Converts by the simple formula: each channel is the light that its ink and black transmit.
    private static func convert(_ canvas: Canvas, isInverted: Bool) {
        let mask: UInt32 = isInverted ? 0 : .max
        for y in 0..<canvas.size.height {
            let row = canvas.row(y)
            for x in 0..<canvas.size.width {
                let light = row[x] ^ mask
                let black = (light >> 24) & 0xFF
                row[x] = PackedPixel.opaque(
                    red: multiply(light & 0xFF, black), green: multiply((light >> 8) & 0xFF, black),
                    blue: multiply((light >> 16) & 0xFF, black))
            }
        }
    }

    @inline(__always)
    private static func multiply(_ a: UInt32, _ b: UInt32) -> UInt8 {
        UInt8(truncatingIfNeeded: (a &* b &+ 127) / 255)
    }
}

import CEaselJPEG
import EaselCore

/// libjpeg's state for one file, through the C shim that keeps its jumps away from Swift.
struct JPEGDecompressor: ~Copyable {
    private let decoder: OpaquePointer
    private let markers: easel_jpeg_header

    /// Reads the markers before the first scan. `bytes` must stay where they are as long as this value lives.
    ///
    /// - Throws: `ImageError.badData`, `.tooLarge` for a side beyond what libjpeg takes, or `.unsupported` for a kind of JPEG that it
    ///   does not decode.
    init(_ bytes: UnsafeBufferPointer<UInt8>) throws(ImageError) {
        guard let decoder = easel_jpeg_decoder_open(bytes.baseAddress, bytes.count) else {
            throw .badData("Not a JPEG file.")
        }
        var markers = easel_jpeg_header()
        guard easel_jpeg_decoder_read_header(decoder, &markers) else {
            let refusal = Self.refusal(decoder, markers)
            easel_jpeg_decoder_close(decoder)
            throw refusal
        }
        self.decoder = decoder
        self.markers = markers
    }

    deinit {
        easel_jpeg_decoder_close(decoder)
    }

    /// libjpeg's own limit, for reading and for writing.
    static let longestSide = 65_500

    /// Why the last call failed, or what was wrong with the data.
    var message: String { Self.message(decoder) }

    /// Whether data was missing or made no sense.
    var isDamaged: Bool { easel_jpeg_decoder_is_damaged(decoder) }

    /// Whether the first scan holds each block's mean, with precision to spare.
    var hasMeanScan: Bool { markers.has_dc_scan }

    /// Whether rows come out as C, M, Y, K, which libjpeg leaves to others to convert.
    var isCMYK: Bool { markers.components == 4 }

    /// Whether Adobe's marker is there, with which 255 stands for no ink.
    var isInkInverted: Bool { markers.has_adobe_marker }

    /// What the file says of itself.
    func header() -> ImageHeader { ImageHeader(jpeg: markers, decoder) }

    /// What the file says of its colors: the ICC profile of its APP2 segments, whose number and order libjpeg checks, else
    /// EXIF's color space. Of no use for CMYK without a profile, which sRGB does not describe.
    func colors() -> ColorDescription { Self.colors(decoder, markers) }

    /// Returns the colors of an arriving file.
    static func colors(_ decoder: OpaquePointer, _ markers: easel_jpeg_header) -> ColorDescription {
        let components: ICCProfile.Components =
            markers.components == 1 ? .gray : markers.components == 4 ? .cmyk : .rgb
        var count = 0
        if let bytes = easel_jpeg_decoder_profile(decoder, &count),
            let profile = ICCProfile(UnsafeBufferPointer(start: bytes, count: count), for: components)
        {
            return .profile(profile)
        }
        guard components == .rgb, let exif = markers.exif else { return .sRGB }
        return ColorDescription(exif: Span(_unsafeStart: exif, count: markers.exif_count)) ?? .sRGB
    }

    /// Decodes the image at a fraction of its size; see `isDamaged`.
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

    /// Starts decoding at a fraction of the size, and returns the size that comes out.
    private func begin(_ scale: JPEGScale) throws(ImageError) -> PixelSize {
        var width: UInt32 = 0
        var height: UInt32 = 0
        let begun = easel_jpeg_decoder_begin(
            decoder, Int32(scale.denominator), scale.usesFirstScanOnly, &width, &height)
        guard begun else { throw Self.failure(decoder) }
        return PixelSize(Int(width), Int(height))
    }

    /// Reads the scans of a file that has several.
    private func readScans(isCancelled: () -> Bool) throws(ImageError) {
        while true {
            switch easel_jpeg_decoder_consume(decoder, 16) {
            case EASEL_JPEG_READY: return
            case EASEL_JPEG_MORE: if isCancelled() { throw .cancelled }
            default: throw Self.failure(decoder)
            }
        }
    }

    /// Writes all rows. `bytes` has `height` rows of `bytesPerRow` bytes, with room for four a pixel.
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

    /// Why the header was not read.
    static func refusal(_ decoder: OpaquePointer, _ markers: easel_jpeg_header) -> ImageError {
        let size = PixelSize(Int(markers.width), Int(markers.height))
        guard max(size.width, size.height) <= longestSide else {
            return .tooLarge(.pixels(size, limit: longestSide * longestSide))
        }
        return failure(decoder)
    }

    /// Why the last call failed.
    static func failure(_ decoder: OpaquePointer) -> ImageError {
        let reason = "The JPEG cannot be decoded: \(message(decoder))."
        return easel_jpeg_decoder_is_unsupported(decoder) ? .unsupported(reason) : .badData(reason)
    }

    /// What libjpeg said of the failure or the damage.
    static func message(_ decoder: OpaquePointer) -> String {
        String(cString: easel_jpeg_decoder_message(decoder))
    }
}

extension ImageHeader {
    /// What the markers up to the first scan say. They are those of `decoder`.
    init(jpeg markers: easel_jpeg_header, _ decoder: OpaquePointer) {
        self.init(format: .jpeg, storedSize: PixelSize(Int(markers.width), Int(markers.height)))
        if let exif = markers.exif {
            orientation = ImageOrientation(exif: Span(_unsafeStart: exif, count: markers.exif_count))
        }
        var count = 0
        if let profile = easel_jpeg_decoder_profile(decoder, &count) {
            profileName = ICCProfileName.read(from: Span(_unsafeStart: profile, count: count))
        }
    }
}

/// Which scans of an image are worth a pass over its pixels.
struct ScanProgress {
    /// Passes that are made without asking. Encoders write about ten scans.
    static let freePasses = 16
    /// Bytes that each further pass has to be paid with: scans of a few bytes each would make any number of passes.
    static let bytesPerPass = 64 << 10

    private var shownScans: Int?
    private var passCount = 0
    private var bytesAtLastPass = 0

    /// Whether to start a pass, which ends the one before. The first one begins before there is a whole scan, and shows the
    /// rows of the first one as they come; it is not started again when that is whole.
    ///
    /// - Parameters:
    ///   - scans: those that have come whole.
    ///   - bytes: those of the file that have come.
    ///   - hasEnded: whether no further scan will come.
    mutating func startsPass(scans: Int, bytes: Int, hasEnded: Bool) -> Bool {
        if let shownScans {
            guard scans > max(shownScans, 1) else { return false }
            guard passCount < Self.freePasses || bytes - bytesAtLastPass >= Self.bytesPerPass || hasEnded else {
                return false
            }
        }
        shownScans = scans
        passCount += 1
        bytesAtLastPass = bytes
        return true
    }
}

/// C, M, Y, K as JPEG files have them, and how they are shown: by the embedded profile, else by the plain formula.
struct CMYK {
    private let conversion: ColorConversion?
    private let isInverted: Bool
    /// The colors after `convert`; `nil` for the requested ones.
    let colors: ColorDescription?

    /// - Parameters:
    ///   - colors: the colors of the file.
    ///   - isInverted: whether 255 stands for no ink, as it does in every file with Adobe's marker.
    init(_ colors: ColorDescription, isInverted: Bool, to space: ColorSpace) {
        self.isInverted = isInverted
        if case .profile = colors {
            conversion = ColorConversion.from(colors, to: space, of: .inks(isInverted: isInverted))
        } else {
            conversion = nil
        }
        self.colors = conversion == nil ? .sRGB : nil
    }

    /// Turns the pixels of an image, C, M, Y, K in memory, into opaque B, G, R, A in place.
    func convert(_ canvas: Canvas, isCancelled: () -> Bool) throws(ImageError) {
        if let conversion { return try conversion.convertInks(canvas, isCancelled: isCancelled) }
        Self.convert(canvas, isInverted: isInverted)
    }

    /// The plain formula.
    private static func convert(_ canvas: Canvas, isInverted: Bool) {
        let mask: UInt32 = isInverted ? 0 : .max
        for y in 0..<canvas.size.height {
            let row = canvas.row(y)
            for x in 0..<canvas.size.width {
                // The light that each ink transmits.
                let light = row[x] ^ mask
                let black = (light >> 24) & 0xFF
                row[x] = PackedPixel.opaque(
                    red: product(light & 0xFF, black), green: product((light >> 8) & 0xFF, black),
                    blue: product((light >> 16) & 0xFF, black))
            }
        }
    }

    @inline(__always)
    private static func product(_ a: UInt32, _ b: UInt32) -> UInt8 {
        UInt8(truncatingIfNeeded: (a &* b &+ 127) / 255)
    }
}

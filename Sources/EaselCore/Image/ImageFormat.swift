/// A file format of images, recognized by its signature: never by a name, an extension or a media type.
///
/// A value, not an enum, so that applications can add formats.
public struct ImageFormat: Sendable, Hashable {
    private struct Details: Sendable {
        let mediaType: String
        let fileExtension: String
        let signatures: [Signature]
        let recognizes: (@Sendable (UnsafeRawBufferPointer) -> Bool)?
    }

    /// The short lower-case name that the command and the metadata use, such as `jpeg`. It identifies the format.
    public let name: String
    private let details: Uncompared<Details>

    /// The media type, such as `image/jpeg`.
    public var mediaType: String { details.value.mediaType }
    /// The usual file extension, without a dot.
    public var fileExtension: String { details.value.fileExtension }

    /// Creates a format.
    ///
    /// - Parameters:
    ///   - name: short and lower-case; two formats are equal when their names are.
    ///   - mediaType: `application/octet-stream` if there is none.
    ///   - fileExtension: by default the name.
    ///   - recognizes: returns whether a file that begins with these bytes is one. It is called for every file: check
    ///     the first byte first, and never more than a few thousand.
    public init(
        _ name: String, mediaType: String = "application/octet-stream", fileExtension: String? = nil,
        recognizes: @escaping @Sendable (UnsafeRawBufferPointer) -> Bool
    ) {
        self.init(name, mediaType: mediaType, fileExtension: fileExtension, signatures: [], recognizes: recognizes)
    }

    package init(
        _ name: String, mediaType: String = "application/octet-stream", fileExtension: String? = nil,
        signatures: [Signature],
        recognizes: (@Sendable (UnsafeRawBufferPointer) -> Bool)? = nil
    ) {
        self.name = name
        details = Uncompared(
            Details(
                mediaType: mediaType, fileExtension: fileExtension ?? name, signatures: signatures,
                recognizes: recognizes))
    }

    /// Returns whether a file that begins with `bytes` is of this format. A truncated signature does not match.
    package func matches(_ bytes: UnsafeRawBufferPointer) -> Bool {
        details.value.signatures.contains { $0.matches(bytes) } || details.value.recognizes?(bytes) == true
    }
}

extension ImageFormat {
    /// Bytes at fixed offsets, all of which have to match.
    package struct Signature: Sendable {
        private let parts: [(offset: Int, bytes: [UInt8])]

        /// Returns a signature of bytes at an offset from the start of the file.
        package static func bytes(_ bytes: [UInt8], at offset: Int = 0) -> Signature {
            Signature(parts: [(offset, bytes)])
        }

        /// Returns a signature of ASCII characters.
        package static func text(_ text: String, at offset: Int = 0) -> Signature {
            .bytes(Array(text.utf8), at: offset)
        }

        /// Returns a signature of which this and the other have to match.
        func and(_ other: Signature) -> Signature {
            Signature(parts: parts + other.parts)
        }

        func matches(_ bytes: UnsafeRawBufferPointer) -> Bool {
            parts.allSatisfy { bytes.dropFirst($0.offset).starts(with: $0.bytes) }
        }
    }
}

extension ImageFormat {
    /// JPEG: SOI and the first byte of a marker that may follow it.
    public static let jpeg = ImageFormat(
        "jpeg", mediaType: "image/jpeg", fileExtension: "jpg", signatures: [.bytes([0xFF, 0xD8, 0xFF])])
    /// PNG. An animated one has the same signature; its chunks distinguish it (`apng`).
    public static let png = ImageFormat(
        "png", mediaType: "image/png", signatures: [.bytes([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])])
    /// Animated PNG. It has the signature of PNG: a decoder reports it if an `acTL` chunk precedes the data.
    public static let apng = ImageFormat("apng", mediaType: "image/apng", fileExtension: "png", signatures: [])
    /// GIF 87a and 89a.
    public static let gif = ImageFormat(
        "gif", mediaType: "image/gif", signatures: [.text("GIF87a"), .text("GIF89a")])
    /// WebP: a RIFF file whose form is WEBP.
    public static let webp = ImageFormat(
        "webp", mediaType: "image/webp", signatures: [.text("RIFF").and(.text("WEBP", at: 8))])
    /// AVIF, still and animated, by its major brand, or by one of the first compatible brands of a HEIF file.
    public static let avif = ImageFormat(
        "avif", mediaType: "image/avif",
        signatures: fileType(["avif", "avis"]) + fileType(["mif1", "msf1"], compatibleWith: ["avif", "avis"]))
    /// HEIC and HEIF, by their major brand.
    public static let heic = ImageFormat(
        "heic", mediaType: "image/heic",
        signatures: fileType(["heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs", "mif1", "msf1"]))
    /// JPEG XL: a bare codestream or a container.
    public static let jxl = ImageFormat(
        "jxl", mediaType: "image/jxl",
        signatures: [
            .bytes([0xFF, 0x0A]),
            .bytes([0x00, 0x00, 0x00, 0x0C, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A]),
        ])
    /// JPEG 2000: its container or a bare codestream.
    package static let jpeg2000 = ImageFormat(
        "jp2", mediaType: "image/jp2",
        signatures: [
            .bytes([0x00, 0x00, 0x00, 0x0C, 0x6A, 0x50, 0x20, 0x20, 0x0D, 0x0A, 0x87, 0x0A]),
            .bytes([0xFF, 0x4F, 0xFF, 0x51]),
        ])
    /// TIFF and BigTIFF, of both byte orders.
    public static let tiff = ImageFormat(
        "tiff", mediaType: "image/tiff", fileExtension: "tif",
        signatures: [
            .bytes([0x49, 0x49, 0x2A, 0x00]), .bytes([0x4D, 0x4D, 0x00, 0x2A]),
            .bytes([0x49, 0x49, 0x2B, 0x00, 0x08, 0x00]), .bytes([0x4D, 0x4D, 0x00, 0x2B, 0x00, 0x08]),
        ])
    /// Windows bitmap: `BM`, and a header size that one of its versions has.
    public static let bmp = ImageFormat(
        "bmp", mediaType: "image/bmp",
        signatures: [12, 16, 40, 52, 56, 64, 108, 124].map { .text("BM").and(.bytes([$0, 0, 0, 0], at: 14)) })
    /// Windows icon or cursor.
    public static let ico = ImageFormat(
        "ico", mediaType: "image/vnd.microsoft.icon",
        signatures: [.bytes([0x00, 0x00, 0x01, 0x00]), .bytes([0x00, 0x00, 0x02, 0x00])])
    /// The Quite OK Image format.
    public static let qoi = ImageFormat("qoi", mediaType: "image/qoi", signatures: [.text("qoif")])
    /// The portable anymaps of Netpbm: `P`, a digit from 1 to 7, and space or a comment.
    public static let pnm = ImageFormat(
        "pnm", mediaType: "image/x-portable-anymap",
        recognizes: { bytes in
            bytes.count > 2 && bytes[0] == UInt8(ascii: "P")
                && (UInt8(ascii: "1")...UInt8(ascii: "7")).contains(bytes[1])
                && (bytes[2] == 32 || (9...13).contains(bytes[2]) || bytes[2] == UInt8(ascii: "#"))
        })
    /// SVG: XML whose first element is `svg`.
    public static let svg = ImageFormat(
        "svg", mediaType: "image/svg+xml", recognizes: XMLPrologReader.isSVG)

    /// The formats that Easel recognizes, with or without a decoder, so that an error can name the format.
    package static let known: [ImageFormat] = [
        .jpeg, .png, .gif, .webp, .avif, .heic, .jxl, .jpeg2000, .tiff, .bmp, .ico, .qoi, .pnm, .svg,
    ]

    /// Returns the format of a file with these first bytes, or `nil` for an unknown or truncated signature.
    ///
    /// 32 bytes suffice for every format in `known` except SVG, whose first element may follow a long comment.
    package static func sniff(_ bytes: UnsafeRawBufferPointer) -> ImageFormat? {
        known.first { $0.matches(bytes) }
    }

    /// Returns the signatures of ISO base media files with one of these major brands.
    private static func fileType(_ brands: [String]) -> [Signature] {
        brands.map { .text("ftyp", at: 4).and(.text($0, at: 8)) }
    }

    /// Returns the signatures of files that also have one of `others` among their first four compatible brands.
    private static func fileType(_ brands: [String], compatibleWith others: [String]) -> [Signature] {
        fileType(brands).flatMap { major in
            others.flatMap { other in [16, 20, 24, 28].map { major.and(.text(other, at: $0)) } }
        }
    }
}

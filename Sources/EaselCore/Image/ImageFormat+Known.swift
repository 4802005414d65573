extension ImageFormat {
    /// JPEG: SOI and the first byte of a marker that may follow it.
    public static let jpeg = ImageFormat(
        "jpeg", mediaType: "image/jpeg", fileExtension: "jpg", signatures: [.bytes([0xFF, 0xD8, 0xFF])])
    /// PNG; an animated one begins alike and is told by its chunks (`apng`).
    public static let png = ImageFormat(
        "png", mediaType: "image/png", signatures: [.bytes([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])])
    /// Animated PNG. It has no signature of its own: a decoder that finds an `acTL` chunk before the data reports it.
    public static let apng = ImageFormat("apng", mediaType: "image/apng", fileExtension: "png", signatures: [])
    /// GIF, of 1987 and of 1989, and no other year.
    public static let gif = ImageFormat(
        "gif", mediaType: "image/gif", signatures: [.text("GIF87a"), .text("GIF89a")])
    /// WebP: a RIFF file whose form is WEBP.
    public static let webp = ImageFormat(
        "webp", mediaType: "image/webp", signatures: [.text("RIFF").and(.text("WEBP", at: 8))])
    /// AVIF, still and animated, by its major brand, or by one of the first compatible ones of a file whose major brand
    /// says no more than that it is HEIF.
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
    public static let jpeg2000 = ImageFormat(
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
        "pnm", mediaType: "image/x-portable-anymap", signatures: [],
        recognizes: { bytes in
            bytes.count > 2 && bytes[0] == UInt8(ascii: "P")
                && (UInt8(ascii: "1")...UInt8(ascii: "7")).contains(bytes[1])
                && (bytes[2] == 32 || (9...13).contains(bytes[2]) || bytes[2] == UInt8(ascii: "#"))
        })
    /// SVG: XML whose first element is called so.
    public static let svg = ImageFormat(
        "svg", mediaType: "image/svg+xml", signatures: [], recognizes: SVGSignature.matches)

    /// The formats that Easel can tell apart, whether or not a decoder for them is there: an error can then name what came.
    public static let known: [ImageFormat] = [
        .jpeg, .png, .gif, .webp, .avif, .heic, .jxl, .jpeg2000, .tiff, .bmp, .ico, .qoi, .pnm, .svg,
    ]

    /// The format that a file with these first bytes has, or `nil` for an unknown or cut-off signature (B91).
    ///
    /// 32 bytes are enough for every format in `known` but SVG, whose first element may come after a long comment: give it
    /// as many bytes as there are. For what does not begin as XML does, no more than those are looked at.
    public static func sniff(_ bytes: UnsafeRawBufferPointer) -> ImageFormat? {
        known.first { $0.matches(bytes) }
    }

    /// An ISO base media file with one of these major brands.
    private static func fileType(_ brands: [String]) -> [Signature] {
        brands.map { .text("ftyp", at: 4).and(.text($0, at: 8)) }
    }

    /// One with one of these among its first four compatible brands too.
    private static func fileType(_ brands: [String], compatibleWith others: [String]) -> [Signature] {
        fileType(brands).flatMap { major in
            others.flatMap { other in [16, 20, 24, 28].map { major.and(.text(other, at: $0)) } }
        }
    }
}

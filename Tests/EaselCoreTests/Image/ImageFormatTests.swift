import EaselTesting
import Testing

@testable import EaselCore

/// B91: formats have full signatures.
@Suite("Image format: sniffing")
struct ImageFormatTests {
    @Test("each format is detected by the first bytes of its files (X148)", arguments: samples)
    func known(sample: Sample) {
        #expect(sniff(sample.bytes)?.name == sample.format)
        #expect(sniff(sample.bytes + [UInt8](repeating: 0xA5, count: 100))?.name == sample.format)
    }

    @Test("a truncated signature has no format", arguments: samples)
    func truncated(sample: Sample) {
        for length in 0..<sample.bytes.count {
            #expect(sniff(sample.bytes.prefix(length)) == nil, "\(length) bytes")
        }
    }

    @Test("a signature with one changed byte has no format", arguments: samples.filter { $0.format != "bmp" })
    func changed(sample: Sample) {
        for place in sample.fixed {
            var bytes = sample.bytes
            bytes[place] ^= 0x80
            #expect(sniff(bytes)?.name != sample.format, "byte \(place)")
        }
    }

    @Test(
        "files that resemble a format have none",
        arguments: [
            "GIF90a trailing bytes", "GIF88a trailing bytes", "gif89a trailing bytes",
            "RIFF\u{4}\u{0}\u{0}\u{0}WAVEfmt ",
            "RIFF\u{4}\u{0}\u{0}\u{0}WEBX", "BM is how many a text begins, this one too",
            "<!doctype html><html></html>",
            "\u{0}\u{0}\u{0}\u{18}ftypmp42", "\u{0}\u{0}\u{0}\u{18}ftypisom", "P8 2 2 255", "P6x", "qoix", "%PDF-1.7",
        ])
    func lookalikes(text: String) {
        #expect(sniff(Array(text.utf8)) == nil)
    }

    @Test("TIFF is detected in both byte orders, but not in a mixture")
    func tiff() {
        #expect(sniff([0x49, 0x49, 0x2A, 0x00]) == .tiff)
        #expect(sniff([0x4D, 0x4D, 0x00, 0x2A]) == .tiff)
        #expect(sniff([0x49, 0x49, 0x00, 0x2A]) == nil)
        #expect(sniff([0x4D, 0x4D, 0x2A, 0x00]) == nil)
        #expect(sniff([0x49, 0x4D, 0x2A, 0x00]) == nil)
    }

    @Test(
        "an SVG is detected by its first element, whatever XML allows before it",
        arguments: [
            "<svg>", "<svg/>", "\n\t <svg\nwidth='1'>", "<svg:svg xmlns:svg='x'>", "\u{FEFF}<svg>",
            "<?xml version='1.0'?><svg>", "<!-- <html> --><svg>", "<!DOCTYPE svg><svg>",
            "<!DOCTYPE svg PUBLIC \"-//W3C//DTD SVG 1.1//EN\" 'a>b' [<!ENTITY a '<html>]'> ]>\n<svg>",
            "<!--" + String(repeating: "long ", count: 2_000) + "--><?a b?><svg >",
        ])
    func svg(text: String) {
        #expect(sniff(Array(text.utf8)) == .svg)
        for isBigEndian in [false, true] {
            let units = ("\u{FEFF}" + text.drop { $0 == "\u{FEFF}" }).utf16.flatMap { unit in
                let bytes = [UInt8(unit & 0xFF), UInt8(unit >> 8)]
                return isBigEndian ? bytes.reversed() : bytes
            }
            #expect(sniff(units) == .svg)
        }
    }

    @Test(
        "other XML, web pages and text are not SVG",
        arguments: [
            "<html><svg>", "<!doctype html><svg>", "<!DOCTYPE html><html><body><svg></svg>", "<svgx>", "<SVG>", "svg>",
            "<!-- <svg> ", "<?xml version='1.0'?><rss>", "< svg>", "<", "<svg", "",
        ])
    func notSVG(text: String) {
        #expect(sniff(Array(text.utf8)) == nil)
    }

    @Test("an animated PNG is detected as a PNG")
    func animatedPNG() {
        #expect(!ImageFormat.known.contains(.apng))
    }

    @Test("random bytes do not crash, and almost none are detected")
    func random() {
        var random = SeededGenerator(seed: 91)
        var count = 0
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            if sniff(bytes) != nil { count += 1 }
        }
        // The signature of a JPEG XL codestream has only two bytes: one in 65,536.
        #expect(count <= 3)
    }

    @Test("no sample matches two formats (X147)", arguments: samples)
    func unambiguous(sample: Sample) {
        let matching = sample.bytes.withUnsafeBytes { bytes in ImageFormat.known.filter { $0.matches(bytes) } }
        #expect(matching.map(\.name) == [sample.format])
    }

    @Test("formats of the same name are equal")
    func equality() {
        let one = ImageFormat("my", mediaType: "image/my", signatures: [.text("MY")])
        let other = ImageFormat("my", signatures: [])
        #expect(one == other)
        #expect(Set([one, other]).count == 1)
        #expect(one != .png)
        #expect(other.fileExtension == "my")
    }

    @Test("a custom signature can have several parts")
    func ownSignature() {
        let format = ImageFormat("my", signatures: [.text("MY", at: 2).and(.bytes([7], at: 6)), .bytes([1, 2, 3])])
        let matches: ([UInt8]) -> Bool = { $0.withUnsafeBytes(format.matches) }
        #expect(matches([0, 0, 0x4D, 0x59, 0, 0, 7]))
        #expect(!matches([0, 0, 0x4D, 0x59, 0, 0, 8]))
        #expect(!matches([0, 0, 0x4D, 0x59, 0, 0]))
        #expect(matches([1, 2, 3]))
        #expect(!matches([]))
    }

    private func sniff(_ bytes: some Collection<UInt8>) -> ImageFormat? {
        Array(bytes).withUnsafeBytes(ImageFormat.sniff)
    }

    struct Sample: Sendable, CustomTestStringConvertible {
        let format: String
        let bytes: [UInt8]
        /// The positions of the bytes that the signature fixes.
        let fixed: [Int]

        var testDescription: String { format }

        init(_ format: String, _ bytes: [UInt8], fixed: [Int]? = nil) {
            self.format = format
            self.bytes = bytes
            self.fixed = fixed ?? Array(bytes.indices)
        }

        /// An ISO base media file of this major brand, cut off after the brand.
        static func brand(_ brand: String, of format: String) -> Sample {
            Sample(format, [0, 0, 0, 0x1C] + Array("ftyp".utf8) + Array(brand.utf8), fixed: Array(4..<12))
        }
    }

    static let samples: [Sample] =
        [
            Sample("jpeg", [0xFF, 0xD8, 0xFF]),
            Sample("png", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
            Sample("gif", Array("GIF87a".utf8)),
            Sample("gif", Array("GIF89a".utf8)),
            Sample(
                "webp", Array("RIFF".utf8) + [0x24, 0, 0, 0] + Array("WEBP".utf8),
                fixed: Array(0..<4) + Array(8..<12)),
            Sample("jxl", [0xFF, 0x0A]),
            Sample("jxl", [0x00, 0x00, 0x00, 0x0C] + Array("JXL ".utf8) + [0x0D, 0x0A, 0x87, 0x0A]),
            Sample("jp2", [0x00, 0x00, 0x00, 0x0C] + Array("jP  ".utf8) + [0x0D, 0x0A, 0x87, 0x0A]),
            Sample("jp2", [0xFF, 0x4F, 0xFF, 0x51]),
            Sample("tiff", [0x49, 0x49, 0x2A, 0x00]),
            Sample("tiff", [0x4D, 0x4D, 0x00, 0x2A]),
            Sample("tiff", [0x49, 0x49, 0x2B, 0x00, 0x08, 0x00]),
            Sample("tiff", [0x4D, 0x4D, 0x00, 0x2B, 0x00, 0x08]),
            Sample("ico", [0x00, 0x00, 0x01, 0x00]),
            Sample("ico", [0x00, 0x00, 0x02, 0x00]),
            Sample("pnm", Array("P1 ".utf8)),
            Sample("pnm", Array("P7\n".utf8)),
            Sample("svg", Array("<svg ".utf8)),
            Sample("qoi", Array("qoif".utf8)),
        ]
        + ["avif", "avis"].map { .brand($0, of: "avif") }
        + ["heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs", "mif1", "msf1"].map {
            .brand($0, of: "heic")
        }
        + [12, 40, 108, 124].map { size in
            Sample("bmp", Array("BM".utf8) + [UInt8](repeating: 0x11, count: 12) + [size, 0, 0, 0])
        }
}

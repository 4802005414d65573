#if JXL && SVG
import EaselCore
import EaselTesting
import Foundation
import Testing

@testable import EaselCodecs

/// Headers that are read without the format's library say what the library says, or nothing.
@Suite("Quick headers")
struct QuickHeaderTests {
    private static let jxl: @Sendable (Data) -> ImageHeader? = { JXLQuickHeader.read($0.span) }
    private static let svg: @Sendable (Data) -> ImageHeader? = { SVGQuickHeader.read($0.span) }

    @Test(
        "a JPEG XL of every way to write a size, with and without alpha",
        arguments: [(8, 8), (256, 256), (257, 300), (300, 225), (600, 40), (640, 360), (1000, 500), (9000, 3)])
    func sizes(width: Int, height: Int) throws {
        for alpha in [255, 100] {
            let file = try Files.jxl(Self.plain(width, height, alpha: UInt8(alpha)), quality: 0.9)
            let header = try #require(Self.jxl(file))
            #expect(header == (try JXLFile.header(of: file)))
            #expect(header.storedSize == PixelSize(width, height))
        }
    }

    @Test("the orientation of a JPEG XL", arguments: 1...8)
    func orientations(number: Int) throws {
        let file = try #require(JXLSamples.turned[number])
        #expect(try Self.jxl(file) ?? JXLFile.header(of: file) == JXLFile.header(of: file))
    }

    @Test(
        "animations: frames, loops and durations",
        arguments: [JXLSamples.animation, JXLSamples.deepAnimation] + JXLSamples.animations)
    func animations(file: Data) throws {
        let header = try #require(Self.jxl(file))
        #expect(header == (try JXLFile.header(of: file)))
        #expect(header.frameCount > 1)
        // One that ends early is libjxl's to tell of.
        for length in stride(from: 0, to: file.count - 1, by: 3) { #expect(Self.jxl(file.prefix(length)) == nil) }
        for changed in DamagedFiles.changed(file, count: 100) { _ = Self.jxl(changed) }
    }

    @Test(
        "the colours of a JPEG XL that tells them in numbers, by the names that libjxl gives them",
        arguments: [
            ("RGB_D65_DCI_Per_SRG", JXLColorNumbers(space: 0, white: 1, primaries: 11, curve: .number(13), intent: 0)),
            ("RGB_EER_202_Sat_PeQ", JXLColorNumbers(space: 0, white: 10, primaries: 9, curve: .number(16), intent: 2)),
            (
                "RGB_D65_SRG_Rel_g0.45455",
                JXLColorNumbers(space: 0, white: 1, primaries: 1, curve: .power(4_545_500), intent: 1)
            ),
            ("Gra_DCI_Abs_Lin", JXLColorNumbers(space: 1, white: 11, primaries: 1, curve: .number(8), intent: 3)),
            ("sRGB", JXLColorNumbers(space: 0, white: 1, primaries: 1, curve: .number(13), intent: 3)),
            (nil, JXLColorNumbers(space: 0, white: 1, primaries: 2, curve: .number(13), intent: 0)),
            (nil, JXLColorNumbers(space: 1, white: 1, primaries: 1, curve: .number(2), intent: 0)),
        ])
    func colorNames(name: String?, numbers: JXLColorNumbers) {
        #expect(numbers.name == name)
    }

    @Test("what has 16 bits in a box, or is cut off is said as libjxl says it, or left to it")
    func others() throws {
        for file in [JXLSamples.deep, JXLSamples.passes, JXLSamples.premultiplied] {
            let whole = try JXLFile.header(of: file)
            #expect(Self.jxl(file) ?? whole == whole)
            for length in 0..<20 { #expect(Self.jxl(file.prefix(length)) ?? whole == whole) }
        }
        for changed in DamagedFiles.changed(JXLSamples.deep, count: 300) { _ = Self.jxl(changed) }
    }

    @Test(
        "an SVG that says how large it is in pixels, and one that has the size of its viewBox",
        arguments: [
            "width='30' height='20'", "width=\"30.5px\" height=\"20px\"", "viewBox='0 0 70 50'",
            "width='30' height='20' viewBox='5 5 300 100'", "\n viewBox=\"0 0 24.2 24\"\n",
        ])
    func sides(attributes: String) throws {
        let file = Data(
            "<?xml version='1.0'?><!-- a > b --><svg xmlns='http://www.w3.org/2000/svg' \(attributes)><g/></svg>\n".utf8
        )
        #expect(try #require(Self.svg(file)) == (try Self.slow(file)))
    }

    @Test(
        "a byte order mark, a document type and styles that are not about sizes change nothing",
        arguments: [
            "\u{FEFF}<svg xmlns='http://www.w3.org/2000/svg' width='30' height='20'><g/></svg>",
            "<!DOCTYPE svg PUBLIC '-//W3C//DTD SVG 1.1//EN' 'http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd'>"
                + "<svg xmlns='http://www.w3.org/2000/svg' width='30' height='20'><g/></svg>",
            "<!DOCTYPE svg PUBLIC '-//W3C//DTD SVG 1.1//EN' 'svg11.dtd' [ <!ENTITY a \"<rect x='1' y='2'/>\"> <!ENTITY b ']>'> ]>"
                + "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 30 20'>&a;&b;</svg>",
            "<svg xmlns='http://www.w3.org/2000/svg' width='30' height='20'><style type='text/css'><![CDATA["
                + "svg, .st0{fill:#fff;stroke-width:2;line-height:3}]]></style><g class='st0'/><style>g{x:1}</style></svg>",
        ])
    func harmless(document: String) throws {
        let file = Data(document.utf8)
        #expect(try #require(Self.svg(file)) == (try Self.slow(file)))
    }

    @Test(
        "an SVG that is not as simple is left to librsvg",
        arguments: [
            "<svg xmlns='http://www.w3.org/2000/svg' width='3cm' height='20'><g/></svg>",
            "<svg xmlns='http://www.w3.org/2000/svg' width='50%' height='20'><g/></svg>",
            "<svg xmlns='http://www.w3.org/2000/svg' width='30'><g/></svg>",
            "<svg xmlns='http://www.w3.org/2000/svg' width='1e3' height='20'><g/></svg>",
            "<svg xmlns='http://www.w3.org/2000/svg' width='30' height='20' style='width:50px'><g/></svg>",
            "<svg xmlns='http://www.w3.org/2000/svg' width='30' height='20'><style>svg{width:50px}</style></svg>",
            "<svg xmlns='http://www.w3.org/2000/svg' width='30' height='20'><style>svg{ HEIGHT:50px}</style></svg>",
            "<svg xmlns='http://www.w3.org/2000/svg' width='30' height='20'><style>@import 'a';</style></svg>",
            "<svg xmlns='http://www.w3.org/2000/svg' width='30' height='20'><style>svg{w\\69 dth:50px}</style></svg>",
            "<svg xmlns='http://www.w3.org/2000/svg' width='30' height='20'><style>g{}</svg>",
            "<svg xmlns='http://www.w3.org/2000/svg' width='30' height='20'><g/>",
            "<svg xmlns='http://www.w3.org/2000/svg' width='0' height='20'><g/></svg>",
            "<svg width='30' height='20'><g/></svg>",
            "<!DOCTYPE svg [<!ENTITY a '5'>]><svg xmlns='http://www.w3.org/2000/svg' width='&a;' height='20'></svg>",
            "<!DOCTYPE svg [<!ATTLIST svg width CDATA '9'>]><svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 3 2'></svg>",
            "<!DOCTYPE svg [<!ENTITY a SYSTEM 'b'>]><svg xmlns='http://www.w3.org/2000/svg' width='3' height='2'></svg>",
            "<!DOCTYPE svg [<!ENTITY a '&#60;style>'>]><svg xmlns='http://www.w3.org/2000/svg' width='3' height='2'></svg>",
            "<!DOCTYPE svg [<!ENTITY % a 'b'>]><svg xmlns='http://www.w3.org/2000/svg' width='3' height='2'></svg>",
            "<!DOCTYPE svg [<!ENTITY a '<style>svg{width:9px}</style>'>]>"
                + "<svg xmlns='http://www.w3.org/2000/svg' width='3' height='2'>&a;</svg>",
            "<?xml version='1.0' encoding='iso-8859-1'?><svg xmlns='http://www.w3.org/2000/svg' width='3' height='2'></svg>",
        ])
    func notSimple(document: String) {
        #expect(Self.svg(Data(document.utf8)) == nil)
    }

    @Test("every JPEG XL and SVG of the corpora", .enabled(if: Corpora.arePresent))
    func corpora() throws {
        var (told, all) = (0, 0)
        for file in Corpora.files(.decode, .optional, .fail, .either, .limit)
        where ["jxl", "svg"].contains(file.answer.format) {
            let data = try file.data()
            all += 1
            // What only the library finds damaged, the decoder refuses.
            if let header = Self.jxl(data), let whole = try? JXLFile.header(of: data) {
                told += 1
                #expect(header == whole, "\(file.path)")
            }
            if let header = Self.svg(data), let whole = try? Self.slow(data) {
                told += 1
                #expect(header == whole, "\(file.path)")
            }
        }
        // What has no size of its own is left to librsvg.
        #expect(told * 10 > all * 7)
    }

    private static func plain(_ width: Int, _ height: Int, alpha: UInt8) throws -> PixelBuffer {
        try PixelBuffer.drawn(width, height, isOpaque: alpha == 255) { _, _ in
            Pixel(blue: 10, green: 20, red: 30, alpha: alpha)
        }
    }

    private static func slow(_ data: Data) throws(ImageError) -> ImageHeader {
        try data.span.withUnsafeBufferPointer { (bytes) throws(ImageError) in
            try SVGDocument(bytes, SVGRefusal(limit: ImageLimits().pixels)).header
        }
    }
}
#endif

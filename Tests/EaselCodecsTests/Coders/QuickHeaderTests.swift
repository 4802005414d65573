#if SVG
import EaselCore
import EaselTesting
import Foundation
import Testing

@testable import EaselCodecs

/// Headers that are read without the format's library say what the library says, or nothing.
@Suite("Quick headers")
struct QuickHeaderTests {
    private static let svg: @Sendable (Data) -> ImageHeader? = { SVGQuickHeader.read($0.span) }

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

    @Test("every SVG of the corpora", .enabled(if: Corpora.arePresent))
    func corpora() throws {
        var (told, all) = (0, 0)
        for file in Corpora.files(.decode, .optional, .fail, .either, .limit)
        where file.answer.format == "svg" {
            let data = try file.data()
            all += 1
            if let header = Self.svg(data), let whole = try? Self.slow(data) {
                told += 1
                #expect(header == whole, "\(file.path)")
            }
        }
        // What has no size of its own is left to librsvg.
        #expect(told * 10 > all * 7)
    }

    private static func slow(_ data: Data) throws(ImageError) -> ImageHeader {
        try data.span.withUnsafeBufferPointer { (bytes) throws(ImageError) in
            try SVGDocument(bytes, SVGRefusal(limit: ImageLimits().pixels)).header
        }
    }
}
#endif

#if SVG
import EaselCodecs
import EaselCore
import Foundation
import Testing

/// A few bytes of a `data:` URL can announce gigabytes of pixels, which librsvg's decoders would allocate.
@Suite("SVG: limits of embedded raster images")
struct SVGRasterTests {
    /// The limits of the drawing and of its embedded images.
    private let limits = ImageLimits(pixels: 1_000)

    private func draw(_ content: String, prolog: String = "") throws(ImageError) -> DecodedImage {
        let document =
            "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' width='8' height='8'>"
        return try SVGCoder().decode(Data("\(prolog)\(document)\(content)</svg>".utf8), DecodeOptions(limits: limits))
    }

    private func expectRefusal(of content: String, prolog: String = "", _ location: SourceLocation = #_sourceLocation) {
        let error = #expect(throws: ImageError.self, sourceLocation: location) { try draw(content, prolog: prolog) }
        #expect(error?.code == .tooLarge, sourceLocation: location)
    }

    private static let large = PixelSize(40, 30)

    /// Returns 1,200 pixels in every format that gdk-pixbuf reads and Easel writes, and BMP.
    private static func files() throws -> [String: Data] {
        let image = DecodedImage(pixels: try Images.gradient(large.width, large.height), metadata: ImageMetadata())
        return [
            "image/png": try PNGCoder().encode(image, EncodeOptions()),
            "image/jpeg": try JPEGCoder().encode(image, EncodeOptions()),
            "image/gif": try GIFCoder().encode(image, EncodeOptions()),
            "image/bmp": ClassicFiles.bmp(large.width, large.height),
        ]
    }

    @Test("an embedded image over the limit is an error with its size, in every format")
    func formats() throws {
        for (type, file) in try Self.files() {
            let content = "<image href='data:\(type);base64,\(file.base64EncodedString())' width='8' height='8'/>"
            let error = #expect(throws: ImageError.self, "\(type)") { try draw(content) }
            #expect(error == .tooLarge(.pixels(Self.large, limit: 1_000)), "\(type)")
        }
    }

    @Test("an embedded image over the limit is refused with any spelling of its URL and in any element")
    func spellings() throws {
        let file = try #require(Self.files()["image/png"])
        let base64 = file.base64EncodedString()
        let percent = file.map { byte in (byte < 16 ? "%0" : "%") + String(byte, radix: 16) }.joined()
        let size = "width='8' height='8'"
        expectRefusal(of: "<image href='&#x64;ata:image/png;base64,\(base64)' \(size)/>")
        expectRefusal(of: "<image xlink:href='DATA:image/png;base64,\(base64)' \(size)/>")
        expectRefusal(of: "<image href='data:image/png,\(percent)' \(size)/>")
        expectRefusal(of: "<image href='data:;base64,\(base64)' \(size)/>")
        expectRefusal(
            of: "<image href='&a;' \(size)/>",
            prolog: "<!DOCTYPE svg [<!ENTITY a 'data:image/png;base64,\(base64)'>]>")
        expectRefusal(
            of: "<filter id='f'><feImage href='data:image/png;base64,\(base64)'/></filter>"
                + "<rect \(size) filter='url(#f)'/>")
        let inner =
            "<svg xmlns='http://www.w3.org/2000/svg' \(size)>"
            + "<image href='data:image/png;base64,\(base64)' \(size)/></svg>"
        let nested = "data:image/svg+xml;base64,\(Data(inner.utf8).base64EncodedString())"
        expectRefusal(of: "<image href='\(nested)' \(size)/>")
        expectRefusal(of: "<use href='\(nested)#a'/>")
    }

    @Test(
        "data of unknown types, deeply nested documents and references in properties are refused"
    )
    func others() {
        expectBadData("<image href='data:image/x-tga;base64,AAAC' width='8' height='8'/>")
        expectBadData("<rect width='8' height='8' style='fill: URL(data:image/svg+xml,x#a)'/>")
        var inner = "<svg xmlns='http://www.w3.org/2000/svg' width='8' height='8'/>"
        for _ in 0..<4 {
            inner =
                "<svg xmlns='http://www.w3.org/2000/svg' width='8' height='8'>"
                + "<image href='data:image/svg+xml;base64,\(Data(inner.utf8).base64EncodedString())'/></svg>"
        }
        expectBadData("<image href='data:image/svg+xml;base64,\(Data(inner.utf8).base64EncodedString())'/>")
    }

    private func expectBadData(_ content: String, prolog: String = "", _ location: SourceLocation = #_sourceLocation) {
        let error = #expect(throws: ImageError.self, "\(content)", sourceLocation: location) {
            try draw(content, prolog: prolog)
        }
        #expect(error?.code == .badData, sourceLocation: location)
    }

    @Test("a damaged data: URL is refused, because librsvg may still read it", arguments: ["A", "AAA*", "=AAA"])
    func damaged(base64: String) {
        expectBadData("<image href='data:image/png;base64,\(base64)' width='8' height='8'/>")
    }

    @Test(
        "a style sheet that refers to data is refused, however it is spelled",
        arguments: [
            "rect { fill: url(data:image/svg+xml,x#a) }", "rect { fill: URL( 'DATA:image/svg+xml,x#a') }",
            "rect { fill: url('\\64 ata:image/svg+xml,x#a') }", "rect { fill: \\75 r\\6C(data:image/svg+xml,x#a) }",
            "rect { fill: url('da\\\nta:image/svg+xml,x#a') }", "rect { fill: url('da&#9;ta:image/svg+xml,x#a') }",
            "<![CDATA[rect { fill: u]]>rl<![CDATA[(data:image/svg+xml,x#a) }]]>",
            "rect { fill: u<g href='data:image/svg+xml,&lt;svg>&lt;style/>&lt;/svg>'/>rl(data:image/svg+xml,x#a) }",
            "<g fill='url(data:image/svg+xml,x#a)'/>", "@import 'data:text/css,x';", "@\\69mport url(data:text/css,x);",
            "@font-face { src: url(data:font/woff,wOFF) } rect { fill: url(data:image/svg+xml,x#a) }",
        ])
    func styleSheets(text: String) {
        expectBadData("<style>\(text)</style><rect width='8' height='8'/>")
    }

    @Test("properties and processing instructions are checked like style sheets")
    func properties() {
        expectBadData("<rect width='8' height='8' fill='url(&quot;\\64 ata:image/svg+xml,x#a&quot;)'/>")
        expectBadData("<rect/>", prolog: "<?xml-stylesheet href='data:text/css,x'?>")
        expectBadData("<rect/>", prolog: "<?xml-stylesheet href='&#100;ata:text/css,x'?>")
        expectBadData(
            "<style>&a;</style>", prolog: "<!DOCTYPE svg [<!ENTITY a 'rect { fill: url(data:image/svg+xml,x#a) }'>]>")
    }

    @Test(
        "style sheets with fonts and with references within the document or to other URLs are accepted",
        arguments: [
            "@font-face { font-family: a; src: url(data:font/woff2;base64,d09GMgAB) }",
            "@font-face { src: url(\"data:;base64,AAEAAAAB\") format('truetype'), url('data:font/otf,OTTO') }",
            "@import url('https://fonts.test/a.css'); .a { fill: url(#b); font-family: 'C\\3A\\64 ata' }",
            ".metadata::after { content: 'data: 3' }",
        ])
    func harmless(text: String) throws {
        let image = try draw("<style>\(text)</style><rect width='8' height='8'/>")
        #expect(image.pixels.pixels.contains { $0.alpha > 0 })
        _ = try draw("<rect width='8' height='8' id='C:\\folder'/>", prolog: "<?xml-stylesheet href='a.css'?>")
    }

    @Test("links may have any data, and an entity's image counts each time")
    func links() throws {
        _ = try draw("<a href='data:text/plain,a'><rect width='8' height='8'/></a>")
        let file = try Files.png(Images.gradient(20, 28)).base64EncodedString()
        let prolog = "<!DOCTYPE svg [<!ENTITY a \"<image href='data:image/png;base64,\(file)'/>\">]>"
        _ = try draw("&a;", prolog: prolog)
        expectRefusal(of: "&a;&a;", prolog: prolog)
    }

    @Test("embedded images are counted together")
    func severalElements() throws {
        let images = try [1, 2].map { step in
            let file = try Files.png(Images.gradient(20 + step, 28))
            return "<image href='data:image/png;base64,\(file.base64EncodedString())' width='8' height='8'/>"
        }
        #expect(try draw(images[0]).pixels.pixels.contains { $0.alpha > 0 })
        expectRefusal(of: images.joined())
    }

    @Test("an embedded image that determines the size of the document is checked first")
    func natural() throws {
        let file = try #require(Self.files()["image/png"])
        let content = "<image href='data:image/png;base64,\(file.base64EncodedString())'/>"
        let document = Data("<svg xmlns='http://www.w3.org/2000/svg'>\(content)</svg>".utf8)
        let error = #expect(throws: ImageError.self) {
            try SVGCoder().decode(document, DecodeOptions(targetSize: .pixels(width: 8, height: 8), limits: limits))
        }
        #expect(error?.code == .tooLarge)
    }
}
#endif

#if SVG
import EaselCore
import Foundation
import Testing

@testable import EaselCodecs

@Suite("SVG: sizes of the PNGs in a document's text")
struct SVGPictureScanTests {
    private let size = PixelSize(1_000_000, 70_001)
    private var base64: String { Files.pngHead(size.width, size.height).base64EncodedString() }

    private func sizes(in text: String) -> [PixelSize] {
        let bytes = Array(text.utf8)
        var scan = SVGPictureScan()
        var sizes: [PixelSize] = []
        while let size = scan.next(in: bytes.span) { sizes.append(size) }
        return sizes
    }

    @Test("are found in base64, with white space and character references in it")
    func base64Spellings() {
        #expect(sizes(in: "<image href='data:image/png;base64,\(base64)'/>") == [size])
        #expect(sizes(in: base64.map { "\($0)\n " }.joined()) == [size])
        #expect(sizes(in: base64.utf8.map { "&#\($0);" }.joined()) == [size])
        #expect(sizes(in: base64.utf8.map { "&#x" + String($0, radix: 16) + ";" }.joined()) == [size])
        #expect(sizes(in: base64.utf8.map { "%" + String($0, radix: 16) }.joined()) == [size])
    }

    @Test("are found in percent signs")
    func percent() {
        let text = Files.pngHead(7, 9).map { ($0 < 16 ? "%0" : "%") + String($0, radix: 16) }.joined()
        #expect(sizes(in: "data:image/png,\(text)") == [PixelSize(7, 9)])
    }

    @Test("are found all, behind what only begins alike")
    func several() {
        let other = Files.pngHead(3, 4).base64EncodedString()
        #expect(sizes(in: "iiVBOiVB\(base64) & %zz &#x; &#999; \(other)") == [size, PixelSize(3, 4)])
        #expect(sizes(in: String(base64.prefix(30))) == [])
        #expect(sizes(in: "") == [])
    }

    @Test("a document that announces too many is refused before any is inflated")
    func refusal() {
        let document = "<svg xmlns='http://www.w3.org/2000/svg'><image href='data:image/png;base64,\(base64)'/></svg>"
        #expect(throws: ImageError.tooLarge(.pixels(size, limit: 1_000))) {
            try SVGRefusal(limit: 1_000).checkPictures(in: Array(document.utf8).span)
        }
    }
}
#endif

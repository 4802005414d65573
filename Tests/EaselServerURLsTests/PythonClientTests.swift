#if Server
import EaselCore
import Testing

@testable import EaselServerURLs

@Suite("Server URLs: imgproxy's clients for Python", .enabled(if: PythonClients.areInstalled, PythonClients.advice))
struct PythonClientTests {
    @Test("imgproxy 1.0.0: its URLs are verified and mean what they say")
    func imgproxy() throws {
        let paths = try PythonClients.paths(
            """
            short("q:75", "dpr:2", resizing_type="fit", width=512, height=512, extension="webp")
            short(resizing_type="fill", width=300, height=400, gravity="soea", enlarge=True)
            short("bl:1.5", "bg:ff0000", "pd:10:20", width=100)
            short(image="https://example.com/a b.jpg?x=\\u00fc", extension="png")
            """)
        let urls = try paths.map { try ImageURL(rawPath: $0, rules: Paths.signed()) }
        try #require(urls.count == 4)
        var first = ProcessingOptions()
        (first.quality, first.pixelRatio, first.width, first.height, first.format) = (75, 2, 512, 512, .webp)
        #expect(urls[0].options == first)
        var second = ProcessingOptions()
        (second.resizing, second.width, second.height, second.enlarges) = (.fill, 300, 400, true)
        second.gravity = .init(.southEast)
        #expect(urls[1].options == second)
        var third = ProcessingOptions()
        (third.resizing, third.width, third.height, third.blur) = (.auto, 100, 0, 1.5)
        third.background = ImageColor(0xFF0000)
        third.padding = .init(top: 10, right: 20, bottom: 10, left: 20)
        #expect(urls[2].options == third)
        #expect(urls[3].source == "https://example.com/a b.jpg?x=ü")
        #expect(urls[3].options.format == .png)
    }

    @Test("pyimgproxy 0.4: its URLs are verified and mean what they say")
    func pyimgproxy() throws {
        let paths = try PythonClients.paths(
            """
            long(lambda image: image.resize("fit", 512, 512).quality(75).dpr(2).blur(1.5))
            long(lambda image: image.resize("fill-down", 300, 200, extend=True, gravity_type="no").auto_rotate(False))
            long(lambda image: image.crop(0.5, 100, "fp", 0.25, 0.75).rotate(90).background(hex_color="fff"))
            long(lambda image: image.size(100).trim(10, "FF00FF", True).padding(1, 2, 3, 4), image="https://a.com/a b")
            long(lambda image: image.background(red=1, green=2, blue=3).adjust(10, 1.5, 0.5).pixelate(4).sharpen(0.7))
            long(lambda image: image.zoom(1.5, 2).min_width(10).min_height(20).enlarge(True).raw(True).cachebuster("a"))
            """)
        let options = try paths.map { try ImageURL(rawPath: $0, rules: Paths.signed()).options }
        let expected = [
            "rs:fit:512:512/q:75/dpr:2/bl:1.5", "rs:fill-down:300:200:0:1:no/ar:0",
            "c:0.5:100:fp:0.25:0.75/rot:90/bg:fff",
            "s:100/t:10:f0f:1/pd:1:2:3:4", "bg:010203/br:10/co:1.5/sa:0.5/pix:4/sh:0.7",
            "z:1.5:2/mw:10/mh:20/el:1/raw:1/cb:a",
        ]
        #expect(try options == expected.map { try Paths.options($0) })
    }

    @Test("a change of a URL that they made is refused")
    func tampered() throws {
        for path in try PythonClients.paths("short(width=10)\nlong(lambda image: image.width(10))") {
            let rules = try Paths.signed()
            _ = try ImageURL(rawPath: path, rules: rules)
            let changed = path.split(separator: "10", maxSplits: 1, omittingEmptySubsequences: false).joined(
                separator: "11")
            #expect(throws: ImageURLError.self) { try ImageURL(rawPath: changed, rules: rules) }
        }
    }
}
#endif

#if SVG
import EaselCodecs
import EaselCore
import Foundation
import Testing

@Suite("SVG: size and drawing")
struct SVGTests {
    private func size(_ attributes: String, _ content: String = "") throws -> PixelSize {
        try SVGCoder().header(of: ClassicFiles.svg(attributes, content)).size
    }

    @Test("the size is that of width and height, in any unit")
    func units() throws {
        #expect(try size("width='30' height='20px'") == PixelSize(30, 20))
        #expect(try size("width='1in' height='25.4mm'") == PixelSize(96, 96))
        #expect(try size("width='72pt' height='6pc'") == PixelSize(96, 96))
        #expect(try size("width='10.2' height='3'") == PixelSize(11, 3))
    }

    @Test("missing sides follow from the viewBox")
    func viewBox() throws {
        #expect(try size("viewBox='0 0 40 10'") == PixelSize(40, 10))
        #expect(try size("viewBox='0 0 40 10' width='80'") == PixelSize(80, 20))
        #expect(try size("viewBox='0 0 40 10' height='5'") == PixelSize(20, 5))
        #expect(try size("viewBox='0 0 40 10' width='100%' height='100%'") == PixelSize(40, 10))
    }

    @Test("a document without a size has that of its drawing, or the CSS default if it is empty")
    func none() throws {
        #expect(try size("", "<rect x='5' y='5' width='50' height='20'/>") == PixelSize(50, 20))
        #expect(try size("") == PixelSize(300, 150))
    }

    @Test("a smaller image is drawn instead of scaled, with sharp lines")
    func thumbnail() throws {
        let file = ClassicFiles.svg("width='64' height='64'", "<rect width='32' height='64' fill='#f00'/>")
        let image = try SVGCoder().decode(file, DecodeOptions(targetSize: .pixels(width: 8, height: 8)))
        #expect(image.size == PixelSize(8, 8))
        let row = (0..<8).map { image.pixels[$0, 3] }
        #expect(row.prefix(4).allSatisfy { $0 == Pixel(blue: 0, green: 0, red: 255, alpha: 255) })
        #expect(row.suffix(4).allSatisfy { $0 == Pixel(blue: 0, green: 0, red: 0, alpha: 0) })
    }

    @Test("a size over the limit or over Cairo's is refused")
    func limits() {
        for attributes in ["width='1e6' height='1e6'", "width='40000' height='1'"] {
            let error = #expect(throws: ImageError.self) {
                try SVGCoder().decode(ClassicFiles.svg(attributes), DecodeOptions())
            }
            #expect(error?.code == .tooLarge)
        }
    }
}

@Suite("SVG: time limit")
struct SVGTimeTests {
    /// The filter takes seconds. The command's tests cover one that takes minutes, which would run during other tests.
    @Test("a slow filter ends at the time limit", .timeLimit(.minutes(1)))
    func filter() {
        let file = ClassicFiles.svg(
            "width='512' height='512'",
            "<filter id='f'><feTurbulence numOctaves='8' baseFrequency='0.1'/></filter>"
                + String(repeating: "<rect width='512' height='512' filter='url(#f)'/>", count: 20))
        let options = DecodeOptions(limits: ImageLimits(decodingTime: .milliseconds(50)))
        let error = #expect(throws: ImageError.self) { try SVGCoder().decode(file, options) }
        #expect(error == .tooLarge(.time(limit: .milliseconds(50))))
    }

    @Test("the default time limit is five seconds")
    func standard() {
        #expect(ImageLimits().decodingTime == .seconds(5))
    }
}

@Suite("SVG: sandbox")
struct SVGSandboxTests {
    /// Returns whether a document that refers to a file with pixels draws any.
    private func draws(_ content: (_ path: String) -> String, entity: String = "") throws -> Bool {
        let folder = FileManager.default.temporaryDirectory.appending(path: "easel-svg-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let png = folder.appending(path: "a.png")
        try Files.png(Images.gradient(8, 8)).write(to: png)
        let svg = folder.appending(path: "a.svg")
        try ClassicFiles.svg("width='8' height='8'", "<g id='a'><rect width='8' height='8'/></g>").write(to: svg)
        try Data("rect { fill: #000 }".utf8).write(to: folder.appending(path: "a.css"))
        let prolog = entity.replacing("PATH", with: folder.path)
        let file = Data(
            (prolog
                + String(
                    decoding: ClassicFiles.svg(
                        "xmlns:xlink='http://www.w3.org/1999/xlink' xmlns:xi='http://www.w3.org/2001/XInclude' "
                            + "width='8' height='8'", content(folder.path)), as: UTF8.self)).utf8)
        let image = try SVGCoder().decode(file, DecodeOptions())
        return image.pixels.pixels.contains { $0.alpha > 0 }
    }

    @Test(
        "no external image, document, style sheet or text is read",
        arguments: [
            "<image href='file://PATH/a.png' width='8' height='8'/>",
            "<image xlink:href='PATH/a.png' width='8' height='8'/>",
            "<image href='a.png' width='8' height='8'/>", "<use href='file://PATH/a.svg#a'/>",
            "<image href='http://127.0.0.1:9/a.png' width='8' height='8'/>",
            "<style>@import url('file://PATH/a.css');</style><rect width='8' height='8' fill='none'/>",
            "<xi:include href='file://PATH/a.svg'/>",
        ])
    func references(_ content: String) throws {
        #expect(try !draws { content.replacing("PATH", with: $0) })
    }

    @Test("no external entity is read")
    func entities() throws {
        let prolog = "<!DOCTYPE svg [<!ENTITY a SYSTEM 'file://PATH/a.svg'>]>"
        // An error is also correct.
        #expect((try? draws({ _ in "&a;" }, entity: prolog)) != true)
    }

    @Test("data in the document is drawn")
    func data() throws {
        let png = try Files.png(Images.gradient(8, 8)).base64EncodedString()
        #expect(try draws { _ in "<image href='data:image/png;base64,\(png)' width='8' height='8'/>" })
    }

    @Test("exponential entities are refused quickly", .timeLimit(.minutes(1)))
    func entityBomb() {
        let levels = (1..<12).map { level in
            "<!ENTITY e\(level) '" + String(repeating: "&e\(level - 1);", count: 10) + "'>"
        }
        let text =
            "<!DOCTYPE svg [<!ENTITY e0 '<rect width=\"1\" height=\"1\"/>'>\(levels.joined())]>"
            + "<svg xmlns='http://www.w3.org/2000/svg' width='4' height='4'>&e11;</svg>"
        let error = #expect(throws: ImageError.self) {
            try SVGCoder().decode(Data(text.utf8), DecodeOptions())
        }
        #expect(error?.code == .badData)
    }

    @Test("exponential uses are refused quickly", .timeLimit(.minutes(1)))
    func useBomb() {
        let levels = (1..<12).map { level in
            "<g id='g\(level)'>" + String(repeating: "<use href='#g\(level - 1)'/>", count: 10) + "</g>"
        }
        let file = ClassicFiles.svg(
            "width='4' height='4'",
            "<defs><g id='g0'/>\(levels.joined())</defs><use href='#g11'/>")
        // A long time limit, so that the limit on elements applies.
        let options = DecodeOptions(limits: ImageLimits(decodingTime: .seconds(600)))
        let error = #expect(throws: ImageError.self) { try SVGCoder().decode(file, options) }
        #expect(error?.code == .badData)
    }
}
#endif

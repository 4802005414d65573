import EaselCore
import Testing

@testable import easel

@Suite("Output names")
struct OutputNamesTests {
    private func name(_ name: String, _ fileExtension: String = "jpg", template: String? = nil) throws -> String {
        var names = OutputNames(try #require(template.map { OutputTemplate($0) } ?? .defaultTemplate))
        return names.next(.init(name: name, index: 7, size: PixelSize(30, 20), fileExtension: fileExtension))
    }

    @Test("the default name is the input's name with the extension of the format")
    func defaultName() throws {
        #expect(try name("photo") == "photo.jpg")
    }

    @Test("every placeholder of a template is replaced")
    func placeholders() throws {
        let template = "{index}-{name}_{width}x{height}.{ext}"
        #expect(try name("photo", "png", template: template) == "7-photo_30x20.png")
    }

    @Test("a template with an unknown placeholder is rejected", arguments: ["{nam}", "{", "a{name", "{}", ""])
    func unknownPlaceholder(template: String) {
        #expect(OutputTemplate(template) == nil)
    }

    @Test("equal names are numbered, regardless of case")
    func equalNames() {
        var names = OutputNames(.defaultTemplate)
        func next(_ name: String) -> String {
            names.next(.init(name: name, index: 1, size: PixelSize(1, 1), fileExtension: "png"))
        }
        #expect(next("a") == "a.png")
        #expect(next("a") == "a-2.png")
        #expect(next("A") == "A-3.png")
        #expect(next("a-2") == "a-2-2.png")
    }

    @Test(
        "no name refers to a file outside the folder",
        arguments: ["..", "../../etc/passwd", "/etc/passwd", "a/../../b", "..\\b", ".", "", "a\u{0}b", "~/x"])
    func escapingName(name: String) throws {
        let safe = try self.name(name)
        #expect(!safe.contains("/"))
        #expect(!safe.contains("\\"))
        #expect(!safe.contains("\u{0}"))
        #expect(!safe.hasPrefix("."))
        #expect(safe.hasSuffix("jpg"))
    }

    @Test("no template refers to a file outside the folder")
    func escapingTemplate() throws {
        #expect(try name("a", template: "../../{name}.{ext}") == "_.._a.jpg")
        #expect(try name("a", template: "..") == "image")
    }

    @Test("long names are truncated for file systems")
    func longName() throws {
        let long = try name(String(repeating: "写", count: 300), "webp")
        #expect(long.utf8.count <= 200)
        #expect(long.hasSuffix(".webp"))
    }

    @Test(
        "the name of an input does not include its extension",
        arguments: [
            ("https://example.org/a/photo.large.png?x=1", "photo.large"), ("https://example.org/", "example.org"),
            ("dir/image", "image"), ("-", "stdin"), ("data:image/gif;base64,AA", "data"), (".hidden", ".hidden"),
        ])
    func inputName(text: String, name: String) throws {
        #expect(try ImageInput(text).outputName == name)
    }
}

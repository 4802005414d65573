import EaselCore
import Testing

import EaselFoundation

@Suite("Image source set: srcset as in HTML")
struct ImageSourceSetTests {
    private static let base = URL(string: "https://example.com/folder/page.html")

    private func name(_ text: String, _ width: Double, _ scale: Double = 1) -> String? {
        guard let url = ImageSourceSet(text, relativeTo: Self.base).url(width: width, scale: scale)?.absoluteString
        else {
            return nil
        }
        let folder = "https://example.com/folder/"
        return url.hasPrefix(folder) ? String(url.dropFirst(folder.count)) : url
    }

    @Test(
        "by width, the smallest image with a pixel for every pixel of the screen is chosen, else the largest",
        arguments: [
            (100.0, 1.0, "s"), (320, 1, "s"), (321, 1, "m"), (320, 2, "m"), (640, 1, "m"), (641, 1, "l"),
            (5_000, 3, "l"),
        ] as [(Double, Double, String)])
    func widths(width: Double, scale: Double, expected: String) {
        #expect(name("l 1280w, s 320w, m 640w", width, scale) == expected)
    }

    @Test(
        "by density, the smallest sufficient one is chosen, and a URL without a descriptor has 1x",
        arguments: [(0.5, "a"), (1.0, "a"), (1.2, "b"), (1.5, "b"), (2, "c"), (4, "c")] as [(Double, String)])
    func densities(scale: Double, expected: String) {
        #expect(name("a, b 1.5x, c 2x", 100, scale) == expected)
    }

    @Test(
        "a source set is parsed as in HTML",
        arguments: [
            ("", nil), (" , ,", nil), ("a", "a"), ("a,", "a"), ("a 1x,b 2x", "a"), ("a,b 1x", "a,b"),
            ("\n a\t1x , b 2x ", "a"), ("a 320w 200h", "a"), ("a 1x, b 1x", "a"), ("a 1e0x", "a"),
            ("data:image/png;base64,AA== 1x", "data:image/png;base64,AA=="),
            // Malformed descriptors drop the candidate, and not those after it.
            ("a 1.5w, b", "b"), ("a 0w, b", "b"), ("a -1x, b", "b"), ("a 1x 2x, b", "b"), ("a 320w 1x, b", "b"),
            ("a 200h, b", "b"), ("a 1y, b", "b"), ("a +1x, b", "b"), ("a 0x1x, b", "b"), ("a infx, b", "b"),
            ("a f(1x, 2x), b", "b"), ("a 99999999999999999999w, b", "b"),
        ] as [(String, String?)])
    func parsing(text: String, expected: String?) {
        #expect(name(text, 100) == expected)
    }

    @Test("relative URLs refer to the base, and absolute ones do not")
    func base() {
        let set = ImageSourceSet("/a.png 1x, https://other.com/b.png 2x", relativeTo: Self.base)
        #expect(set.url(width: 10)?.absoluteString == "https://example.com/a.png")
        #expect(set.url(width: 10, scale: 2)?.absoluteString == "https://other.com/b.png")
    }
}

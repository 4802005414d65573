import Testing

@testable import EaselCore

@Suite("Cache key: file names")
struct CacheKeyTests {
    @Test("a file name is the MD5 of the key, a dot and the extension (S121)")
    func name() {
        #expect(CacheKey("https://images.test/a.png").fileName == "d414f4d5ce5b7ba25e1fc3309ce75d91.png")
        #expect(CacheKey("a").fileName == "0cc175b9c0f1b6a831c399e269772661")
        #expect(CacheKey("").fileName == "d41d8cd98f00b204e9800998ecf8427e")
    }

    @Test(
        "the extension comes from the path, not from the query (X101)",
        arguments: [
            ("https://images.test/a.jpg?query=a.b/c.png", "jpg"), ("https://images.test/a?query=b.c", ""),
            ("https://images.test/a", ""), ("https://images.test/", ""), ("https://images.test", ""),
            ("https://images.test/a.tar.gz", "gz"), ("https://images.test/.png", ""), ("a.png", "png"),
            ("folder.d/a", ""), ("https://images.test/a.PNG", "PNG"), ("a.", ""),
        ])
    func extensions(text: String, expected: String) {
        #expect(CacheKey(text).fileExtension == expected)
    }

    @Test("a file name without an extension has no dot (X100)")
    func noDot() {
        #expect(!CacheKey("https://images.test/a").fileName.contains("."))
    }

    @Test("characters that a file name cannot hold are dropped (X100)")
    func forbidden() {
        #expect(CacheKey("a", fileExtension: "j\0p:g").fileExtension == "jpg")
        #expect(
            CacheKey("a", fileExtension: "../../etc/passwd").fileName
                == "0cc175b9c0f1b6a831c399e269772661.....etcpasswd")
    }

    @Test("an extension that is too long in bytes for a file name is dropped (X100)")
    func tooLong() {
        let longest = String(repeating: "e", count: 222)
        #expect(CacheKey("a", fileExtension: longest).fileName.utf8.count == 255)
        #expect(CacheKey("a", fileExtension: longest + "e").fileExtension.isEmpty)
        #expect(CacheKey("a", fileExtension: String(repeating: "é", count: 112)).fileExtension.isEmpty)
    }

    @Test("a file name is never a path, whatever the key (B29)", arguments: unusualTexts)
    func odd(text: String) {
        let name = CacheKey(text).fileName
        #expect(!name.contains("/") && !name.utf8.contains(0))
        #expect(name.utf8.count >= 32 && name.utf8.count <= 255)
        #expect(name != "." && name != "..")
        #expect(CacheKey(text).bareFileName.utf8.count == 32)
    }

    @Test("keys with equal text are equal whatever their extension; others differ")
    func equality() {
        #expect(CacheKey("a.png") == CacheKey("a.png", fileExtension: "jpg"))
        #expect(CacheKey("a.png").hashValue == CacheKey("a.png", fileExtension: "jpg").hashValue)
        #expect(CacheKey("a") != CacheKey("b"))
        #expect(("a" as CacheKey) == CacheKey("a"))
    }

    static let unusualTexts = [
        "", " ", "a b", "a\nb", "a/b/c", "/", "..", "../../escape", "a@2x.png", "?q=1", "a\0b", "名前.画像", "a.b/../c",
        String(repeating: "k", count: 10_000), "https://images.test/a.p/n.g", "a." + String(repeating: "e", count: 300),
        "%2e%2e%2f", "https://images.test/a.jp%2Fg", "https://images.test/a.%00", "-rf", "~",
    ]
}

import Testing

@testable import easel

@Suite("Display text")
struct DisplayTextTests {
    @Test("control characters are replaced")
    func controlCharacters() {
        #expect("a\u{1B}[31m\r\n\u{9B}b\u{202E}".printable == "a\u{FFFD}[31m\u{FFFD}\u{FFFD}\u{FFFD}b\u{FFFD}")
        #expect("Größe 写真 👍".printable == "Größe 写真 👍")
    }

    @Test("wide characters take two columns")
    func wideCharacters() {
        #expect("abc".displayWidth == 3)
        #expect("写真".displayWidth == 4)
        #expect("é".displayWidth == 1)
        #expect("👍".displayWidth == 2)
    }

    @Test("truncated text ends with an ellipsis")
    func truncation() {
        #expect("abcdef".truncated(to: 6) == "abcdef")
        #expect("abcdef".truncated(to: 4) == "abc…")
        #expect("写真写真".truncated(to: 4) == "写…")
        #expect("abc".truncated(to: 0) == "")
    }

    @Test("text is padded on either side")
    func padding() {
        #expect("ab".padded(to: 4) == "ab  ")
        #expect("ab".padded(to: 4, .right) == "  ab")
        #expect("abcd".padded(to: 2) == "abcd")
    }
}

@Suite("Byte counts")
struct ByteCountTests {
    @Test(
        "byte counts are printed in decimal units",
        arguments: [
            (0, "0 B"), (999, "999 B"), (1_000, "1.0 kB"), (9_990, "9.9 kB"), (12_345, "12 kB"), (999_999, "999 kB"),
            (1_000_000, "1.0 MB"), (268_435_456, "268 MB"), (5_400_000_000, "5.4 GB"), (9_000_000_000_000, "9000 GB"),
        ])
    func units(count: Int, text: String) {
        #expect(ByteText.text(count) == text)
    }
}

@Suite("Tables")
struct TableTests {
    @Test("columns are aligned, also with wide characters")
    func alignment() {
        var table = Table([("name", .left), ("bytes", .right)])
        table.add(["a.jpg", "5"])
        table.add(["写真.png", "12345"])
        #expect(
            table.lines == [
                "name      bytes",
                "────────  ─────",
                "a.jpg         5",
                "写真.png  12345",
            ])
    }

    @Test("lines have no trailing spaces")
    func trailingSpaces() {
        var table = Table([("name", .left), ("note", .left)])
        table.add(["a", ""])
        #expect(table.lines.last == "a")
    }
}

import Testing

@testable import easel

@Suite struct DisplayTextTests {
    @Test func controlCharactersAreReplaced() {
        #expect("a\u{1B}[31m\r\n\u{9B}b\u{202E}".printable == "a\u{FFFD}[31m\u{FFFD}\u{FFFD}\u{FFFD}b\u{FFFD}")
        #expect("Größe 写真 👍".printable == "Größe 写真 👍")
    }

    @Test func wideCharactersTakeTwoColumns() {
        #expect("abc".displayWidth == 3)
        #expect("写真".displayWidth == 4)
        #expect("é".displayWidth == 1)
        #expect("👍".displayWidth == 2)
    }

    @Test func longTextEndsInAnEllipsis() {
        #expect("abcdef".truncated(to: 6) == "abcdef")
        #expect("abcdef".truncated(to: 4) == "abc…")
        #expect("写真写真".truncated(to: 4) == "写…")
        #expect("abc".truncated(to: 0) == "")
    }

    @Test func textIsPaddedOnEitherSide() {
        #expect("ab".padded(to: 4) == "ab  ")
        #expect("ab".padded(to: 4, .right) == "  ab")
        #expect("abcd".padded(to: 2) == "abcd")
    }
}

@Suite struct ByteCountTests {
    @Test(arguments: [
        (0, "0 B"), (999, "999 B"), (1_000, "1.0 kB"), (9_990, "9.9 kB"), (12_345, "12 kB"), (999_999, "999 kB"),
        (1_000_000, "1.0 MB"), (268_435_456, "268 MB"), (5_400_000_000, "5.4 GB"), (9_000_000_000_000, "9000 GB"),
    ])
    func byteCountsAreHumanReadable(count: Int, text: String) {
        #expect(ByteText.text(count) == text)
    }
}

@Suite struct TableTests {
    @Test func columnsLineUp() {
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

    @Test func linesHaveNoSpacesAtTheirEnds() {
        var table = Table([("name", .left), ("note", .left)])
        table.add(["a", ""])
        #expect(table.lines.last == "a")
    }
}

import Testing

@testable import easel

@Suite("Key reader")
struct KeyReaderTests {
    @Test(
        "letters, both kinds of arrows and the wheel are read as keys",
        arguments: [
            ("q", Key.quit), ("j", .down), ("k", .up), (" ", .pageDown), ("b", .pageUp), ("g", .home), ("G", .end),
            ("\r", .down), ("\u{0C}", .redraw), ("\u{1B}[A", .up), ("\u{1B}OB", .down), ("\u{1B}[5~", .pageUp),
            ("\u{1B}[6~", .pageDown), ("\u{1B}[H", .home), ("\u{1B}[1~", .home), ("\u{1B}OF", .end),
            ("\u{1B}[8~", .end), ("\u{1B}[1;5B", .down), ("\u{1B}[<64;10;5M", .up), ("\u{1B}[<65;1;1M", .down),
        ])
    func keys(typed: String, key: Key) {
        var reader = KeyReader()
        #expect(reader.consume(typed.utf8) == [key])
        #expect(!reader.isAmbiguous)
        // In pieces too.
        #expect(typed.utf8.flatMap { reader.consume([$0]) } == [key])
    }

    @Test("a timeout distinguishes Escape from the beginning of another key")
    func escape() {
        var reader = KeyReader()
        #expect(reader.consume("\u{1B}".utf8).isEmpty && reader.isAmbiguous)
        #expect(reader.resolveEscape() == .quit && !reader.isAmbiguous)
        #expect(reader.resolveEscape() == nil)
        #expect(reader.consume("\u{1B}\u{1B}".utf8) == [.quit])
    }

    @Test(
        "clicks, late responses and unknown keys are ignored",
        arguments: [
            "\u{1B}[<0;10;5M", "\u{1B}[<0;10;5m", "\u{1B}_Gi=31;OK\u{1B}\\", "\u{1B}[?62;4;22c", "\u{1B}[3~", "\u{1B}x",
            "x", "ö", "\u{1B}]11;rgb:00/00/gg\u{7}", "\u{1B}P>|q\u{1B}\\",
        ])
    func nothing(typed: String) {
        var reader = KeyReader()
        #expect(reader.consume(typed.utf8).isEmpty && !reader.isAmbiguous)
        #expect(reader.consume("j".utf8) == [.down])
    }

    @Test("an endless sequence is skipped")
    func flood() {
        var reader = KeyReader()
        #expect(reader.consume("\u{1B}[".utf8 + Array(repeating: UInt8(ascii: "1"), count: 100_000)).isEmpty)
        #expect(reader.consume("~j".utf8) == [.down])
    }
}

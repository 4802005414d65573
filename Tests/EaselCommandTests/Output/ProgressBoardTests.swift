import Testing

@testable import easel

@Suite("Progress board")
struct ProgressBoardTests {
    private func lines(_ events: [ProgressEvent], columns: Int = 80, rows: Int = 24) -> [String] {
        var board = ProgressBoard()
        for event in events { board.handle(event) }
        return board.lines(columns: columns, rows: rows)
    }

    @Test("with a known length, the bar shows the received part")
    func knownLength() {
        let lines = lines([
            .started(0, name: "a.jpg"), .advanced(0, received: 500_000, expected: 1_000_000),
        ])
        #expect(lines.count == 1)
        #expect(lines[0].contains("a.jpg"))
        #expect(lines[0].contains("50 %  500 kB of 1.0 MB"))
        #expect(lines[0].count { $0 == "━" } == lines[0].count { $0 == "─" })
    }

    @Test("with an unknown length, a segment moves along the bar")
    func unknownLength() {
        let first = lines([.started(0, name: "a"), .advanced(0, received: 0, expected: nil)])
        let second = lines([.started(0, name: "a"), .advanced(0, received: 200_000, expected: nil)])
        #expect(second[0].contains("200 kB"))
        #expect(!second[0].contains("%"))
        #expect(first[0].firstIndex(of: "━") != second[0].firstIndex(of: "━"))
    }

    @Test("several loads have a line each, and a line for all")
    func severalLoads() {
        let lines = lines([
            .started(0, name: "a"), .started(1, name: "b"), .started(2, name: "c"),
            .advanced(0, received: 1, expected: 2), .advanced(1, received: 1, expected: 2), .finished(2),
        ])
        #expect(lines.count == 3)
        #expect(lines[0].hasPrefix("a"))
        #expect(lines[1].hasPrefix("b"))
        #expect(lines[2] == "1 of 3 done")
    }

    @Test("a finished load has no line")
    func finishedLoad() {
        let lines = lines([.started(0, name: "a"), .advanced(0, received: 1, expected: 2), .finished(0)])
        #expect(lines.isEmpty)
    }

    @Test("a load that has received nothing has no line")
    func waitingLoad() {
        #expect(lines([.started(0, name: "a")]).isEmpty)
    }

    @Test("no line is wider than the window", arguments: [1, 5, 12, 20, 33, 40, 60, 80, 200])
    func wrapping(columns: Int) {
        let name = "写真" + String(repeating: "name", count: 30)
        let lines = lines(
            [
                .started(0, name: name), .advanced(0, received: 123_456, expected: 9_999_999), .started(1, name: "b"),
                .advanced(1, received: 5, expected: nil),
            ], columns: columns)
        #expect(lines.count == 3)
        for line in lines { #expect(line.displayWidth < columns) }
    }

    @Test("loads that do not fit are counted in the last line")
    func manyLoads() {
        let events = (0..<20).flatMap { id -> [ProgressEvent] in
            [.started(id, name: "n\(id)"), .advanced(id, received: 1, expected: 2)]
        }
        let lines = lines(events, rows: 5)
        #expect(lines.count == 4)
        #expect(lines.last == "0 of 20 done, 17 more loading")
    }

    @Test("more bytes than expected fill the bar")
    func excess() {
        let lines = lines([.started(0, name: "a"), .advanced(0, received: 300, expected: 200)])
        #expect(lines[0].contains("100 %"))
        #expect(!lines[0].contains("─"))
    }

    @Test("control characters of names are removed")
    func controlCharacters() {
        let lines = lines([.started(0, name: "a\u{1B}[2Jb"), .advanced(0, received: 1, expected: 2)])
        #expect(!lines[0].contains("\u{1B}"))
    }
}

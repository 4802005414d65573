import EaselCore
import EaselTesting
import Testing

@testable import easel

@Suite("Grid cell")
struct GridCellTests {
    private func layout(_ mode: GraphicsMode) -> GridLayout {
        GridLayout(
            count: 9, window: TerminalSize(columns: 26, rows: 8, cell: PixelSize(10, 20)), mode: mode, columns: 2)
    }

    /// Returns the lines without colours.
    private func plainLines(_ cell: GridCell) -> [String] {
        cell.lines.map { $0.replacing(/\u{1B}\[[0-9;]*m/, with: "") }
    }

    private func image(_ width: Int, _ height: Int, _ mode: GraphicsMode) throws -> GridCell.Content {
        .image(EncodedImage(try TestImage.solid(.pureRed, width, height).pixels(), mode, number: 7))
    }

    @Test("an image of half blocks is centred, with its name below")
    func blocks() throws {
        let layout = layout(.blocks)
        #expect(layout.cellColumns == 12 && layout.imageRows == 6)
        let cell = GridCell(try image(4, 6, .blocks), name: "a.png", in: layout)
        let blank = String(repeating: " ", count: 12)
        #expect(
            plainLines(cell) == [blank] + Array(repeating: "    ▀▀▀▀    ", count: 3) + [blank, blank, "   a.png    "])
        #expect(cell.graphic == nil)
    }

    @Test("a kitty or sixel image is drawn over blank lines", arguments: [GraphicsMode.kitty, .sixel])
    func graphics(mode: GraphicsMode) throws {
        let cell = GridCell(try image(35, 45, mode), name: "a.png", in: layout(mode))
        #expect(cell.lines.dropLast().allSatisfy { $0 == String(repeating: " ", count: 12) })
        #expect(cell.graphic?.line == 1 && cell.graphic?.column == 4)
        #expect(cell.graphic?.text.hasPrefix(mode == .kitty ? "\u{1B}_Ga=T" : "\u{1B}P") == true)
        #expect(mode == .sixel || cell.graphic?.text.contains(",i=7,") == true)
    }

    @Test("a reason is wrapped between words and truncated")
    func failure() {
        let cell = GridCell(.failure("It cannot be read: no such file"), name: "a.png", in: layout(.blocks))
        #expect(plainLines(cell)[1..<5] == ["It cannot be", "  read: no  ", " such file  ", "            "])
        let long = GridCell(
            .failure(String(repeating: "abcdef ghijkl ", count: 9)), name: "a.png", in: layout(.blocks))
        #expect(plainLines(long)[5].hasSuffix("…"))
    }

    @Test("the message of a failed input does not repeat its path, and is not cut inside it")
    func message() {
        let error = ImageError.unreadable(path: "/a. b.png", reason: "no such file")
        #expect(error.message(for: "/a. b.png") == "cannot be read: no such file.")
        #expect(error.message(for: "file:///a.%20b.png") == "cannot be read: no such file.")
        #expect(error.message(for: "http://a.test/b.png") == "/a. b.png cannot be read: no such file.")
    }

    @Test("names and reasons have no control characters and stay in their cell")
    func hostile() {
        for content in [GridCell.Content.waiting, .failure("\u{1B}[2Jx")] {
            let cell = GridCell(
                content, name: "\u{1B}]0;title\u{7}" + String(repeating: "長", count: 40), in: layout(.blocks))
            #expect(
                plainLines(cell).allSatisfy { !$0.contains("\u{1B}") && !$0.contains("\u{7}") && $0.displayWidth == 12 }
            )
        }
    }
}

@Suite("Grid painter")
struct GridPainterTests {
    private static let layout = GridLayout(
        count: 4, window: TerminalSize(columns: 12, rows: 8, cell: PixelSize(10, 20)), mode: .kitty, columns: 2)

    private func cell(_ content: GridCell.Content = .waiting) -> GridCell {
        GridCell(content, name: "n", in: Self.layout)
    }

    @Test("the lines of a cell are drawn at its position, and its image over them")
    func cellsAreCleared() throws {
        let image = EncodedImage(try TestImage.solid(.pureRed, 10, 20).pixels(), .kitty, number: 1)
        let text = GridPainter.cell(cell(.image(image)), at: 3, top: 0, in: Self.layout)
        let position = Self.layout.position(of: 3, top: 0)
        #expect(text.hasPrefix("\u{1B}[\(position.line + 1);8H     \u{1B}[\(position.line + 2);8H"))
        #expect(text.hasSuffix(image.graphic))
    }

    @Test("no cell overlaps the status line, however low the window is")
    func lowWindow() {
        let layout = GridLayout(count: 1, window: TerminalSize(columns: 12, rows: 2), mode: .blocks)
        let text = GridPainter.cell(GridCell(.waiting, name: "n", in: layout), at: 0, top: 0, in: layout)
        #expect(text.contains("\u{1B}[1;1H") && !text.contains("\u{1B}[2;1H"))
    }

    @Test("an appended row adds its lines before its images are drawn over them")
    func row() throws {
        let image = EncodedImage(try TestImage.solid(.pureRed, 10, 20).pixels(), .kitty, number: nil)
        let text = GridPainter.row([cell(), cell(.image(image))], in: Self.layout)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == Self.layout.rowHeight + 1)
        let up = Self.layout.rowHeight - (Self.layout.imageRows - 1) / 2
        #expect(lines.last == "\u{1B}7\u{1B}[\(up)A\r\u{1B}[9C\(image.graphic)\u{1B}8")
    }

    @Test("clearing the screen deletes the images of a kitty terminal")
    func clearing() {
        #expect(GridPainter.clear(.kitty).hasPrefix("\u{1B}_Ga=d,d=A,q=2\u{1B}\\"))
        #expect(!GridPainter.clear(.sixel).contains("\u{1B}_"))
    }
}

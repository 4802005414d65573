import EaselCore
import EaselTesting
import Testing

@testable import easel

@Suite("Terminal area")
struct TerminalAreaTests {
    private static let window = TerminalSize(columns: 80, rows: 24, cell: PixelSize(10, 20))

    @Test("an area has as many lines as an image needs")
    func rows() {
        func rows(_ mode: GraphicsMode, _ height: Int) -> Int {
            TerminalArea(mode, size: PixelSize(10, height), in: Self.window).rows
        }
        #expect(rows(.blocks, 9) == 5 && rows(.blocks, 10) == 5 && rows(.blocks, 1) == 1)
        #expect(rows(.kitty, 41) == 3 && rows(.sixel, 40) == 2)
    }

    @Test("an area adds its lines before it saves the cursor, and each frame restores it")
    func position() throws {
        let area = TerminalArea(.blocks, size: PixelSize(2, 4), in: Self.window)
        #expect(area.opening == "\u{1B}[?25l\n\n\u{1B}[2A\u{1B}7")
        let frame = area.draw(try TestImage.gradient(2, 4).pixels())
        #expect(frame.hasPrefix("\u{1B}[?2026h\u{1B}8") && frame.hasSuffix("\u{1B}[?2026l"))
        #expect(frame.filter { $0 == "\n" }.count == 2)
        #expect(area.closing == "\u{1B}8\u{1B}[2B\r\u{1B}[0m\u{1B}[?25h")
    }

    @Test("a kitty terminal replaces the image, and does not move the cursor")
    func kitty() throws {
        let area = TerminalArea(.kitty, size: PixelSize(2, 4), in: Self.window)
        #expect(area.draw(try TestImage.gradient(2, 4).pixels()).contains("q=2,i=1,p=1,C=1,m=0"))
    }
}

import EaselCore
import Foundation
import Testing

@testable import easel

@Suite("Terminal size")
struct TerminalSizeTests {
    @Test("the reported size is used")
    func reportedSize() {
        let size = TerminalSize(reported: 120, 40, pixelWidth: 1080, pixelHeight: 720)
        #expect(size == TerminalSize(columns: 120, rows: 40, cell: PixelSize(9, 18)))
    }

    @Test("a terminal that reports no pixels has the default cell size")
    func cellSize() {
        let size = TerminalSize(reported: 100, 30, pixelWidth: 0, pixelHeight: 0)
        #expect(size == TerminalSize(columns: 100, rows: 30, cell: TerminalSize.defaultCell))
    }

    @Test("an unknown window has 80 columns and 24 rows")
    func unknownWindow() {
        #expect(TerminalSize(reported: 0, 0, pixelWidth: 0, pixelHeight: 0) == .fallback)
    }

    @Test("a file has the fallback size")
    func redirectedOutput() throws {
        let file = try #require(FileHandle(forReadingAtPath: #filePath))
        #expect(TerminalSize.current(of: file.fileDescriptor) == .fallback)
    }
}

import EaselCore
import Foundation
import Testing

@testable import easel

@Suite struct TerminalSizeTests {
    @Test func theReportedSizeIsUsed() {
        let size = TerminalSize(reported: 120, 40, pixelWidth: 1080, pixelHeight: 720)
        #expect(size == TerminalSize(columns: 120, rows: 40, cell: PixelSize(9, 18)))
    }

    @Test func aTerminalWithoutPixelsHasTheDefaultCell() {
        let size = TerminalSize(reported: 100, 30, pixelWidth: 0, pixelHeight: 0)
        #expect(size == TerminalSize(columns: 100, rows: 30, cell: TerminalSize.defaultCell))
    }

    @Test func anUnknownWindowIsEightyByTwentyFour() {
        #expect(TerminalSize(reported: 0, 0, pixelWidth: 0, pixelHeight: 0) == .fallback)
    }

    @Test func aFileHasTheFallbackSize() throws {
        let file = try #require(FileHandle(forReadingAtPath: #filePath))
        #expect(TerminalSize.current(of: file.fileDescriptor) == .fallback)
    }
}

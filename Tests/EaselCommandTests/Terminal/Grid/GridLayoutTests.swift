import EaselCore
import Testing

@testable import easel

@Suite("Grid layout")
struct GridLayoutTests {
    private func layout(
        _ count: Int, _ columns: Int, _ rows: Int, _ mode: GraphicsMode = .blocks, requested: Int? = nil
    ) -> GridLayout {
        GridLayout(
            count: count, window: TerminalSize(columns: columns, rows: rows, cell: PixelSize(10, 20)), mode: mode,
            columns: requested)
    }

    @Test("a window of the default size has three columns, and rows that fill it")
    func usual() {
        let layout = layout(25, 80, 24)
        #expect(layout.columns == 3 && layout.cellColumns == 25)
        #expect(layout.page == 2 && layout.rowHeight == 11 && layout.rowCount == 9 && layout.lastTop == 7)
        #expect(layout.box == PixelSize(25, 20))
    }

    @Test("few images fill the width of the window")
    func few() {
        #expect(layout(2, 80, 24).cellColumns == 39)
        #expect(layout(1, 80, 24).cellColumns == 80)
        #expect(layout(1, 80, 24).imageRows == 22)
    }

    @Test("a requested number of columns is used if a cell keeps four characters")
    func requestedColumns() {
        #expect(layout(9, 80, 24, requested: 2).columns == 2)
        #expect(layout(9, 80, 24, requested: 1).cellColumns == 80)
        #expect(layout(99, 80, 24, requested: 50).columns == 13)
        #expect(layout(99, 80, 24, requested: 50).cellColumns >= 4)
    }

    @Test("every window, however small, has room for a row", arguments: GraphicsMode.allCases)
    func any(mode: GraphicsMode) {
        for columns in 1...90 {
            for rows in 1...40 {
                let layout = layout(30, columns, rows, mode)
                let width = layout.columns * layout.cellColumns + (layout.columns - 1) * GridLayout.gap
                let isSound =
                    width <= columns && layout.box.width > 0 && layout.box.height > 0 && layout.page > 0
                    && (rows < 3 || layout.page * layout.rowHeight < rows)
                if !isSound { Issue.record("\(columns) x \(rows)") }
            }
        }
    }

    @Test("cells fill rows in order, and the last row may be short")
    func places() {
        let layout = layout(25, 80, 24)
        #expect(layout.position(of: 7, top: 1) == (11, 27))
        #expect(layout.cells(inRows: 1..<3) == 3..<9)
        #expect(layout.cells(inRows: 7..<9) == 21..<25)
        #expect(layout.cells(inRows: -2..<1) == 0..<3)
        #expect(layout.cells(inRows: 9..<11).isEmpty)
    }

    @Test("the pixels of a cell are those of its characters, in whole bands of six for sixels")
    func boxes() {
        let lines = layout(25, 80, 24).imageRows
        #expect(layout(25, 80, 24, .kitty).box == PixelSize(250, lines * 20))
        #expect(layout(25, 80, 24, .sixel).box == PixelSize(250, lines * 20 / 6 * 6))
    }
}

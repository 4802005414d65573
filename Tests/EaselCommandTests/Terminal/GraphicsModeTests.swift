import EaselCore
import EaselTesting
import Testing

@testable import easel

@Suite struct GraphicsModeTests {
    private func best(
        isTerminal: Bool = true, _ environment: [String: String] = [:], kitty: Bool = false, sixel: Bool = false
    ) -> GraphicsMode {
        .best(
            isTerminal: isTerminal, environment: environment,
            capabilities: TerminalCapabilities(kitty: kitty, sixel: sixel))
    }

    @Test func kittyIsBetterThanSixelAndSixelThanBlocks() {
        #expect(best(kitty: true, sixel: true) == .kitty)
        #expect(best(sixel: true) == .sixel)
        #expect(best() == .blocks)
    }

    @Test func nothingIsDrawnIntoAPipe() {
        #expect(best(isTerminal: false, kitty: true) == .none)
    }

    @Test func noColorResultsInText() {
        #expect(best(["NO_COLOR": "1"], kitty: true) == .none)
        #expect(best(["NO_COLOR": ""]) == .blocks)
    }

    @Test func aDumbTerminalGetsText() {
        #expect(best(["TERM": "dumb"]) == .none)
    }

    @Test func capabilitiesAreQueriedOnlyIfNeeded() {
        var asked = false
        func ask() -> TerminalCapabilities {
            asked = true
            return TerminalCapabilities()
        }
        _ = GraphicsMode.best(isTerminal: false, environment: [:], capabilities: ask())
        #expect(!asked)
    }

    @Test func blocksHaveTwoPixelsALineAndLeaveTwoLines() {
        let window = TerminalSize(columns: 100, rows: 30)
        #expect(GraphicsMode.blocks.canvas(in: window) == PixelSize(100, 56))
    }

    @Test func otherGraphicsHaveThePixelsOfTheirCells() {
        let window = TerminalSize(columns: 100, rows: 30, cell: PixelSize(9, 18))
        #expect(GraphicsMode.kitty.canvas(in: window) == PixelSize(900, 504))
        #expect(GraphicsMode.sixel.canvas(in: window) == PixelSize(900, 504))
    }

    @Test func aTinyWindowStillHasALine() {
        #expect(GraphicsMode.blocks.canvas(in: TerminalSize(columns: 1, rows: 1)) == PixelSize(1, 2))
    }

    @Test func everyModeEndsItsImageWithALineBreak() throws {
        let pixels = try TestImage.gradient(4, 4).pixels()
        for mode in [GraphicsMode.kitty, .sixel, .blocks] { #expect(mode.draw(pixels).hasSuffix("\n")) }
        #expect(GraphicsMode.none.draw(pixels) == "")
    }
}

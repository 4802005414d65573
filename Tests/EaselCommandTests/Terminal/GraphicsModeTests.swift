import EaselCore
import EaselTesting
import Testing

@testable import easel

@Suite("Graphics mode")
struct GraphicsModeTests {
    private func best(
        isTerminal: Bool = true, _ environment: [String: String] = [:], kitty: Bool = false, sixel: Bool = false
    ) -> GraphicsMode {
        .best(
            isTerminal: isTerminal, environment: environment,
            capabilities: TerminalCapabilities(kitty: kitty, sixel: sixel))
    }

    @Test("kitty is preferred to sixel, and sixel to half blocks")
    func preference() {
        #expect(best(kitty: true, sixel: true) == .kitty)
        #expect(best(sixel: true) == .sixel)
        #expect(best() == .blocks)
    }

    @Test("nothing is drawn into a pipe")
    func pipe() {
        #expect(best(isTerminal: false, kitty: true) == .none)
    }

    @Test("NO_COLOR disables images")
    func noColor() {
        #expect(best(["NO_COLOR": "1"], kitty: true) == .none)
        #expect(best(["NO_COLOR": ""]) == .blocks)
    }

    @Test("a dumb terminal gets no images")
    func dumbTerminal() {
        #expect(best(["TERM": "dumb"]) == .none)
    }

    @Test("capabilities are queried only if needed")
    func lazyQuery() {
        var didQuery = false
        func query() -> TerminalCapabilities {
            didQuery = true
            return TerminalCapabilities()
        }
        _ = GraphicsMode.best(isTerminal: false, environment: [:], capabilities: query())
        #expect(!didQuery)
    }

    @Test("half blocks have two pixels per line, and leave two lines free")
    func blockCanvas() {
        let window = TerminalSize(columns: 100, rows: 30)
        #expect(GraphicsMode.blocks.canvas(in: window) == PixelSize(100, 56))
    }

    @Test("kitty and sixel use the pixels of the character cells")
    func pixelCanvas() {
        let window = TerminalSize(columns: 100, rows: 30, cell: PixelSize(9, 18))
        #expect(GraphicsMode.kitty.canvas(in: window) == PixelSize(900, 504))
        #expect(GraphicsMode.sixel.canvas(in: window) == PixelSize(900, 504))
    }

    @Test("a tiny window still has a line")
    func tinyWindow() {
        #expect(GraphicsMode.blocks.canvas(in: TerminalSize(columns: 1, rows: 1)) == PixelSize(1, 2))
    }

    @Test("every mode ends an image with a line break")
    func lineBreak() throws {
        let pixels = try TestImage.gradient(4, 4).pixels()
        for mode in [GraphicsMode.kitty, .sixel, .blocks] { #expect(mode.draw(pixels).hasSuffix("\n")) }
        #expect(GraphicsMode.none.draw(pixels) == "")
    }
}

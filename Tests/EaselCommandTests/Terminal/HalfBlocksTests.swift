import EaselCore
import EaselTesting
import Testing

@testable import easel

@Suite struct HalfBlocksTests {
    @Test func theUpperPixelIsTheForeground() throws {
        let pixels = try PixelBuffer.rows([[.pureRed], [.pureGreen]])
        #expect(HalfBlocks.encode(pixels) == "\u{1B}[38;2;255;0;0m\u{1B}[48;2;0;255;0m▀\u{1B}[0m\n")
    }

    @Test func unchangedColorsAreNotRepeated() throws {
        let pixels = try PixelBuffer.rows([[.pureRed, .pureRed], [.pureGreen, .pureGreen]])
        #expect(HalfBlocks.encode(pixels) == "\u{1B}[38;2;255;0;0m\u{1B}[48;2;0;255;0m▀▀\u{1B}[0m\n")
    }

    @Test func theLastOddRowHasNoBackground() throws {
        let pixels = try PixelBuffer.rows([[.pureRed]])
        #expect(HalfBlocks.encode(pixels) == "\u{1B}[38;2;255;0;0m▀\u{1B}[0m\n")
    }

    @Test func theTerminalShowsThroughWhatIsTransparent() throws {
        let pixels = try PixelBuffer.rows([[.clear, .clear, .pureRed], [.clear, .pureBlue, .clear]])
        #expect(
            HalfBlocks.encode(pixels) == " \u{1B}[38;2;0;0;255m▄\u{1B}[38;2;255;0;0m▀\u{1B}[0m\n")
    }

    @Test func aTransparentPixelAboveResetsTheBackground() throws {
        let pixels = try PixelBuffer.rows([[.pureRed, .clear], [.pureGreen, .pureGreen]])
        #expect(
            HalfBlocks.encode(pixels)
                == "\u{1B}[38;2;255;0;0m\u{1B}[48;2;0;255;0m▀\u{1B}[38;2;0;255;0m\u{1B}[49m▄\u{1B}[0m\n")
    }

    @Test func aMostlyOpaquePixelHasItsStraightColor() throws {
        let pixel = Pixel(blue: 0, green: 64, red: 128, alpha: 128)
        #expect(HalfBlocks.encode(try PixelBuffer.rows([[pixel]])).contains("38;2;255;128;0m"))
    }

    @Test func aPixelThatCoversLessShowsTheTerminal() throws {
        let pixel = Pixel(blue: 0, green: 64, red: 127, alpha: 127)
        #expect(HalfBlocks.encode(try PixelBuffer.rows([[pixel]])) == " \u{1B}[0m\n")
    }

    @Test func theImageIsAsWideAndHalfAsHigh() throws {
        let lines = HalfBlocks.encode(try TestImage.gradient(7, 9).pixels()).split(separator: "\n")
        #expect(lines.count == 5)
        for line in lines { #expect(line.count { $0 == "▀" } == 7) }
    }
}

import EaselCore
import EaselTesting
import Testing

@testable import easel

@Suite("Half blocks")
struct HalfBlocksTests {
    @Test("the upper pixel is the foreground, the lower the background")
    func colours() throws {
        let pixels = try PixelBuffer.rows([[.pureRed], [.pureGreen]])
        #expect(HalfBlocks.encode(pixels) == "\u{1B}[38;2;255;0;0m\u{1B}[48;2;0;255;0m▀\u{1B}[0m\n")
    }

    @Test("unchanged colours are not repeated")
    func unchangedColours() throws {
        let pixels = try PixelBuffer.rows([[.pureRed, .pureRed], [.pureGreen, .pureGreen]])
        #expect(HalfBlocks.encode(pixels) == "\u{1B}[38;2;255;0;0m\u{1B}[48;2;0;255;0m▀▀\u{1B}[0m\n")
    }

    @Test("the last row of an odd height has no background")
    func oddHeight() throws {
        let pixels = try PixelBuffer.rows([[.pureRed]])
        #expect(HalfBlocks.encode(pixels) == "\u{1B}[38;2;255;0;0m▀\u{1B}[0m\n")
    }

    @Test("transparent pixels show the terminal's background")
    func transparentPixels() throws {
        let pixels = try PixelBuffer.rows([[.clear, .clear, .pureRed], [.clear, .pureBlue, .clear]])
        #expect(
            HalfBlocks.encode(pixels) == " \u{1B}[38;2;0;0;255m▄\u{1B}[38;2;255;0;0m▀\u{1B}[0m\n")
    }

    @Test("a transparent upper pixel resets the background")
    func resetBackground() throws {
        let pixels = try PixelBuffer.rows([[.pureRed, .clear], [.pureGreen, .pureGreen]])
        #expect(
            HalfBlocks.encode(pixels)
                == "\u{1B}[38;2;255;0;0m\u{1B}[48;2;0;255;0m▀\u{1B}[38;2;0;255;0m\u{1B}[49m▄\u{1B}[0m\n")
    }

    @Test("a pixel of at least half coverage has its straight colour")
    func mostlyOpaque() throws {
        let pixel = Pixel(blue: 0, green: 64, red: 128, alpha: 128)
        #expect(HalfBlocks.encode(try PixelBuffer.rows([[pixel]])).contains("38;2;255;128;0m"))
    }

    @Test("a pixel of less than half coverage shows the terminal's background")
    func mostlyTransparent() throws {
        let pixel = Pixel(blue: 0, green: 64, red: 127, alpha: 127)
        #expect(HalfBlocks.encode(try PixelBuffer.rows([[pixel]])) == " \u{1B}[0m\n")
    }

    @Test("the text is as wide as the image and half as high")
    func dimensions() throws {
        let lines = HalfBlocks.encode(try TestImage.gradient(7, 9).pixels()).split(separator: "\n")
        #expect(lines.count == 5)
        for line in lines { #expect(line.count { $0 == "▀" } == 7) }
    }
}

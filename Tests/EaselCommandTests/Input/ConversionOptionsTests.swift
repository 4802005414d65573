import ArgumentParser
import EaselCore
import Testing

@testable import easel

@Suite("Conversion options")
struct ConversionOptionsTests {
    private func conversion(_ arguments: [String]) throws -> Conversion {
        try ConversionOptions.parse(arguments).conversion(coders: CoderRegistry())
    }

    @Test("without options the file is written unchanged")
    func unchanged() throws {
        #expect(try conversion([]).isOriginal)
        #expect(try conversion(["--format", "original"]).isOriginal)
    }

    @Test(
        "every conversion option encodes a new file",
        arguments: [["--frame", "0"], ["--width", "5"], ["--height", "5"], ["--format", "png"]])
    func encodes(arguments: [String]) throws {
        #expect(try !conversion(arguments).isOriginal)
    }

    @Test("--fit maps to the content mode of the target size")
    func contentMode() throws {
        let box = ["--width", "30", "--height", "20"]
        #expect(try conversion(box).targetSize == .pixels(width: 30, height: 20, mode: .aspectFit))
        #expect(try conversion(box + ["--fit", "fill"]).targetSize == .pixels(width: 30, height: 20, mode: .fill))
        let cover = try conversion(box + ["--fit", "cover"])
        #expect(cover.targetSize == .pixels(width: 30, height: 20, mode: .aspectFill))
        #expect(cover.crop == PixelSize(30, 20))
    }

    @Test(
        "with only a width or a height the aspect ratio is kept",
        arguments: [[], ["--fit", "cover"], ["--fit", "fill"]])
    func aspectRatio(fit: [String]) throws {
        let image = PixelSize(400, 300)
        let wide = try conversion(["--width", "40"] + fit)
        #expect(wide.targetSize.size(for: image) == PixelSize(40, 30))
        #expect(wide.crop == nil)
        let high = try conversion(["--height", "30"] + fit)
        #expect(high.targetSize.size(for: image) == PixelSize(40, 30))
    }
}

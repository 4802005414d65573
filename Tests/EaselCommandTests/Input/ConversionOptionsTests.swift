import ArgumentParser
import EaselCore
import Testing

@testable import easel

@Suite struct ConversionOptionsTests {
    private func conversion(_ arguments: [String]) throws -> Conversion {
        try ConversionOptions.parse(arguments).conversion(coders: CoderRegistry())
    }

    @Test func withoutOptionsTheFileIsUnchanged() throws {
        #expect(try conversion([]).isOriginal)
        #expect(try conversion(["--format", "original"]).isOriginal)
    }

    @Test(arguments: [["--frame", "0"], ["--width", "5"], ["--height", "5"], ["--format", "png"]])
    func everyOptionMakesANewFile(arguments: [String]) throws {
        #expect(try !conversion(arguments).isOriginal)
    }

    @Test func theFitDecidesHowABoxIsFilled() throws {
        let box = ["--width", "30", "--height", "20"]
        #expect(try conversion(box).targetSize == .pixels(width: 30, height: 20, mode: .aspectFit))
        #expect(try conversion(box + ["--fit", "fill"]).targetSize == .pixels(width: 30, height: 20, mode: .fill))
        let cover = try conversion(box + ["--fit", "cover"])
        #expect(cover.targetSize == .pixels(width: 30, height: 20, mode: .aspectFill))
        #expect(cover.crop == PixelSize(30, 20))
    }

    @Test(arguments: [[], ["--fit", "cover"], ["--fit", "fill"]])
    func withOneSideTheAspectRatioIsKept(fit: [String]) throws {
        let image = PixelSize(400, 300)
        let wide = try conversion(["--width", "40"] + fit)
        #expect(wide.targetSize.size(for: image) == PixelSize(40, 30))
        #expect(wide.crop == nil)
        let high = try conversion(["--height", "30"] + fit)
        #expect(high.targetSize.size(for: image) == PixelSize(40, 30))
    }
}

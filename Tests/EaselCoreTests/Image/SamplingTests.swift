import Testing

@testable import EaselCore

@Suite("Sampling: compatible sizes (B16, B17)")
struct SamplingTests {
    private let original = PixelSize(4_000, 3_000)

    private func makeSampling(_ size: TargetSize) -> Sampling {
        Sampling(original: original, decoded: size.size(for: original))
    }

    private func box(_ width: Int, _ height: Int, _ mode: TargetSize.ContentMode = .aspectFit) -> TargetSize {
        .pixels(width: width, height: height, mode: mode)
    }

    @Test("a larger image satisfies a smaller request with atLeast, but not with exact (B16)")
    func larger() {
        let large = makeSampling(box(600, 600))
        #expect(large.answers(box(300, 300), .atLeast))
        #expect(!large.answers(box(300, 300), .exact))
        #expect(makeSampling(.original).answers(box(300, 300), .atLeast))
    }

    @Test("a smaller image does not satisfy a larger request", arguments: SizePrecision.allCases)
    func smaller(precision: SizePrecision) {
        #expect(!makeSampling(box(300, 300)).answers(box(600, 600), precision))
        #expect(!makeSampling(box(300, 300)).answers(.original, precision))
    }

    @Test("with atLeast an image can be one pixel smaller, but not two (B16)")
    func pixelShort() {
        #expect(makeSampling(box(300, 300)).answers(box(301, 301), .atLeast))
        #expect(!makeSampling(box(300, 300)).answers(box(301, 301), .exact))
        #expect(!makeSampling(box(300, 300)).answers(box(302, 302), .atLeast))
    }

    @Test(
        "an original no larger than the box satisfies exact requests, because nothing is scaled up (B17, X156)",
        arguments: SizePrecision.allCases)
    func small(precision: SizePrecision) {
        let full = makeSampling(.original)
        #expect(full.answers(box(5_000, 5_000), precision))
        #expect(full.answers(box(4_000, 3_000), precision))
        #expect(full.answers(.scaledDown(bytes: 4_000 * 3_000 * 4), precision))
        #expect(makeSampling(box(9_000, 9_000)).answers(.original, precision))
    }

    @Test("boxes of different shapes with the same result are equivalent (B17)")
    func samePixels() {
        let fitting = makeSampling(box(400, 400))
        #expect(fitting.decoded == PixelSize(400, 300))
        #expect(fitting.answers(box(400, 300), .exact))
        #expect(fitting.answers(box(100, 300, .aspectFill), .exact))
        #expect(fitting.answers(box(400, 300, .fill), .exact))
    }

    @Test("a distorted image only satisfies requests of the same aspect ratio")
    func squeezed() {
        let squeezed = makeSampling(box(600, 600, .fill))
        #expect(!squeezed.answers(box(300, 300), .atLeast))
        #expect(!makeSampling(box(600, 600)).answers(box(300, 300, .fill), .atLeast))
        #expect(squeezed.answers(box(300, 300, .fill), .atLeast))
    }

    @Test("rounding of thin images does not change their aspect ratio")
    func thin() {
        let original = PixelSize(4_000, 7)
        for width in [3_999, 2_001, 1_000, 333] {
            let sampling = Sampling(original: original, decoded: box(width, width).size(for: original))
            #expect(sampling.answers(box(width / 2, width), .atLeast))
        }
    }

    @Test("huge sides are compared without overflow")
    func huge() {
        let huge = Sampling(original: PixelSize(.max, .max), decoded: PixelSize(.max, .max))
        #expect(huge.answers(box(10, 10), .atLeast))
        #expect(huge.answers(.original, .exact))
    }
}

import Testing

@testable import EaselCore

@Suite("Resampler weights that are kept")
struct ResamplerWeightsKeptTests {
    @Test("they are those of their axis, whatever was asked for since")
    func kept() {
        for _ in 0..<2 {
            for count in 20..<40 {
                let kept = ResamplerWeights.kept(sourceCount: count, extent: Double(count), targetCount: 10)
                let made = ResamplerWeights(sourceCount: count, extent: Double(count), targetCount: 10)
                #expect(kept.starts == made.starts)
                #expect((0..<10).allSatisfy { kept.weights(of: $0) == made.weights(of: $0) })
            }
        }
    }

    @Test("a last pixel that stands for less than a whole is another axis")
    func extent() {
        let whole = ResamplerWeights.kept(sourceCount: 13, extent: 13, targetCount: 5)
        let part = ResamplerWeights.kept(sourceCount: 13, extent: 12.5, targetCount: 5)
        #expect((0..<5).contains { whole.weights(of: $0) != part.weights(of: $0) })
    }
}

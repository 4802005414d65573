import EaselCore
import Testing

@testable import EaselCodecs

@Suite("Colors: HDR")
struct ToneMappingTests {
    private let quantized = CodePoints(primaries: 9, transfer: CodePoints.perceptualQuantizer)
    private let hybrid = CodePoints(primaries: 9, transfer: CodePoints.hybridLogGamma)

    @Test("PQ encodes absolute luminance (BT.2100 table 4)")
    func quantizer() {
        #expect(abs(PerceptualQuantizer.light(0.58069) - 203) < 0.1)
        #expect(abs(PerceptualQuantizer.light(1) - 10_000) < 0.001)
        #expect(PerceptualQuantizer.light(0) == 0)
        for light in [0.005, 1, 100, 4_000] {
            #expect(abs(PerceptualQuantizer.light(PerceptualQuantizer.value(light)) / light - 1) < 1e-6)
        }
    }

    @Test("HLG's reference white is at 75 % (BT.2408)")
    func hybridWhite() {
        let scene = Float(HybridLogGamma.sceneLight(0.75))
        let light = scene * HybridLogGamma.displayFactor(SIMD3(repeating: scene))
        #expect(abs(light - 1) < 0.01)
    }

    @Test("the curve is linear in the dark, strictly increasing, and ends at white (BT.2390 5.4.1)")
    func curve() {
        func compress(_ light: Double) -> Double { PerceptualQuantizer.compress(light, from: 1_000, to: 203) }
        #expect(compress(50) == 50)
        #expect(abs(compress(1_000) - 203) < 1e-6)
        let lights = stride(from: 0.0, through: 1_000, by: 5).map(compress)
        #expect(zip(lights, lights.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test("black stays black, the maximum becomes white, and grays stay gray and ordered")
    func grays() throws {
        for points in [quantized, hybrid] {
            let conversion = try #require(ColorConversion.from(.codePoints(points), to: .sRGB))
            var ramp = (0..<256).map { 0xFF00_0000 | UInt32($0) * 0x01_0101 }
            conversion.convert(&ramp, count: ramp.count)
            #expect(ramp.first == 0xFF00_0000)
            #expect(ramp.last == 0xFFFF_FFFF)
            let grays = ramp.map { Int($0 & 0xFF) }
            #expect(zip(grays, grays.dropFirst()).allSatisfy { $0 <= $1 })
            for pixel in ramp {
                let (red, green, blue) = (Int(pixel >> 16 & 0xFF), Int(pixel >> 8 & 0xFF), Int(pixel & 0xFF))
                #expect(max(red, green, blue) - min(red, green, blue) <= 1)
            }
        }
    }

    @Test("luminance below the knee is unchanged: 50 cd/m2 is a quarter of white")
    func shadows() throws {
        let conversion = try #require(ColorConversion.from(.codePoints(quantized), to: .sRGB, of: .words))
        let value = UInt16(PerceptualQuantizer.value(203.0 / 4) * 65_535)
        var pixel: UInt32 = 0
        conversion.convertWords([value, value, value, .max], to: &pixel, count: 1)
        // A quarter of the light is 137 in sRGB.
        #expect(pixel == 0xFF89_8989)
    }

    @Test("8 bits and 16 bits of the same value have the same result", arguments: [UInt8(40), 100, 148, 190, 230])
    func depths(value: UInt8) throws {
        for points in [quantized, hybrid] {
            let narrow = try #require(ColorConversion.from(.codePoints(points), to: .sRGB))
            let wide = try #require(ColorConversion.from(.codePoints(points), to: .sRGB, of: .words))
            var pixel = 0xFF00_0000 | UInt32(value) << 16 | UInt32(value / 2) << 8 | 20
            var other: UInt32 = 0
            wide.convertWords(
                [UInt16(value) * 257, UInt16(value / 2) * 257, 20 * 257, .max], to: &other, count: 1)
            narrow.convert(&pixel, count: 1)
            #expect(pixel == other)
        }
    }

    @Test("half transparent light keeps its alpha")
    func alpha() throws {
        let conversion = try #require(ColorConversion.from(.codePoints(hybrid), to: .displayP3, of: .words))
        var pixel: UInt32 = 0
        conversion.convertWords([.max, .max, .max, 32_768], to: &pixel, count: 1)
        #expect(pixel == 0x8080_8080)
    }

    @Test("a profile that names PQ is tone mapped too (ICC.1:2022, 9.2.17)")
    func profile() throws {
        var bytes = Profiles.sRGB
        // Replaces the first tag.
        let offset = bytes.count
        bytes.replaceSubrange(132..<144, with: Array("cicp".utf8) + Files.bigEndian(offset) + Files.bigEndian(12))
        bytes += Array("cicp".utf8) + [0, 0, 0, 0, 9, 16, 0, 1]
        let profile = try #require(ICCProfile(bytes, for: .rgb))
        #expect(profile.codePoints == quantized)
        let conversion = try #require(ColorConversion.from(.profile(profile), to: .sRGB))
        guard case .toneMapping = conversion.kind else {
            Issue.record("The profile is not tone mapped.")
            return
        }
    }
}

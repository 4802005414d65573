import EaselTesting
import Testing

@testable import EaselCore

@Suite("Blend modes")
struct BlendModeTests {
    private static let source = "hxVI/3ApiQDTOmlO/DWM9s3u50At6inP9/SswepMD/g="
    private static let destination = "wMuX/4TP5QBo13f/LBw0KGgUlr4tb4bJeL4jav2vvQ4="

    /// ImageMagick 6.9.11 (Q16), `convert DESTINATION SOURCE -compose NAME -composite`.
    @Test(
        "blend modes match ImageMagick within two levels",
        arguments: [
            (BlendMode.sourceOver, "hxVI/wAAAACIpnL/+jSL+IdXr88t1jf16O2b2+pMD/k="),
            (.sourceIn, "hxVI/wAAAADTOmlO/DWMJ83u5zAt6imk9/SsUepMDw4="),
            (.sourceAtop, "hxVI/4TP5QCIpnL/9DSIKIFKqr4t0jrJ2OaKaupOEw4="),
            (.multiply, "ZRAq/wAAAABipGH/2i16+Gskmc8Ufir1uNZl2+lKD/k="),
            (.screen, "4c+0/wAAAACO2Yj/+jiP+IxXss9F3YL16fCg2+tSGfk="),
            (.overlay, "w59p/wAAAAB80HD/4S5++H4psM8Zwj714u9u2+tPFfk="),
            (.darken, "hxVI/wAAAABopnL/2jB9+G8lnM8thTf1udlp2+pMD/k="),
            (.lighten, "wMuX/wAAAACI13f/+jSL+IdXr88t1nX16O2b2+tRGPk="),
        ])
    func golden(mode: BlendMode, expected: String) throws {
        let source = try TransformFixture.golden(Self.source, 8, 1, channels: 4)
        let destination = try TransformFixture.golden(Self.destination, 8, 1, channels: 4)
        let blended = try destination.applying([.overlay(source, at: .topLeft, blendMode: mode)])
        let golden = try TransformFixture.golden(expected, 8, 1, channels: 4)
        #expect(blended.difference(from: golden) <= .tolerance(2))
    }

    @Test("no component exceeds alpha, and keepsOpacity is correct", arguments: BlendMode.allCases)
    func invariants(mode: BlendMode) throws {
        let levels: [UInt8] = [0, 1, 2, 63, 64, 127, 128, 200, 254, 255]
        var wrong: [Pixel] = []
        for sourceAlpha in levels {
            for destinationAlpha in levels {
                for source in levels where source <= sourceAlpha {
                    for destination in levels where destination <= destinationAlpha {
                        let result = PremultipliedPixel.pixel(
                            mode.blend(word(source, sourceAlpha), word(destination, destinationAlpha)))
                        let isOpaque = !mode.keepsOpacity || destinationAlpha < 255 || result.alpha == 255
                        if max(result.red, result.green) > result.alpha || !isOpaque { wrong.append(result) }
                    }
                }
            }
        }
        #expect(wrong.isEmpty)
    }

    @Test("a tint is its colour blended over every pixel, opaque or not", arguments: BlendMode.allCases)
    func tint(mode: BlendMode) throws {
        for image in [try TransformFixture.noise(9, 7), try TransformFixture.translucentNoise(9, 7)] {
            let color = ImageColor(0x3080F0, alpha: 180)
            let tinted = try image.applying([.tint(color, blendMode: mode)])
            let expected = image.allPixels.map {
                PremultipliedPixel.pixel(mode.blend(color.word, PremultipliedPixel.word($0)))
            }
            #expect(tinted.allPixels == expected)
            if tinted.pixels.isOpaque { #expect(expected.allSatisfy { $0.alpha == 255 }) }
        }
    }

    @Test("a clear tint has no effect (X183)", arguments: BlendMode.allCases)
    func clearTint(mode: BlendMode) throws {
        let image = try TransformFixture.noise(4, 4)
        #expect(try image.applying([.tint(.clear, blendMode: mode)]).difference(from: image) <= .exact)
    }

    private func word(_ level: UInt8, _ alpha: UInt8) -> UInt32 {
        PremultipliedPixel.word(Pixel(blue: level, green: level / 2, red: level, alpha: alpha))
    }
}

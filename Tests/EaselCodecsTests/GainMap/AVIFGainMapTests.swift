#if AVIF
import CAVIF
import EaselCodecs
import EaselCore
import Foundation
import TestSupport
import Testing

@Suite("Gain maps: AVIF")
struct AVIFGainMapTests {
    private let coder = AVIFCoder()
    private static let deep = DecodeOptions(depth: .sixteen)
    /// The parameters of both files. The second has other primaries.
    private static let parameters = GainMap.Parameters(
        minimum: SIMD3(0, -0.5, -1), maximum: SIMD3(1.5, 2, 2.5), gamma: SIMD3(0.5, 1, 1.5),
        alternateOffset: SIMD3(repeating: 1.0 / 32), alternateHeadroom: 2)

    /// Whether libavif has gain maps in its interface.
    private static let isSupported = (Int(AVIF_VERSION_MAJOR), Int(AVIF_VERSION_MINOR)) >= (1, 2)

    @Test("the map is applied to the primaries of the base image", .enabled(if: isSupported))
    func base() throws {
        #expect(try coder.header(of: GainMapAVIF.base).gainMapHeadroom == 4)
        let image = try coder.decode(GainMapAVIF.base, Self.deep)
        #expect(image.gainMap?.parameters == Self.parameters)
        #expect(image.gainMap?.pixels.size == PixelSize(16, 16))
        try expectHDR(image, Self.parameters)
    }

    @Test(
        "the map is applied to 10 bits, to the primaries of the HDR image, and is turned upright",
        .enabled(if: isSupported))
    func deep() throws {
        let image = try coder.decode(GainMapAVIF.deep, Self.deep)
        var parameters = Self.parameters
        parameters.usesBaseColors = false
        #expect(image.gainMap?.parameters == parameters)
        try expectHDR(image, parameters)
        let half = try coder.decode(GainMapAVIF.deep, .headroom(2))
        try expectHDR(half, parameters, weight: 0.5)
    }

    /// Compares the centers of squares of 8 pixels with the formula.
    private func expectHDR(_ image: DecodedImage, _ parameters: GainMap.Parameters, weight: Double = 1) throws {
        let (deep, gainMap) = try (#require(image.deepPixels), #require(image.gainMap))
        #expect(deep.colors == .perceptualQuantizer)
        for y in stride(from: 4, to: 32, by: 8) {
            for x in stride(from: 4, to: 32, by: 8) {
                let (base, gain) = (image.pixels[x, y], gainMap.pixels[x / 2, y / 2])
                let values = [gain.red, gain.green, gain.blue].map { Double($0) / 255 }
                var light = [base.red, base.green, base.blue].map { GainMapFormula.light(Double($0) / 255) }
                if !parameters.usesBaseColors { light = GainMapFormula.multiply(GainMapFormula.sRGB, light) }
                var formula = GainMapFormula(parameters: parameters, weight: weight)
                if !parameters.usesBaseColors { formula.matrix = [[1, 0, 0], [0, 1, 0], [0, 0, 1]] }
                let word = deep[x, y]
                // Eight bits of the base image are coarser than the ten of its file.
                for (value, other) in zip([word.red, word.green, word.blue], formula.words(light: light, gain: values))
                {
                    #expect(abs(Double(value) - other) < 250, "\(x), \(y)")
                }
            }
        }
    }

    @Test("without a request, and without support in libavif, the base image is shown")
    func unrequested() throws {
        let image = try coder.decode(GainMapAVIF.base, DecodeOptions())
        #expect(image.gainMap == nil && image.deepPixels == nil && image.pixels[4, 4].blue == 255)
        if !Self.isSupported { #expect(try coder.decode(GainMapAVIF.base, Self.deep).gainMap == nil) }
    }

    @Test("the pixels of the map count against the limit", .enabled(if: isSupported))
    func limit() throws {
        for (pixels, hasMap) in [(32 * 32 + 16 * 16, true), (32 * 32 + 16 * 16 - 1, false)] {
            let options = DecodeOptions(depth: .sixteen, limits: ImageLimits(pixels: pixels))
            #expect((try coder.decode(GainMapAVIF.base, options).gainMap != nil) == hasMap)
        }
    }

    @Test("files with changed bytes give an image or an error")
    func changed() {
        let options = DecodeOptions(depth: .sixteen, limits: ImageLimits(pixels: 200_000))
        for file in [GainMapAVIF.base, GainMapAVIF.deep] {
            for file in DamagedFiles.changed(file, count: 300) + DamagedFiles.cut(file) {
                guard let image = try? coder.decode(file, options) else { continue }
                #expect(image.deepPixels.map { $0.size == image.size } ?? true)
            }
        }
    }
}

/// Files encoded by libavif 1.2, with maps of three channels. Squares of 8 pixels are constant. Base64.
private enum GainMapAVIF {
    /// 32 x 32, 8 bits, lossless.
    static let base = decode(
        """
        AAAAJGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUF0bWFwAAAB0G1ldGEAAAAAAAAAIWhkbHIAAAAAAAAAAHBpY3QAAAAAAAAAAAAAAAAAAAAADnBp\
        dG0AAAAAAAEAAAA6aWxvYwAAAABEAAADAAEAAAABAAAC4gAAAC4AAgAAAAEAAAH8AAAAjgADAAAAAQAAAooAAABYAAAAWmlpbmYAAAAAAAMAAAAaaW5m\
        ZQIAAAAAAQAAYXYwMUNvbG9yAAAAABlpbmZlAgAAAAACAAB0bWFwR01hcAAAAAAZaW5mZQIAAAEAAwAAYXYwMUdNYXAAAAAAHGlyZWYAAAAAAAAAEGRp\
        bWcAAgACAAEAAwAAAMFpcHJwAAAAlWlwY28AAAAUaXNwZQAAAAAAAAAgAAAAIAAAABBwaXhpAAAAAAMICAgAAAAMYXYxQ4EgAAAAAAATY29scm5jbHgA\
        AQANAACAAAAAEHBpeGkAAAAAAwoKCgAAABNjb2xybmNseAACAAIAAoAAAAAUaXNwZQAAAAAAAAAQAAAAEAAAABNjb2xybmNseAACAAIAAIAAAAAkaXBt\
        YQAAAAAAAAADAAEEAQKDBAACAwEFBgADBAcCgwgAAAAkZ3JwbAAAABxhbHRyAAAAAAAAAAQAAAACAAAAAgAAAAEAAAEcbWRhdAAAAAAAwAAAAAAAAAAB\
        AAAAAgAAAAEAAAAAAAAAAgAAAAMAAAACAAAAAQAAAAIAAAABAAAAQAAAAAEAAAAg/////wAAAAIAAAAEAAAAAgAAAAIAAAACAAAAAQAAAEAAAAABAAAA\
        IP////4AAAACAAAABQAAAAIAAAADAAAAAgAAAAEAAABAAAAAAQAAACASAAoIOAz/2UCAgCQySkQAAMLbiGkyLHHElagllItpYTb7eBEMcujsQSshQike\
        /yGZ539H/bRryHdkqK2rE4xoSx0a5r7HKE/3kvZH4PCodZ9vtrLccajAEgAKCDgRP/ZQENACMiBEAAC5+K4Swt54HFdgGItpx6vk8O6hXWu/wMxyZRXM\
        IA==
        """)

    /// 32 x 32, 10 bits, rotated left, with an HDR image in BT.2020 PQ.
    static let deep = decode(
        """
        AAAAJGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUF0bWFwAAAB521ldGEAAAAAAAAAIWhkbHIAAAAAAAAAAHBpY3QAAAAAAAAAAAAAAAAAAAAADnBp\
        dG0AAAAAAAEAAAA6aWxvYwAAAABEAAADAAEAAAABAAAC+QAAAJIAAgAAAAEAAAITAAAAjgADAAAAAQAAAqEAAABYAAAAWmlpbmYAAAAAAAMAAAAaaW5m\
        ZQIAAAAAAQAAYXYwMUNvbG9yAAAAABlpbmZlAgAAAAACAAB0bWFwR01hcAAAAAAZaW5mZQIAAAEAAwAAYXYwMUdNYXAAAAAAHGlyZWYAAAAAAAAAEGRp\
        bWcAAgACAAEAAwAAANhpcHJwAAAAqmlwY28AAAAUaXNwZQAAAAAAAAAgAAAAIAAAABBwaXhpAAAAAAMKCgoAAAAMYXYxQ4EgQAAAAAATY29scm5jbHgA\
        AQANAAGAAAAACWlyb3QBAAAAE2NvbHJuY2x4AAkAEAAJgAAAABRpc3BlAAAAAAAAABAAAAAQAAAAEHBpeGkAAAAAAwgICAAAAAxhdjFDgSAAAAAAABNj\
        b2xybmNseAACAAIAAIAAAAAmaXBtYQAAAAAAAAADAAEFAQKDBIUAAgMBAgYAAwUHCIkKhQAAACRncnBsAAAAHGFsdHIAAAAAAAAABAAAAAIAAAACAAAA\
        AQAAAYBtZGF0AAAAAACAAAAAAAAAAAEAAAACAAAAAQAAAAAAAAACAAAAAwAAAAIAAAABAAAAAgAAAAEAAABAAAAAAQAAACD/////AAAAAgAAAAQAAAAC\
        AAAAAgAAAAIAAAABAAAAQAAAAAEAAAAg/////gAAAAIAAAAFAAAAAgAAAAMAAAACAAAAAQAAAEAAAAABAAAAIBIACgg4DP/ZQICAJDJKRAAAwtuIaTIs\
        ccSVqCWUi2lhNvt4EQxy6OxBKyFCKR7/IZnnf0f9tGvId2SorasTjGhLHRrmvscoT/eS9kfg8Kh1n2+2stxxqMASAAoIOBE/9nAQ0BkygwFEAAC6B6E3\
        8mOwI8pB0O8oS88HedkTyPp5jdUxF6TzmS/aU6eW5npO07CJJ+ZpEARDQiaXYbgx+drIyTR7zGofKfPc1LpSEbx5O/mQYAkPMpRHfLLIocu9yVZVP6MM\
        8rRzTYaHArEdnk6zjUhL8evT2IzbtpLZLLu7lOs5qdjlW76uBQ==
        """)

    private static func decode(_ text: String) -> Data { Data(base64Encoded: text) ?? Data() }
}
#endif

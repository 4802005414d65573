#if TIFF
import EaselCodecs
import EaselCore
import Foundation
import Testing

@Suite("TIFF: sample formats")
struct TIFFSampleTests {
    /// A sample, the tag of its format (1 unsigned, 2 signed, 3 floating point), and its value in 16 bits.
    struct Sample: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var format: Int
        var bytes: [UInt8]
        var word: UInt16

        init(_ name: String, _ format: Int, _ bytes: [UInt8], _ word: UInt16) {
            (testDescription, self.format, self.bytes, self.word) = (name, format, bytes, word)
        }
    }

    private static let samples = [
        Sample("16 bits", 1, [0x34, 0x12], 0x1234),
        Sample("32 bits: rounded to 16", 1, [0, 0xF0, 0x34, 0x12], 0x1235),
        Sample("signed: the largest is white", 2, [0xFF, 0x7F], 65_535),
        Sample("signed: below 0 is black", 2, [0x00, 0x80], 0),
        Sample("signed, 32 bits", 2, [0xFF, 0xFF, 0xFF, 0x3F], 32_767),
        Sample("half: 0.5", 3, [0x00, 0x38], 48_192),
        Sample("half: 2 to the power of -24", 3, [0x01, 0x00], 0),
        Sample("half: infinity", 3, [0x00, 0x7C], 65_535),
        Sample("half: NaN", 3, [0x00, 0x7E], 0),
        Sample("float: 0.5", 3, [0, 0, 0, 0x3F], 48_192),
        Sample("float: below 0", 3, [0, 0, 0, 0xBF], 0),
        Sample("double: 0.5", 3, [0, 0, 0, 0, 0, 0, 0xE0, 0x3F], 48_192),
        Sample("double: beyond a float", 3, [0, 0, 0, 0, 0, 0, 0xE0, 0x7F], 65_535),
    ]

    @Test(
        "samples are decoded to 16 bits as gray and as planar RGB (TIFF 6.0, sections 9 and 19)", arguments: samples)
    func kinds(sample: Sample) throws {
        let bits = sample.bytes.count * 8
        let gray = ClassicFiles.tiff(
            1, 1, samples: 1, bits: bits, photometric: 1, pixels: sample.bytes, [tag(339, sample.format)])
        #expect(try words(gray) == [[sample.word, sample.word, sample.word, 65_535]])
        let zero = [UInt8](repeating: 0, count: sample.bytes.count)
        let planes = planar(1, 1, [zero, sample.bytes, zero], bits: bits, photometric: 2, [tag(339, sample.format)])
        #expect(try words(planes) == [[0, sample.word, 0, 65_535]])
        let byte = UInt8((Int(sample.word) * 255 + 32_767) / 65_535)
        #expect(try TIFFCoder().decode(planes, DecodeOptions()).pixels.pixels.map(\.green) == [byte])
    }

    @Test("packed 12 bits are decoded, with each row starting at a byte")
    func packed() throws {
        let file = ClassicFiles.tiff(
            3, 2, samples: 1, bits: 12, photometric: 1,
            pixels: [0x00, 0x0F, 0xFF, 0x80, 0x00, 0x12, 0x30, 0x00, 0xFF, 0xF0])
        #expect(try words(file).map(\.[0]) == [0, 65_535, 32_776, 4_657, 0, 65_535])
    }

    @Test(
        "planar floating point is decoded in strips of several rows and in partial tiles", arguments: [false, true])
    func planes(isTiled: Bool) throws {
        let (width, height) = (5, 3)
        func light(_ x: Int, _ y: Int, _ plane: Int) -> Float { Float(x + y * width + plane * 20) / 64 }
        var pixels: [UInt8] = []
        var starts: [Int] = []
        for plane in 0..<3 {
            // Strips of two rows; the second has only one.
            for strip in isTiled ? [0..<16] : [0..<2, 2..<3] {
                starts.append(8 + pixels.count)
                for y in strip {
                    for x in 0..<(isTiled ? 16 : width) { pixels += float(light(x, y, plane)) }
                }
            }
        }
        let counts = zip(starts, starts.dropFirst() + [8 + pixels.count]).map { $1 - $0 }
        let layout =
            isTiled
            ? [long(322, [16]), long(323, [16]), long(324, starts), long(325, counts)]
            : [long(278, [2]), long(273, starts), long(279, counts)]
        let file = ClassicFiles.tiff(
            width, height, samples: 3, bits: 32, photometric: 2, pixels: pixels, [tag(284, 2), tag(339, 3)] + layout)
        let deep = try words(file)
        for y in 0..<height {
            for x in 0..<width {
                let expected = (0..<3).map { Self.curve(light(x, y, $0)) }
                for (word, value) in zip(deep[y * width + x], expected) { #expect(abs(Int(word) - value) <= 1) }
            }
        }
    }

    @Test("the floating-point predictor is decoded in planes (Adobe Photoshop TIFF Technical Note 3)")
    func predictor() throws {
        let rows: [[Float]] = [[0, 0.25, 0.5, 1], [1, 0.5, 0.25, 0], [0.5, 0.5, 0.5, 0.5]]
        let planes = rows.map { row in
            // All highest bytes of a row come first, then all second ones, each as a difference from the byte before.
            let bytes = [24, 16, 8, 0].flatMap { shift in row.map { UInt8(truncatingIfNeeded: $0.bitPattern >> shift) }
            }
            return Files.zlib(zip(bytes, [0] + bytes).map { $0 &- $1 })
        }
        let file = planar(4, 1, planes, bits: 32, photometric: 2, [tag(259, 8), tag(317, 3), tag(339, 3)])
        for (x, pixel) in try words(file).enumerated() {
            for (word, row) in zip(pixel, rows) { #expect(abs(Int(word) - Self.curve(row[x])) <= 1) }
        }
    }

    @Test("premultiplied alpha of linear light is divided out before the curve", arguments: [1, 2])
    func alpha(kind: Int) throws {
        let light: Float = kind == 1 ? 0.125 : 0.5
        let file = ClassicFiles.tiff(
            1, 1, samples: 2, bits: 32, photometric: 1, pixels: float(light) + float(0.25),
            [tag(338, kind), tag(339, 3)])
        let expected = UInt16((Self.curve(0.5) * 16_384 + 32_767) / 65_535)
        #expect(try words(file) == [[expected, expected, expected, 16_384]])
    }

    @Test("CMYK of 16 bits is converted with the simple formula, chunky and planar")
    func inks() throws {
        let inks: [[UInt8]] = [[0xFF, 0xFF], [0, 0], [0, 0x80], [0, 0x40]]
        let interleaved = ClassicFiles.tiff(1, 1, samples: 4, bits: 16, photometric: 5, pixels: inks.flatMap(\.self))
        for file in [interleaved, planar(1, 1, inks, bits: 16, photometric: 5)] {
            #expect(try words(file) == [[0, 49_151, 24_575, 65_535]])
        }
    }

    @Test("bands other than colors and alpha are ignored", arguments: [false, true])
    func bands(isPlanar: Bool) throws {
        let values = [10, 20, 30, 128, 250].map { ClassicFiles.littleEndian16($0 * 257) }
        let more = [tag(338, 2, 0)]
        let file =
            isPlanar
            ? planar(1, 1, values, bits: 16, photometric: 2, more)
            : ClassicFiles.tiff(
                1, 1, samples: 5, bits: 16, photometric: 2, pixels: values.flatMap(\.self), more)
        #expect(try words(file) == [[1_290, 2_580, 3_870, 32_896]])
        let gray = ClassicFiles.tiff(1, 1, samples: 3, bits: 8, photometric: 1, pixels: [7, 8, 9], [tag(338, 0, 0)])
        #expect(try TIFFCoder().decode(gray, DecodeOptions()).pixels.pixels.map(\.red) == [7])
    }

    @Test(
        "planar bytes are decoded like chunky ones: RGB, with both kinds of alpha, with bands, and gray",
        arguments: [(3, []), (4, [0]), (4, [1]), (4, [2]), (5, [2, 0]), (1, []), (2, [2])])
    func bytes(planeCount: Int, extra: [Int]) throws {
        let (width, height) = (21, 3)
        let more = extra.isEmpty ? [] : [ClassicFiles.Tag(number: 338, type: 3, values: extra)]
        let planes = (0..<planeCount).map { plane in
            (0..<(width * height)).map { UInt8(truncatingIfNeeded: $0 * 37 + plane * 91) }
        }
        let interleaved = (0..<(width * height)).flatMap { index in planes.map { $0[index] } }
        let photometric = planeCount < 3 ? 1 : 2
        let file = ClassicFiles.tiff(
            width, height, samples: planeCount, bits: 8, photometric: photometric, pixels: interleaved, more)
        let expected = try TIFFCoder().decode(file, DecodeOptions()).pixels
        let image = try TIFFCoder().decode(
            planar(width, height, planes, bits: 8, photometric: photometric, more), DecodeOptions())
        #expect(image.pixels.hasSamePixels(as: expected))
        if planeCount == 3 { #expect(expected[1, 0] == Pixel(blue: 219, green: 128, red: 37, alpha: 255)) }
    }

    @Test("other sample formats are unsupported", arguments: [(5, 32), (6, 64), (1, 64), (3, 24)])
    func unsupported(format: Int, bits: Int) {
        let file = ClassicFiles.tiff(
            1, 1, samples: 1, bits: bits, photometric: 1, pixels: [UInt8](repeating: 1, count: bits / 8),
            [tag(339, format)])
        let error = #expect(throws: ImageError.self) { try TIFFCoder().decode(file, DecodeOptions()) }
        #expect(error?.code == .unsupported)
    }

    @Test(
        "an unknown compression is reported as unsupported instead of damaged, and the header is read",
        arguments: [34_712, 50_002, 7_777])
    func compression(scheme: Int) throws {
        let file = ClassicFiles.tiff(
            1, 1, samples: 3, bits: 8, photometric: 2, pixels: [1, 2, 3], [tag(259, scheme)])
        #expect(try TIFFCoder().header(of: file).storedSize == PixelSize(1, 1))
        let error = #expect(throws: ImageError.self) { try TIFFCoder().decode(file, DecodeOptions()) }
        #expect(error?.code == .unsupported)
    }

    @Test("a missing plane is an error, or clear if partial images are allowed")
    func partial() throws {
        let file = planar(1, 2, [[1, 2], [3, 4], [5]], bits: 8, photometric: 2, [long(279, [2, 2, 9_000])])
        let error = #expect(throws: ImageError.self) { try TIFFCoder().decode(file, DecodeOptions()) }
        #expect(error?.code == .badData)
        let image = try TIFFCoder().decode(file, DecodeOptions(allowsPartial: true))
        #expect(image.metadata.isPartial && image.pixels.pixels.allSatisfy { $0.alpha == 0 })
    }

    private func words(_ file: Data) throws -> [[UInt16]] {
        let deep = try #require(try TIFFCoder().decode(file, DecodeOptions(depth: .sixteen)).deepPixels)
        return (0..<deep.size.height).flatMap { y in
            (0..<deep.size.width).map { x in
                let pixel = deep[x, y]
                return [pixel.red, pixel.green, pixel.blue, pixel.alpha]
            }
        }
    }

    private func planar(
        _ width: Int, _ height: Int, _ planes: [[UInt8]], bits: Int, photometric: Int, _ more: [ClassicFiles.Tag] = []
    ) -> Data {
        var starts = [8]
        for plane in planes.dropLast() { starts.append(starts[starts.count - 1] + plane.count) }
        let layout = [tag(284, 2), long(273, starts), long(279, planes.map(\.count))]
        return ClassicFiles.tiff(
            width, height, samples: planes.count, bits: bits, photometric: photometric, pixels: planes.flatMap(\.self),
            layout.filter { tag in !more.contains { $0.number == tag.number } } + more)
    }

    private func tag(_ number: Int, _ values: Int...) -> ClassicFiles.Tag {
        ClassicFiles.Tag(number: number, type: 3, values: values)
    }

    private func long(_ number: Int, _ values: [Int]) -> ClassicFiles.Tag {
        ClassicFiles.Tag(number: number, type: 4, values: values)
    }

    private func float(_ value: Float) -> [UInt8] { ClassicFiles.littleEndian32(Int(value.bitPattern)) }

    /// Returns the value of sRGB's curve (IEC 61966-2-1) in 16 bits.
    private static func curve(_ light: Float) -> Int {
        let light = Double(min(light, 1))
        return Int((65_535 * (light <= 0.003_130_8 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055)).rounded())
    }
}
#endif

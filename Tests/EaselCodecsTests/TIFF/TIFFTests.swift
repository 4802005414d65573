#if TIFF
import EaselCodecs
import EaselCore
import Foundation
import Testing

@Suite("TIFF: features that the corpora lack")
struct TIFFTests {
    private func levels(_ file: Data) throws -> [[UInt8]] {
        try TIFFCoder().decode(file, DecodeOptions()).pixels.pixels.map { [$0.red, $0.green, $0.blue, $0.alpha] }
    }

    private func tag(_ number: Int, _ values: Int...) -> ClassicFiles.Tag {
        ClassicFiles.Tag(number: number, type: 3, values: values)
    }

    private func float(_ values: Float...) -> [UInt8] {
        values.flatMap { ClassicFiles.littleEndian32(Int($0.bitPattern)) }
    }

    @Test("8-bit RGB is decoded")
    func plain() throws {
        #expect(try levels(ClassicFiles.tiff(2, 1)) == [[0, 1, 2, 255], [3, 4, 5, 255]])
    }

    @Test("straight alpha is premultiplied, and premultiplied colors are clamped to alpha")
    func alpha() throws {
        let pixels: [UInt8] = [255, 100, 0, 128]
        func file(_ kind: Int) -> Data {
            ClassicFiles.tiff(1, 1, samples: 4, bits: 8, photometric: 2, pixels: pixels, [tag(338, kind)])
        }
        #expect(try levels(file(2)) == [[128, 50, 0, 128]])
        #expect(try levels(file(1)) == [[128, 100, 0, 128]])
        // An extra sample that is not alpha.
        #expect(try levels(file(0)) == [[255, 100, 0, 255]])
    }

    @Test("floating point is linear light from 0 to 1, with other values clamped")
    func floatingPoint() throws {
        let file = ClassicFiles.tiff(
            5, 1, samples: 1, bits: 32, photometric: 1, pixels: float(0, 0.215_86, 1, 7, .nan), [tag(339, 3)])
        #expect(try levels(file).map(\.[0]) == [0, 128, 255, 255, 0])
    }

    @Test("planar samples are decoded")
    func planes() throws {
        let file = ClassicFiles.tiff(
            2, 1, samples: 3, bits: 8, photometric: 2, pixels: [10, 20, 30, 40, 50, 60],
            [
                tag(284, 2), ClassicFiles.Tag(number: 273, type: 4, values: [8, 10, 12]),
                ClassicFiles.Tag(number: 279, type: 4, values: [2, 2, 2]),
            ])
        #expect(try levels(file) == [[10, 30, 50, 255], [20, 40, 60, 255]])
    }

    @Test("gray of 16 bits and gray with 0 as white are decoded")
    func grays() throws {
        let wide = ClassicFiles.tiff(
            2, 1, samples: 1, bits: 16, photometric: 1, pixels: [0, 128, 255, 255])
        #expect(try levels(wide).map(\.[0]) == [128, 255])
        let inverted = ClassicFiles.tiff(2, 1, samples: 1, bits: 8, photometric: 0, pixels: [0, 200])
        #expect(try levels(inverted).map(\.[0]) == [255, 55])
    }

    /// Returns a palette in which 1 is red, 2 is half blue and the others are black.
    private func palette(bits: Int, isWide: Bool = true) -> ClassicFiles.Tag {
        var values = [Int](repeating: 0, count: 3 << bits)
        values[1] = isWide ? 65_535 : 255
        values[2 << bits + 2] = isWide ? 32_896 : 128
        return ClassicFiles.Tag(number: 320, type: 3, values: values)
    }

    @Test("a palette with an extra sample is decoded: straight, premultiplied or unspecified")
    func paletteWithAlpha() throws {
        func file(_ kind: Int, isWide: Bool = true) -> Data {
            ClassicFiles.tiff(
                3, 1, samples: 2, bits: 8, photometric: 3, pixels: [1, 255, 2, 128, 0, 0],
                [tag(338, kind), palette(bits: 8, isWide: isWide)])
        }
        #expect(try levels(file(2)) == [[255, 0, 0, 255], [0, 0, 64, 128], [0, 0, 0, 0]])
        #expect(try levels(file(2, isWide: false)) == [[255, 0, 0, 255], [0, 0, 64, 128], [0, 0, 0, 0]])
        #expect(try levels(file(1)) == [[255, 0, 0, 255], [0, 0, 128, 128], [0, 0, 0, 0]])
        #expect(try levels(file(0)) == [[255, 0, 0, 255], [0, 0, 128, 255], [0, 0, 0, 255]])
        #expect(try TIFFCoder().header(of: file(2)).hasAlpha)
        #expect(try !TIFFCoder().header(of: file(0)).hasAlpha)
    }

    @Test("a palette with alpha is decoded in 4 bits and in planes")
    func paletteLayouts() throws {
        let packed = ClassicFiles.tiff(
            3, 1, samples: 2, bits: 4, photometric: 3, pixels: [0x1F, 0x28, 0x00], [tag(338, 2), palette(bits: 4)])
        #expect(try levels(packed) == [[255, 0, 0, 255], [0, 0, 68, 136], [0, 0, 0, 0]])
        let planes = ClassicFiles.tiff(
            2, 1, samples: 2, bits: 8, photometric: 3, pixels: [1, 2, 255, 128],
            [
                tag(338, 2), palette(bits: 8), tag(284, 2), ClassicFiles.Tag(number: 273, type: 4, values: [8, 10]),
                ClassicFiles.Tag(number: 279, type: 4, values: [2, 2]),
            ])
        #expect(try levels(planes) == [[255, 0, 0, 255], [0, 0, 64, 128]])
    }

    @Test("CMYK is converted with the simple formula")
    func cmyk() throws {
        let file = ClassicFiles.tiff(
            2, 1, samples: 4, bits: 8, photometric: 5, pixels: [255, 0, 0, 0, 0, 0, 0, 255])
        #expect(try levels(file) == [[0, 255, 255, 255], [0, 0, 0, 255]])
    }

    @Test("the orientation tag is applied once (X163)", arguments: [(1, 2, 1), (3, 2, 1), (6, 1, 2)])
    func orientation(value: Int, width: Int, height: Int) throws {
        let file = ClassicFiles.tiff(
            2, 1, samples: 1, bits: 8, photometric: 1, pixels: [7, 9], [tag(274, value)])
        let image = try TIFFCoder().decode(file, DecodeOptions())
        #expect(image.size == PixelSize(width, height))
        #expect(image.pixels.pixels.map(\.red) == (value == 3 ? [9, 7] : [7, 9]))
    }

    @Test("missing rows are clear if partial images are allowed")
    func partial() throws {
        let file = ClassicFiles.tiff(
            1, 4, samples: 1, bits: 8, photometric: 1, pixels: [7, 8],
            [
                ClassicFiles.Tag(number: 278, type: 4, values: [2]),
                ClassicFiles.Tag(number: 273, type: 4, values: [8, 9_000]),
                ClassicFiles.Tag(number: 279, type: 4, values: [2, 2]),
            ])
        #expect(throws: ImageError.self) { try TIFFCoder().decode(file, DecodeOptions()) }
        let image = try TIFFCoder().decode(file, DecodeOptions(allowsPartial: true))
        #expect(image.metadata.isPartial)
        #expect(image.pixels.pixels.map(\.alpha) == [255, 255, 0, 0])
    }

    @Test("a size over the limit is refused")
    func limit() {
        let file = ClassicFiles.tiff(1_000_000, 1_000_000, samples: 1, bits: 8, photometric: 1, pixels: [1])
        let error = #expect(throws: ImageError.self) { try TIFFCoder().decode(file, DecodeOptions()) }
        #expect(error?.code == .tooLarge)
    }

    @Test("tiles far larger than the image are refused")
    func tiles() {
        let file = ClassicFiles.tiff(
            2, 2, samples: 1, bits: 8, photometric: 1, pixels: [1],
            [
                ClassicFiles.Tag(number: 322, type: 4, values: [65_536]),
                ClassicFiles.Tag(number: 323, type: 4, values: [65_536]),
                ClassicFiles.Tag(number: 324, type: 4, values: [8]),
                ClassicFiles.Tag(number: 325, type: 4, values: [1]),
            ])
        let error = #expect(throws: ImageError.self) { try TIFFCoder().decode(file, DecodeOptions()) }
        #expect(error?.code == .badData)
    }

    @Test("rows that unused samples make far larger than the image are refused")
    func unusedSamples() {
        let file = ClassicFiles.tiff(
            1_000_000, 1, samples: 65_535, bits: 64, photometric: 1, pixels: [0x80, 0],
            [tag(258, 64), tag(259, 5), tag(339, 3)])
        let error = #expect(throws: ImageError.self) { try TIFFCoder().decode(file, DecodeOptions()) }
        #expect(error?.code == .badData)
    }
}
#endif

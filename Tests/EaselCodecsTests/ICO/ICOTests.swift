import EaselCodecs
import EaselCore
import Foundation
import Testing

@Suite("ICO: icons and cursors")
struct ICOTests {
    private func entry(_ side: Int, _ color: UInt8, alpha: UInt8 = 255, mask: UInt8 = 0)
        -> (width: Int, height: Int, data: [UInt8])
    {
        (side, side, ClassicFiles.iconBitmap(side, blue: color, green: 0, red: 0, alpha: alpha, mask: mask))
    }

    private func image(_ file: Data, width: Int? = nil) throws -> DecodedImage {
        let target = width.map { TargetSize.pixels(width: $0, height: $0) } ?? .original
        return try ICOCoder().decode(file, DecodeOptions(targetSize: target))
    }

    @Test("the largest image is used, or for a target size the smallest that is large enough")
    func best() throws {
        let file = ClassicFiles.ico([entry(16, 16), entry(48, 48), entry(32, 32)])
        #expect(try ICOCoder().header(of: file).size == PixelSize(48, 48))
        for (width, size, color) in [
            (nil, 48, 48), (100, 48, 48), (40, 40, 48), (32, 32, 32), (20, 20, 32), (16, 16, 16),
        ] {
            let image = try image(file, width: width)
            #expect(image.size == PixelSize(size, size))
            #expect(image.pixels[0, 0].blue == UInt8(color))
        }
    }

    @Test("an embedded PNG is decoded, and a cursor is an icon")
    func png() throws {
        let source = try Images.translucent(20, 10)
        for type in [1, 2] {
            let file = ClassicFiles.ico([(20, 10, Array(try Files.png(source)))], type: type)
            let decoder = try CoderRegistry.standard().decoder(for: file)
            #expect(try decoder.header(of: file).format == .ico)
            #expect(try decoder.decode(file, DecodeOptions()).pixels.pixels == source.pixels)
        }
    }

    @Test("the mask determines clear pixels only if there is no alpha")
    func mask() throws {
        #expect(try image(ClassicFiles.ico([entry(8, 7, alpha: 0, mask: 0xF0)])).pixels[3, 0].alpha == 0)
        #expect(try image(ClassicFiles.ico([entry(8, 7, alpha: 0, mask: 0xF0)])).pixels[4, 0].alpha == 255)
        #expect(try image(ClassicFiles.ico([entry(8, 7, alpha: 90, mask: 0xF0)])).pixels[3, 0].alpha == 90)
    }

    @Test("a bitmap of the largest size and palette is refused", arguments: [0x8000_0000, 0x7FFF_FFFF])
    func largestBitmap(height: Int) {
        let header = ClassicFiles.bitmapHeader(0x7FFF_FFFF, height, bits: 32, colors: 0xFFFF_FFFF)
        let error = #expect(throws: ImageError.self) { try image(ClassicFiles.ico([(0, 0, header)])) }
        #expect(error?.code == .tooLarge)
    }

    @Test("a missing image is an error, or ignored if partial images are allowed")
    func missing() throws {
        let file = ClassicFiles.ico([entry(8, 8), entry(16, 16)]).dropLast(1200)
        let error = #expect(throws: ImageError.self) { try image(file) }
        #expect(error?.code == .badData)
        let part = try ICOCoder().decode(file, DecodeOptions(allowsPartial: true))
        #expect(part.metadata.isPartial)
    }
}

#if AVIF
import EaselCodecs
import EaselCore
import Foundation
import TestSupport
import Testing

@Suite("AVIF: decoding")
struct AVIFDecodeTests {
    private let coder = AVIFCoder()

    @Test("12 bits with limited range and subsampled chroma are decoded to 8 bits, premultiplied")
    func deep() throws {
        let image = try coder.decode(AVIFSamples.deep, DecodeOptions())
        #expect(image.metadata.header?.bitDepth == 12)
        #expect(image.metadata.header?.hasAlpha == true)
        // 3000, 1000 and 2000 of 4095; AV1 is slightly lossy.
        let opaque = image.pixels[8, 2]
        #expect(abs(Int(opaque.red) - 187) <= 4)
        #expect(abs(Int(opaque.green) - 62) <= 4)
        #expect(abs(Int(opaque.blue) - 125) <= 4)
        #expect(opaque.alpha >= 253)
        let half = image.pixels[8, 13]
        #expect(abs(Int(half.alpha) - 128) <= 3)
        #expect(abs(Int(half.red) - 94) <= 4)
    }

    /// Each counterclockwise `irot` angle, without mirroring and with each kind of `imir`, with the corners at
    /// which the stored top left and top right corners are displayed.
    static let turns: [(angle: UInt8, mirror: UInt8?, topLeft: String, topRight: String)] = [
        (0, nil, "TL", "TR"), (1, nil, "BL", "TL"), (2, nil, "BR", "BL"), (3, nil, "TR", "BR"),
        (0, 0, "BL", "BR"), (1, 0, "TL", "BL"), (2, 0, "TR", "TL"), (3, 0, "BR", "TR"),
        (0, 1, "TR", "TL"), (1, 1, "BR", "TR"), (2, 1, "BL", "BR"), (3, 1, "TL", "BL"),
    ]

    @Test("the rotation and mirroring of the file are applied, and the header is upright (X163)", arguments: turns)
    func orientation(angle: UInt8, mirror: UInt8?, topLeft: String, topRight: String) throws {
        var file = AVIFSamples.turned
        file[try #require(file.firstRange(of: Data("irot".utf8))).upperBound] = angle
        let mirroring = try #require(file.firstRange(of: Data("imir".utf8)))
        if let mirror {
            file[mirroring.upperBound] = mirror
        } else {
            // A second rotation, which is ignored.
            file.replaceSubrange(mirroring, with: Data("irot".utf8))
        }
        let image = try coder.decode(file, DecodeOptions())
        let header = try #require(image.metadata.header)
        #expect(header.orientation == .up)
        #expect(header.size == (angle % 2 == 1 ? PixelSize(16, 24) : PixelSize(24, 16)))
        #expect(image.size == header.size)
        let last = (x: image.size.width - 1, y: image.size.height - 1)
        let corners = [
            "TL": image.pixels[0, 0], "TR": image.pixels[last.x, 0], "BL": image.pixels[0, last.y],
            "BR": image.pixels[last.x, last.y],
        ]
        #expect(corners[topLeft] == Pixel(blue: 7, green: 0, red: 0, alpha: 255))
        #expect(corners[topRight] == Pixel(blue: 7, green: 0, red: 230, alpha: 255))
    }

    @Test("a file with a HEIF major brand is AVIF by its compatible brands")
    func brands() throws {
        var file = try Files.avif(Images.gradient(8, 8))
        file.replaceSubrange(8..<12, with: Data("mif1".utf8))
        #expect(try CoderRegistry.standard().decoder(for: file).format == .avif)
        #expect(file.withUnsafeBytes(ImageFormat.sniff) == .avif)
        #expect(try coder.decode(file, DecodeOptions()).metadata.header?.format == .avif)
        let other = file.prefix(16) + Data("heicmif1heixmiaf".utf8)
        #expect(other.withUnsafeBytes(ImageFormat.sniff) == .heic)
    }

    @Test("a rotated image is scaled to the upright target size")
    func thumbnail() throws {
        let options = DecodeOptions(targetSize: .pixels(width: 8, height: 100))
        let image = try coder.decode(AVIFSamples.turned, options)
        #expect(image.size == PixelSize(8, 12))
        #expect(image.metadata.isThumbnail)
    }

    @Test("truncated or changed files return an image or an error")
    func damage() throws {
        let still = try Files.avif(Images.translucent(24, 24), quality: 0.5)
        for file in [still, AVIFSamples.animation] {
            DamagedFiles.expectImageOrError(coder, for: DamagedFiles.cut(file) + DamagedFiles.changed(file))
        }
    }

    @Test("an image of exactly the pixel limit is decoded, and one pixel more is refused")
    func limit() throws {
        let file = try Files.avif(Images.gradient(16, 16))
        #expect(throws: ImageError.tooLarge(.pixels(PixelSize(16, 16), limit: 255))) {
            try coder.decode(file, DecodeOptions(limits: ImageLimits(pixels: 255)))
        }
        #expect(try coder.decode(file, DecodeOptions(limits: ImageLimits(pixels: 256))).size == PixelSize(16, 16))
    }
}
#endif

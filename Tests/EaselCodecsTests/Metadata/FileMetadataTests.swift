import EaselCodecs
import EaselCore
import Foundation
import Testing

@Suite("Metadata of files")
struct FileMetadataTests {
    struct Sample: CustomTestStringConvertible {
        var encoder: any ImageEncoding
        var reader: any MetadataReading
        var testDescription: String { encoder.format.name }
    }

    static let samples = [
        Sample(encoder: JPEGCoder(), reader: JPEGCoder()), Sample(encoder: PNGCoder(), reader: PNGCoder()),
        Sample(encoder: WebPCoder(), reader: WebPCoder()),
    ]

    private let image: DecodedImage
    private let metadata = FileMetadata(
        exif: Data(Files.exif(orientation: 6)), xmp: Data("<x:xmpmeta xmlns:x='adobe:ns:meta/'/>".utf8))

    init() throws {
        image = DecodedImage(pixels: try Images.gradient(12, 7), metadata: ImageMetadata())
    }

    @Test("no metadata is written by default", arguments: samples)
    func dropped(_ sample: Sample) throws {
        #expect(try sample.reader.metadata(of: sample.encoder.encode(image, EncodeOptions())).isEmpty)
    }

    @Test("written metadata can be read, and the image is unchanged and upright", arguments: samples)
    func keepsMetadata(_ sample: Sample) throws {
        let file = try sample.encoder.encode(image, EncodeOptions(metadata: metadata))
        let read = try sample.reader.metadata(of: file)
        #expect(read.xmp == metadata.xmp)
        #expect(read.exif == Data(Files.exif(orientation: 1)))
        let decoded = try sample.reader.decode(file, DecodeOptions())
        #expect(decoded.size == image.size)
        let plain = try sample.encoder.encode(image, EncodeOptions())
        #expect(try decoded.pixels.hasSamePixels(as: sample.reader.decode(plain, DecodeOptions()).pixels))
    }

    @Test("XMP or EXIF can be kept without the other", arguments: samples)
    func single(_ sample: Sample) throws {
        for part in [FileMetadata(xmp: metadata.xmp), FileMetadata(exif: Data(Files.exif(orientation: 1)))] {
            let file = try sample.encoder.encode(image, EncodeOptions(metadata: part))
            #expect(try sample.reader.metadata(of: file) == part)
        }
    }

    @Test("metadata counts toward the byte limit", arguments: samples)
    func bytes(_ sample: Sample) throws {
        let large = FileMetadata(xmp: Data(repeating: 0x20, count: 3_000))
        let error = #expect(throws: ImageError.self) {
            try sample.encoder.encode(image, EncodeOptions(maximumByteCount: 3_000, metadata: large))
        }
        #expect(error?.code == .tooLarge)
    }

    @Test("metadata over the size of a JPEG segment is refused")
    func segment() throws {
        let most = FileMetadata(xmp: Data(repeating: 0x20, count: 65_504))
        #expect(try JPEGCoder().metadata(of: JPEGCoder().encode(image, EncodeOptions(metadata: most))) == most)
        let error = #expect(throws: ImageError.self) {
            try JPEGCoder().encode(
                image, EncodeOptions(metadata: FileMetadata(xmp: Data(repeating: 0x20, count: 65_505))))
        }
        #expect(error?.code == .unsupported)
    }

    @Test("invalid EXIF is kept unchanged", arguments: samples)
    func noEXIF(_ sample: Sample) throws {
        let part = FileMetadata(exif: Data("what is this?".utf8))
        let file = try sample.encoder.encode(image, EncodeOptions(metadata: part))
        #expect(try sample.reader.metadata(of: file) == part)
    }

    @Test("a truncated file returns complete metadata or an error", arguments: samples)
    func truncation(_ sample: Sample) throws {
        let file = try sample.encoder.encode(image, EncodeOptions(metadata: metadata))
        for count in 0..<file.count {
            guard let read = try? sample.reader.metadata(of: file.prefix(count)) else { continue }
            #expect(read.exif == nil || read.exif == Data(Files.exif(orientation: 1)))
            #expect(read.xmp == nil || read.xmp == metadata.xmp)
        }
    }
}

#if Server
import EaselCore
import EaselFoundation
import EaselServerURLs
import EaselTesting
import Testing

@Suite("Server URLs: descriptions")
struct InfoTests {
    private func options(_ text: String) throws -> InfoOptions {
        try ImageURL(rawPath: "/info/unsafe/\(text)/\(Paths.base64)", rules: Paths.unsigned).info
    }

    private let header = ImageHeader(
        format: .jpeg, storedSize: PixelSize(40, 30), orientation: .right, frameCount: 2, profileName: "sRGB")

    private func json(_ text: String, pixels: PixelBuffer? = nil, exif: [UInt8]? = nil) throws -> String {
        let info = try ImageInfo(
            options(text), header: header, byteCount: 1_234, metadata: FileMetadata(exif: exif.map { Data($0) }),
            pixels: pixels)
        return String(decoding: info.json, as: UTF8.self)
    }

    @Test("by default the size, the format and the dimensions are described")
    func standard() throws {
        #expect(
            try json("cb:1") == """
                {"alpha":false,"bit_depth":8,"format":"jpeg","frames":2,"height":40,"mime_type":"image/jpeg",\
                "orientation":6,"profile":"sRGB","size":1234,"width":30}
                """)
        #expect(try json("s:0/f:0/d:0/exif:0") == "{}")
    }

    @Test("pixels are needed only for colors and hashes")
    func needs() throws {
        #expect(try !options("size:1/exif:1").needsPixels)
        for text in ["p:8", "avg:1", "dc:1", "bh:4:3", "thumbhash:1"] { #expect(try options(text).needsPixels) }
    }

    @Test("colors and hashes of an image")
    func colors() throws {
        let pixels = try PixelBuffer(size: PixelSize(32, 24), isOpaque: true) { bytes, bytesPerRow in
            for y in 0..<24 {
                for x in 0..<32 {
                    let color: [UInt8] = x < 24 ? [0x20, 0x30, 0xE0, 0xFF] : [0xFF, 0xFF, 0xFF, 0xFF]
                    for index in 0..<4 { bytes[y * bytesPerRow + x * 4 + index] = color[index] }
                }
            }
        }
        let text = try json("s:0/f:0/d:0/p:4/avg:1/dc:1/bh:4:3/thumbhash:1", pixels: pixels)
        #expect(text.contains(#""palette":[{"A":255,"B":32,"G":48,"R":224},{"A":255,"B":255,"G":255,"R":255}]"#))
        #expect(text.contains(#""average":{"A":255,"B":88,"G":100,"R":232}"#))
        #expect(text.contains(#""vibrant":{"B":32,"G":48,"R":224}"#))
        #expect(text.contains(#""blurhash":"L"#))
        #expect(text.contains(#""thumbhash":""#))
    }

    @Test("EXIF is described by the names of its standard")
    func exif() throws {
        let block = SampleEXIF.block(artist: "Ann", copyright: "(c) Bob & Sons")
        let text = try json("s:0/f:0/d:0", exif: block)
        #expect(
            text == #"{"exif":{"Artist":"Ann","Copyright":"(c) Bob & Sons","ExposureTime":"1/250","Make":"Easel"}}"#)
    }

    @Test("damaged EXIF gives no values and no crash")
    func damagedEXIF() throws {
        let block = SampleEXIF.block(artist: "Ann", copyright: "(c) Bob & Sons")
        for length in 0..<block.count { _ = try json("s:0", exif: Array(block.prefix(length))) }
        for index in block.indices {
            var changed = block
            changed[index] = 0xFF
            _ = try json("s:0", exif: changed)
        }
    }

    @Test(
        "invalid and unsupported options are refused",
        arguments: ["bh:10:1", "bh:1:0", "p:1", "p:257", "dc:1:1", "iptc:1", "nonsense:1", "w:10", "c:1:1"])
    func invalid(_ text: String) {
        let error = #expect(throws: ImageURLError.self) { try options(text) }
        #expect(error?.status == 422)
    }
}

@Suite("Server URLs: metadata")
struct MetadataTests {
    private func kept(_ options: String, _ metadata: FileMetadata) throws -> FileMetadata? {
        try Paths.options(options).metadata(of: metadata)
    }

    private let metadata = FileMetadata(
        exif: Data(SampleEXIF.block(artist: "Ann", copyright: "(c) Bob & Sons")), xmp: Data("<x/>".utf8))

    @Test("by default only the artist and the copyright are kept")
    func copyright() throws {
        let kept = try #require(try kept("w:1", metadata))
        #expect(kept.xmp == nil)
        let info = try ImageInfo(
            InfoOptions(), header: ImageHeader(format: .jpeg, storedSize: PixelSize(1, 1)), byteCount: 0,
            metadata: kept)
        let text = String(decoding: info.json, as: UTF8.self)
        #expect(text.contains(#""exif":{"Artist":"Ann","Copyright":"(c) Bob & Sons"}"#))
    }

    @Test("all of it or nothing is kept on request")
    func others() throws {
        #expect(try kept("sm:0", metadata) == metadata)
        #expect(try kept("kcr:0", metadata) == nil)
        #expect(try kept("w:1", FileMetadata()) == nil)
        #expect(try kept("w:1", FileMetadata(exif: Data([1, 2, 3]))) == nil)
    }
}
#endif

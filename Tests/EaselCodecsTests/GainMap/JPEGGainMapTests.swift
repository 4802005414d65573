@testable import EaselCodecs
import EaselCore
import EaselTesting
import Foundation
import TestSupport
import Testing

@Suite("Gain maps: JPEG")
struct JPEGGainMapTests {
    private let coder = JPEGCoder()
    private static let deep = DecodeOptions(depth: .sixteen)
    private static let parameters = GainMap.Parameters(maximum: SIMD3(repeating: 2), alternateHeadroom: 2)

    /// Returns 64 x 48 pixels in squares of 16, of different colors.
    private static func base() throws -> PixelBuffer {
        try .drawn(64, 48, isOpaque: true) { x, y in
            let (x, y) = (UInt8(x / 16), UInt8(y / 16))
            return Pixel(blue: 255 - x * 60, green: y * 127, red: x * 85, alpha: 255)
        }
    }

    /// Returns gray of 64 x 48 pixels that is constant in squares of 16.
    private static func map() throws -> PixelBuffer {
        try .drawn(64, 48, isOpaque: true) { x, y in
            let gray = UInt8((x / 16 * 70 + y / 16 * 20) & 0xFF)
            return Pixel(blue: gray, green: gray, red: gray, alpha: 255)
        }
    }

    private static func container(_ length: Int, video: Int) -> [UInt8] {
        GainMapJPEG.xmp(
            """
            hdrgm:Version="1.0"><Container:Directory><rdf:Seq>\
            <rdf:li><Container:Item Item:Semantic="Primary" Item:Mime="image/jpeg"/></rdf:li>\
            <rdf:li><Container:Item Item:Semantic="GainMap" Item:Mime="image/jpeg" Item:Length="\(length)"/></rdf:li>\
            <rdf:li><Container:Item Item:Semantic="MotionPhoto" Item:Length="\(video)"/></rdf:li>\
            </rdf:Seq></Container:Directory></rdf:Description>
            """)
    }

    @Test("the map is applied with the XMP of the Ultra HDR format")
    func ultraHDR() throws {
        let file = try GainMapJPEG(mapSegments: [GainMapJPEG.ultraHDR]).file(Self.base(), Self.map())
        let image = try coder.decode(file, Self.deep)
        #expect(image.gainMap?.parameters == Self.parameters)
        #expect(image.gainMap?.pixels.size == PixelSize(64, 48))
        let difference = try #require(image.largestDifference(from: GainMapFormula(parameters: Self.parameters)))
        #expect(difference < 40)
        #expect(image.deepPixels?.isOpaque == true)
    }

    @Test("binary metadata takes precedence, and its channels are applied separately")
    func binary() throws {
        let metadata = GainMapBinary(
            channels: [[0, 2000, 1000, 0, 0], [-1000, 1000, 2000, 100, 10], [500, 500, 1000, 0, 0]])
        let segments = [GainMapJPEG.ultraHDR, GainMapJPEG.iso(metadata.bytes)]
        let file = try GainMapJPEG(mapSegments: segments).file(Self.base(), Self.map())
        let image = try coder.decode(file, Self.deep)
        let parameters = try #require(image.gainMap?.parameters)
        #expect(parameters.maximum == SIMD3(2, 1, 0.5))
        let difference = try #require(image.largestDifference(from: GainMapFormula(parameters: parameters)))
        #expect(difference < 40)
    }

    @Test("the map is found by the directory of a container, also before other files")
    func container() throws {
        let map = try Files.jpeg(Self.map(), quality: 1)
        let trailer = [UInt8](repeating: 7, count: 100)
        let length = map.count + GainMapJPEG.ultraHDR.count
        let file = try GainMapJPEG(
            hasIndex: false, baseSegments: [Self.container(length, video: 100)], mapSegments: [GainMapJPEG.ultraHDR],
            trailer: trailer
        ).file(Files.jpeg(Self.base(), quality: 1), map)
        #expect(try coder.decode(file, Self.deep).gainMap?.parameters == Self.parameters)
    }

    @Test("Apple's linear maps are applied, with the headroom of their XMP or of the maker note")
    func apple() throws {
        let type =
            "HDRGainMap:HDRGainMapVersion=\"65536\" apdi:AuxiliaryImageType="
            + "\"urn:com:apple:photo:2020:aux:hdrgainmap\""
        let exif = GainMapJPEG.segment(0xE1, "Exif\0\0", AppleNote.exif(brightness: 1000, gain: 0))
        let files = try [
            GainMapJPEG(baseSegments: [exif], mapSegments: [GainMapJPEG.xmp(type + "/>")]),
            GainMapJPEG(mapSegments: [GainMapJPEG.xmp(type + " HDRGainMap:HDRGainMapHeadroom=\"8\"/>")]),
        ].map { try $0.file(Self.base(), Self.map()) }
        let linear = try coder.decode(Files.jpeg(Self.map(), quality: 1), DecodeOptions())
        for file in files {
            let image = try coder.decode(file, Self.deep)
            #expect(image.metadata.header?.gainMapHeadroom == 8)
            let deep = try #require(image.deepPixels)
            for (x, y) in [(8, 8), (24, 8), (40, 24), (56, 40)] {
                // hdr = base * (1 + (headroom - 1) * gain)
                let factor = 1 + 7 * GainMapFormula.light(Double(linear.pixels[x, y].red) / 255)
                let base = image.pixels[x, y]
                let light = [base.red, base.green, base.blue].map { GainMapFormula.light(Double($0) / 255) * factor }
                let expected = GainMapFormula.words(light: light)
                // The gain has 8 bits, also in its logarithmic form: half a step is 0.4 % of light.
                let words = [deep[x, y].red, deep[x, y].green, deep[x, y].blue]
                for (word, other) in zip(words, expected) { #expect(abs(Double(word) - other) < 60) }
            }
        }
    }

    @Test("without a request, the image is that of the base file, and the header has the headroom")
    func unrequested() throws {
        let file = try GainMapJPEG(mapSegments: [GainMapJPEG.ultraHDR]).file(Self.base(), Self.map())
        let plain = try coder.decode(Files.jpeg(Self.base(), quality: 1), DecodeOptions())
        let image = try coder.decode(file, DecodeOptions())
        #expect(image.pixels.hasSamePixels(as: plain.pixels))
        #expect(image.gainMap == nil && image.deepPixels == nil)
        #expect(try coder.header(of: file).gainMapHeadroom == 4)
        #expect(image.metadata.header?.gainMapHeadroom == 4)
        #expect(plain.metadata.header?.gainMapHeadroom == nil)
        let deep = try coder.decode(file, Self.deep)
        #expect(deep.pixels.hasSamePixels(as: plain.pixels))
    }

    @Test(
        "a headroom applies the map in part, also without 16 bits", arguments: [(1.0, 0.0), (2, 0.5), (4, 1), (9, 1)])
    func headroom(headroom: Double, weight: Double) throws {
        let file = try GainMapJPEG(mapSegments: [GainMapJPEG.ultraHDR]).file(Self.base(), Self.map())
        let image = try coder.decode(file, .headroom(headroom))
        let formula = GainMapFormula(parameters: Self.parameters, weight: weight)
        #expect(try #require(image.largestDifference(from: formula)) < 40)
        // A file without a map does not depend on it.
        let plain = try coder.decode(Files.jpeg(Self.base()), .headroom(headroom))
        #expect(plain.deepPixels == nil)
    }

    @Test("a small map is interpolated between the centers of its pixels")
    func interpolation() throws {
        let white = try PixelBuffer.drawn(64, 16, isOpaque: true) { _, _ in
            Pixel(blue: 255, green: 255, red: 255, alpha: 255)
        }
        let ramp = try PixelBuffer.drawn(16, 8, isOpaque: true) { x, _ in
            let gray: UInt8 = x < 8 ? 0 : 255
            return Pixel(blue: gray, green: gray, red: gray, alpha: 255)
        }
        let file = try GainMapJPEG(mapSegments: [GainMapJPEG.ultraHDR]).file(white, ramp)
        let deep = try #require(try coder.decode(file, Self.deep).deepPixels)
        let formula = GainMapFormula(parameters: Self.parameters)
        // The step is between the centers of pixels 7 and 8, which are at 30 and 34.
        for (x, gain) in [(0, 0.0), (29, 0), (30, 0.125), (31, 0.375), (32, 0.625), (33, 0.875), (34, 1), (63, 1)] {
            let expected = formula.words(base: [1, 1, 1], gain: [gain, gain, gain])[0]
            #expect(abs(Double(deep[x, 8].red) - expected) < 100, "\(x)")
        }
    }

    @Test("the base image and the map are turned upright together")
    func orientation() throws {
        let exif = GainMapJPEG.segment(0xE1, "Exif\0\0", Files.exif(orientation: 6))
        let file = try GainMapJPEG(baseSegments: [exif], mapSegments: [GainMapJPEG.ultraHDR])
            .file(Self.base(), Self.map())
        let image = try coder.decode(file, Self.deep)
        #expect(image.size == PixelSize(48, 64) && image.gainMap?.pixels.size == image.size)
        #expect(try #require(image.largestDifference(from: GainMapFormula(parameters: Self.parameters))) < 40)
    }

    @Test("a smaller image has the map applied, and keeps the whole map")
    func thumbnail() throws {
        let file = try GainMapJPEG(mapSegments: [GainMapJPEG.ultraHDR]).file(Self.base(), Self.map())
        let options = DecodeOptions(targetSize: .pixels(width: 4, height: 4), depth: .sixteen)
        let image = try coder.decode(file, options)
        #expect(image.size == PixelSize(4, 3) && image.deepPixels?.size == image.size)
        #expect(image.gainMap?.pixels.size == PixelSize(64, 48))
    }

    @Test("wide colors of the base image are kept")
    func wide() throws {
        var base = DecodedImage(pixels: try Self.base(), metadata: ImageMetadata(colorSpace: .displayP3))
        base.metadata.colorSpace = .displayP3
        let file = try GainMapJPEG(mapSegments: [GainMapJPEG.ultraHDR]).file(
            coder.encode(base, EncodeOptions(quality: 1)), Files.jpeg(Self.map(), quality: 1))
        let image = try coder.decode(file, DecodeOptions(colorSpace: .displayP3, depth: .sixteen))
        let formula = GainMapFormula(parameters: Self.parameters, matrix: GainMapFormula.displayP3)
        #expect(try #require(image.largestDifference(from: formula)) < 60)
    }

    @Test("gains apply to the primaries of the HDR image if the metadata specifies it")
    func alternateColors() throws {
        let metadata = GainMapBinary(
            flags: 0, channels: [[0, 2000, 1000, 0, 0], [0, 0, 1000, 0, 0], [0, 0, 1000, 0, 0]])
        var map = DecodedImage(pixels: try Self.map(), metadata: ImageMetadata(colorSpace: .displayP3))
        map.metadata.colorSpace = .displayP3
        let file = try GainMapJPEG(mapSegments: [GainMapJPEG.iso(metadata.bytes)]).file(
            Files.jpeg(Self.base(), quality: 1), coder.encode(map, EncodeOptions(quality: 1)))
        let image = try coder.decode(file, Self.deep)
        let (deep, gainMap) = try (#require(image.deepPixels), #require(image.gainMap))
        // sRGB to Display P3 (SMPTE EG 432-1).
        let toP3 = [
            [0.822461969, 0.177538031, 0], [0.033194199, 0.966805801, 0], [0.017082631, 0.072397440, 0.910519929],
        ]
        for (x, y) in [(8, 8), (24, 24), (40, 40), (56, 8)] {
            let base = image.pixels[x, y]
            let light = [base.red, base.green, base.blue].map { GainMapFormula.light(Double($0) / 255) }
            var wide = GainMapFormula.multiply(toP3, light)
            wide[0] *= pow(2, 2 * Double(gainMap.pixels[x, y].red) / 255)
            let expected = GainMapFormula.words(light: wide, GainMapFormula.displayP3)
            let words = [deep[x, y].red, deep[x, y].green, deep[x, y].blue]
            for (word, other) in zip(words, expected) { #expect(abs(Double(word) - other) < 60) }
        }
    }

    @Test("the pixels of the map count against the limit, and a map larger than its base image is ignored")
    func limits() throws {
        let file = try GainMapJPEG(mapSegments: [GainMapJPEG.ultraHDR]).file(Self.base(), Self.map())
        func hasMap(_ file: Data, pixels: Int) throws -> Bool {
            let options = DecodeOptions(depth: .sixteen, limits: ImageLimits(pixels: pixels))
            return try coder.decode(file, options).gainMap != nil
        }
        #expect(try hasMap(file, pixels: 2 * 64 * 48))
        #expect(try !hasMap(file, pixels: 2 * 64 * 48 - 1))
        let large = try GainMapJPEG(mapSegments: [GainMapJPEG.ultraHDR]).file(Self.base(), Images.black(65, 48))
        #expect(try !hasMap(large, pixels: 1_000_000))
    }

    @Test(
        "the map of a real file is found by a little-endian index; it is larger than its image, and so not applied",
        .enabled(if: realFile != nil))
    func real() throws {
        let data = try Data(contentsOf: #require(Self.realFile))
        let map = JPEGGainMap(in: data.span, try JPEGMetadata(data.span))
        let parameters = GainMap.Parameters(
            maximum: SIMD3(3.5, 3.6, 3.7), baseOffset: .zero, alternateOffset: .zero, alternateHeadroom: 3.5)
        #expect(map?.parameters == parameters)
        #expect(map?.range == 33_487..<47_579)
        let image = try coder.decode(data, Self.deep)
        #expect(image.gainMap == nil && image.size == PixelSize(403, 302))
    }

    private static let realFile = Corpora.folder
        .map { $0.appending(path: "jpeg/libavif-paris_exif_xmp_gainmap_littleendian.jpg") }
        .flatMap { FileManager.default.fileExists(atPath: $0.path) ? $0 : nil }

    @Test("a damaged map, and an index or directory that leads elsewhere, give the base image")
    func damaged() throws {
        let (base, map) = try (Files.jpeg(Self.base(), quality: 1), Files.jpeg(Self.map(), quality: 1))
        let complete = GainMapJPEG(mapSegments: [GainMapJPEG.ultraHDR])
        var files = [complete.file(base, map).dropLast(40), complete.file(base, map.prefix(200))]
        files += [0, 1, 50, 1 << 20, 0x7FFF_FFFF, 0xFFFF_FFFF].map { offset in
            var moved = complete
            moved.offset = offset
            return moved.file(base, map)
        }
        files += [0, -1, 5, 1 << 20, Int.max].map { length in
            GainMapJPEG(hasIndex: false, baseSegments: [Self.container(length, video: 0)]).file(base, map)
        }
        // A map in a map is not read.
        let nested = GainMapJPEG().file(base, complete.file(base, map))
        for file in files + [nested] {
            let image = try coder.decode(file, Self.deep)
            #expect(image.gainMap == nil && image.deepPixels == nil)
        }
    }

    @Test("files with changed bytes give an image or an error")
    func changed() throws {
        let exif = GainMapJPEG.segment(0xE1, "Exif\0\0", AppleNote.exif(brightness: 1000, gain: 0))
        let metadata = GainMapBinary(channels: Array(repeating: [0, 2000, 1000, 16, 16], count: 3))
        let small = try (Files.jpeg(Images.gradient(16, 16)), Files.jpeg(Images.gradient(8, 8)))
        let files = [
            GainMapJPEG(mapSegments: [GainMapJPEG.ultraHDR]).file(small.0, small.1),
            GainMapJPEG(baseSegments: [exif], mapSegments: [GainMapJPEG.iso(metadata.bytes)]).file(small.0, small.1),
        ]
        let options = DecodeOptions(depth: .sixteen, limits: ImageLimits(pixels: 200_000), allowsPartial: true)
        for file in files.flatMap({ DamagedFiles.changed($0, count: 400) + DamagedFiles.cut($0) }) {
            _ = try? coder.header(of: file)
            guard let image = try? coder.decode(file, options) else { continue }
            #expect(image.deepPixels.map { $0.size == image.size } ?? true)
        }
    }
}

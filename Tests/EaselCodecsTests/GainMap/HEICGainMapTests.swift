#if HEIF
import EaselCodecs
import EaselCore
import Foundation
import TestSupport
import Testing

@Suite("Gain maps: HEIC")
struct HEICGainMapTests {
    private let coder = HEICCoder()
    private static let deep = DecodeOptions(depth: .sixteen)

    /// Returns a file of 64 x 64 pixels, and a map of the same size, whose right half has a gain of 64 of 255.
    private static func file(
        type: String = "urn:com:apple:photo:2020:aux:hdrgainmap", exif: [UInt8]? = nil, xmp: String? = nil
    ) throws -> Data {
        // The tiles of this file are its colors and its alpha.
        let sample = HEIFSamples.alpha
        let configurations = try HEIFBoxes.all("hvcC", in: sample)
        func item(_ range: Range<Int>, _ configuration: Data, _ properties: [[UInt8]]) -> AVIFItems.Item {
            AVIFItems.Item(
                kind: "hvc1", data: Array(sample[range]),
                properties: [Array(configuration), AVIFItems.size(64, 64)]
                    + properties)
        }
        let color = try item(800..<1338, #require(configurations.first), [])
        let auxiliary = AVIFItems.fullBox("auxC", Array(type.utf8) + [0])
        let map = try item(1338..<1506, #require(configurations.last), [auxiliary])
        var items = AVIFItems(items: [color, map], references: [("auxl", 2, [1])])
        items.brands = ["heic", "mif1"]
        items.majorBrand = "heic"
        if let exif {
            items.items.append(
                AVIFItems.Item(kind: "Exif", data: [0, 0, 0, 6] + Array("Exif\0\0".utf8) + exif, properties: []))
            items.references.append(("cdsc", items.items.count, [1]))
        }
        if let xmp {
            items.items.append(AVIFItems.Item(kind: "mime", data: Array(xmp.utf8), properties: []))
            items.references.append(("cdsc", items.items.count, [2]))
        }
        return items.file
    }

    private func expectHDR(_ image: DecodedImage, headroom: Double) throws {
        #expect(image.size == PixelSize(64, 64) && image.gainMap?.pixels.size == image.size)
        let deep = try #require(image.deepPixels)
        #expect(deep.colors == .perceptualQuantizer && deep.size == image.size)
        for (x, y, gain) in [(8, 20, 1.0), (24, 40, 1), (40, 8, 64.0 / 255), (56, 30, 64.0 / 255)] {
            let factor = 1 + (headroom - 1) * GainMapFormula.light(gain)
            let base = image.pixels[x, y]
            let light = [base.red, base.green, base.blue].map { GainMapFormula.light(Double($0) / 255) * factor }
            let expected = GainMapFormula.words(light: light)
            let word = deep[x, y]
            // The map is compressed, and may differ by a few steps.
            for (value, other) in zip([word.red, word.green, word.blue], expected) {
                #expect(abs(Double(value) - other) < 400, "\(x), \(y)")
            }
        }
    }

    @Test("Apple's map is applied with the headroom of the maker note")
    func makerNote() throws {
        let file = try Self.file(exif: AppleNote.exif(brightness: 1000, gain: 0))
        #expect(try coder.header(of: file).gainMapHeadroom == 8)
        try expectHDR(coder.decode(file, Self.deep), headroom: 8)
    }

    @Test("the headroom of the map's XMP takes precedence")
    func xmp() throws {
        let file = try Self.file(
            exif: AppleNote.exif(brightness: 1000, gain: 0), xmp: "<a HDRGainMap:HDRGainMapHeadroom=\"4\"/>")
        #expect(try coder.header(of: file).gainMapHeadroom == 4)
        try expectHDR(coder.decode(file, Self.deep), headroom: 4)
    }

    @Test("without a request, the map is not applied")
    func unrequested() throws {
        let file = try Self.file(exif: AppleNote.exif(brightness: 1000, gain: 0))
        let image = try coder.decode(file, DecodeOptions())
        #expect(image.gainMap == nil && image.deepPixels == nil)
        #expect(try coder.decode(file, Self.deep).pixels.hasSamePixels(as: image.pixels))
    }

    @Test("a map of unknown headroom or of another type is ignored")
    func ignored() throws {
        let files = try [
            Self.file(), Self.file(exif: Files.exif(orientation: 1)), Self.file(xmp: "HDRGainMapHeadroom"),
            Self.file(xmp: "<a HDRGainMap:HDRGainMapHeadroom=\"nan\"/>"),
            Self.file(type: "urn:other", exif: AppleNote.exif(brightness: 1000, gain: 0)),
        ]
        for file in files {
            let image = try coder.decode(file, Self.deep)
            #expect(image.gainMap == nil && image.metadata.header?.gainMapHeadroom == nil)
        }
    }

    @Test("the pixels of the map count against the limit")
    func limit() throws {
        let file = try Self.file(exif: AppleNote.exif(brightness: 1000, gain: 0))
        for (pixels, hasMap) in [(2 * 64 * 64, true), (2 * 64 * 64 - 1, false)] {
            let image = try coder.decode(file, DecodeOptions(depth: .sixteen, limits: ImageLimits(pixels: pixels)))
            #expect((image.gainMap != nil) == hasMap)
        }
    }

    @Test("files with changed bytes give an image or an error")
    func changed() throws {
        let file = try Self.file(
            exif: AppleNote.exif(brightness: 1000, gain: 0), xmp: "<a HDRGainMap:HDRGainMapHeadroom=\"4\"/>")
        let options = DecodeOptions(depth: .sixteen, limits: ImageLimits(pixels: 200_000))
        for file in DamagedFiles.changed(file, count: 300) + DamagedFiles.cut(file) {
            guard let image = try? coder.decode(file, options) else { continue }
            #expect(image.deepPixels.map { $0.size == image.size } ?? true)
        }
    }
}

/// The boxes of a HEIF.
private enum HEIFBoxes {
    /// Returns all boxes of a type, with their headers, wherever their names are.
    static func all(_ type: String, in file: Data) throws -> [Data] {
        var boxes: [Data] = []
        var rest = file[...]
        while let name = rest.firstRange(of: Data(type.utf8)) {
            let start = name.lowerBound - 4
            let size = file[start..<name.lowerBound].reduce(0) { $0 << 8 | Int($1) }
            boxes.append(Data(file[start..<(start + size)]))
            rest = file[(start + size)...]
        }
        return boxes
    }
}
#endif

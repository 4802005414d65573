import EaselCodecs
import EaselCore
import Foundation

/// A JPEG with a gain map, built from parts.
struct GainMapJPEG {
    /// Whether the file has the index of a multi-picture file.
    var hasIndex = true
    /// The APP1 and APP2 segments of the base image before the index, with their names.
    var baseSegments: [[UInt8]] = []
    /// The APP1 and APP2 segments of the map, with their names.
    var mapSegments: [[UInt8]] = []
    /// The offset of the map in the index; by default the true one.
    var offset: Int?
    /// Bytes after the map.
    var trailer: [UInt8] = []

    static func segment(_ marker: UInt8, _ name: String, _ content: [UInt8]) -> [UInt8] {
        let count = name.utf8.count + content.count + 2
        return [0xFF, marker, UInt8(count >> 8), UInt8(count & 0xFF)] + Array(name.utf8) + content
    }

    static func xmp(_ properties: String) -> [UInt8] {
        let packet =
            "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF><rdf:Description \(properties)</rdf:RDF></x:xmpmeta>"
        return segment(0xE1, "http://ns.adobe.com/xap/1.0/\0", Array(packet.utf8))
    }

    static func iso(_ content: [UInt8]) -> [UInt8] { segment(0xE2, "urn:iso:std:iso:ts:21496:-1\0", content) }

    /// The XMP of a map with a maximum of two stops.
    static let ultraHDR = xmp("hdrgm:Version=\"1.0\" hdrgm:GainMapMax=\"2\" hdrgm:HDRCapacityMax=\"2\"/>")

    func file(_ base: PixelBuffer, _ map: PixelBuffer) throws -> Data {
        try file(Files.jpeg(base, quality: 1), Files.jpeg(map, quality: 1))
    }

    func file(_ base: Data, _ map: Data) -> Data {
        let mapFile = map.prefix(2) + Data(mapSegments.flatMap(\.self)) + map.dropFirst(2)
        var segments = baseSegments.flatMap(\.self)
        if hasIndex {
            // Offsets count from the byte order, after the marker, the length and the name.
            let start = 2 + segments.count + 8
            let count = base.count + segments.count + index(size: 0, offset: 0).count
            segments += index(size: mapFile.count, offset: offset ?? (count - start))
        }
        return base.prefix(2) + Data(segments) + base.dropFirst(2) + mapFile + Data(trailer)
    }

    private func index(size: Int, offset: Int) -> [UInt8] {
        func number(_ value: Int) -> [UInt8] { Files.bigEndian(value) }
        let directory =
            [0, 3] + [0xB0, 0, 0, 7] + number(4) + Array("0100".utf8) + [0xB0, 1, 0, 4] + number(1) + number(2)
            + [0xB0, 2, 0, 7] + number(32) + number(50) + number(0)
        let pictures =
            number(0x03_0000) + number(0) + number(0) + number(0) + number(0) + number(size)
            + number(offset) + number(0)
        return Self.segment(0xE2, "MPF\0", Array("MM".utf8) + [0, 42] + number(8) + directory + pictures)
    }
}

extension DecodeOptions {
    /// Returns options for a display of this headroom.
    static func headroom(_ headroom: Double) -> DecodeOptions {
        var options = DecodeOptions()
        options.hdrHeadroom = headroom
        return options
    }
}

/// Binary metadata of a gain map (ISO 21496-1), in fractions of 1,000.
struct GainMapBinary {
    var version = 0
    var flags: UInt8 = 0x40
    /// The headrooms of the base and the alternate image.
    var headrooms = [0, 2000]
    /// Minimum, maximum, gamma, base offset and alternate offset of each channel.
    var channels = [[0, 2000, 1000, 16, 16]]
    var denominator = 1000
    var hasCommonDenominator = false

    var bytes: [UInt8] {
        func short(_ value: Int) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 0xFF)] }
        let flags = flags | (channels.count == 3 ? 0x80 : 0) | (hasCommonDenominator ? 0x08 : 0)
        let numbers = (headrooms + channels.flatMap(\.self)).flatMap {
            Files.bigEndian($0) + (hasCommonDenominator ? [] : Files.bigEndian(denominator))
        }
        return short(version) + short(0) + [flags] + (hasCommonDenominator ? Files.bigEndian(denominator) : [])
            + numbers
    }
}

/// EXIF with a maker note of Apple's, which has the tags 33 and 48.
enum AppleNote {
    static func exif(brightness: Int, gain: Int) -> [UInt8] {
        func number(_ value: Int) -> [UInt8] { Files.bigEndian(value) }
        let start = 14 + 2 + 24 + 4
        let note =
            Array("Apple iOS\0\0".utf8) + [1] + Array("MM".utf8) + [0, 2]
            + [0, 33, 0, 10] + number(1) + number(start) + [0, 48, 0, 10] + number(1) + number(start + 8) + number(0)
            + number(brightness) + number(1000) + number(gain) + number(1000)
        return Array("MM".utf8) + [0, 42] + number(8)
            + [0, 1, 0x87, 0x69, 0, 4] + number(1) + number(26) + number(0)
            + [0, 1, 0x92, 0x7C, 0, 7] + number(note.count) + number(44) + number(0) + note
    }
}

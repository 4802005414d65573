import EaselCodecs
import EaselCore
import Foundation
import Testing

/// What comes out of a file whose codes are decoded in libjpeg's place is what libjpeg alone makes of it, to the byte.
@Suite("JPEG: decoding in libjpeg's place")
struct JPEGTakeoverTests {
    /// Large enough to be worth it, and no multiple of a unit of 16.
    private func file(quality: Double, isProgressive: Bool) throws -> Data {
        let (noise, smooth) = (try Pictures.noise(281, 250, seed: 6), try Pictures.gradient(281, 250))
        // Noise in the middle, and around it blocks that end at once.
        let pixels = try PixelBuffer(size: noise.size, isOpaque: true) { bytes, bytesPerRow in
            for y in 0..<noise.height {
                for x in 0..<noise.width {
                    let isNoise = (40..<100).contains(x) && (30..<120).contains(y)
                    let pixel = isNoise ? noise[x, y] : smooth[x, y]
                    let place = y * bytesPerRow + x * 4
                    (bytes[place], bytes[place + 1]) = (pixel.blue, pixel.green)
                    (bytes[place + 2], bytes[place + 3]) = (pixel.red, 255)
                }
            }
        }
        return try JPEGCoder().encode(
            DecodedImage(pixels: pixels, metadata: ImageMetadata()),
            EncodeOptions(quality: quality, isProgressive: isProgressive))
    }

    @Test("whole files, at all scales", arguments: [false, true], [0.3, 0.8, 1])
    func whole(isProgressive: Bool, quality: Double) throws {
        let file = try file(quality: quality, isProgressive: isProgressive)
        for denominator: Int32 in [1, 2, 4, 8] {
            let (alone, _) = JPEGTakeover.decode(file, isAlone: true, denominator: denominator)
            let (ours, hasTakenOver) = JPEGTakeover.decode(file, isAlone: false, denominator: denominator)
            #expect(hasTakenOver && !alone.isDamaged)
            #expect(ours == alone)
        }
    }

    @Test("files that are cut off, and that are changed anywhere", arguments: [false, true])
    func damaged(isProgressive: Bool) throws {
        let file = try file(quality: 0.8, isProgressive: isProgressive)
        var damagedCount = 0
        for damaged in DamagedFiles.cut(file, places: 20) + DamagedFiles.changed(file, count: 40) {
            let (alone, _) = JPEGTakeover.decode(damaged, isAlone: true)
            #expect(JPEGTakeover.decode(damaged, isAlone: false).0 == alone)
            damagedCount += alone.isDamaged ? 1 : 0
        }
        #expect(damagedCount > 10)
    }

    @Test("a file whose scans tell the same bits twice is libjpeg's")
    func twice() throws {
        let file = try file(quality: 0.8, isProgressive: true)
        let markers = file.indices.dropLast().filter { file[$0] == 0xFF && [0xC4, 0xDA, 0xD9].contains(file[$0 + 1]) }
        // The second scan, with the tables before it, once more.
        let scans = markers.filter { file[$0 + 1] == 0xDA }
        let start = try #require(markers.last { $0 < scans[1] && file[$0 + 1] == 0xC4 })
        let end = try #require(markers.first { $0 > scans[1] })
        let repeated = file[..<end] + file[start..<end] + file[end...]
        let (alone, _) = JPEGTakeover.decode(Data(repeated), isAlone: true)
        #expect(JPEGTakeover.decode(Data(repeated), isAlone: false).0 == alone)
        #expect(alone == JPEGTakeover.decode(file, isAlone: true).0)
    }
}

import EaselCodecs
import EaselCore
import Foundation
import TestSupport
import Testing

@Suite("JPEG: truncated and damaged files")
struct JPEGDamageTests {
    private let coder = JPEGCoder()
    private let lenient = DecodeOptions(allowsPartial: true)

    /// The offsets of the markers that begin scans.
    private func scans(of file: Data) -> [Int] {
        file.indices.dropLast().filter { file[$0] == 0xFF && file[$0 + 1] == 0xDA }
    }

    @Test("a truncated file has its decoded rows, and gray below them", arguments: [0, 9])
    func cutOff(_ interval: Int) throws {
        let file = HandmadeJPEG(
            restartInterval: interval, coefficients: { [(0, $0 % 2 == 0 ? 30 : -30)] }, difference: { $0 % 9 - 4 }
        ).data()
        let whole = try coder.decode(file, DecodeOptions()).pixels
        let cut = file.prefix(file.count / 2)
        #expect(throws: ImageError.self) { try coder.decode(cut, DecodeOptions()) }
        let image = try coder.decode(cut, lenient)
        #expect(image.metadata.isPartial)
        let side = HandmadeJPEG.side
        // All blocks have about the same number of bytes.
        let intact = [0, side / 4, side * 2 / 5].flatMap { y in (0..<side).map { image.pixels[$0, y] == whole[$0, y] } }
        #expect(!intact.contains(false))
        #expect(Set((0..<side).map { image.pixels[$0, side - 1].red }).count == 1)
    }

    @Test("a progressive file that ends inside its first scan has the decoded rows, and gray below them")
    func firstScan() throws {
        let file = try Files.noisyJPEG(quality: 0.8, isProgressive: true)
        let scans = scans(of: file)
        // A file of only the first scan has the means of its blocks, as far as the truncated file has them.
        let first = Data(file[..<scans[1]] + [0xFF, 0xD9])
        let means = JPEGShim.whole(first, denominator: 8).rows
        let cut = JPEGShim.whole(file[..<(scans[0] + (scans[1] - scans[0]) / 2)], denominator: 8)
        #expect(cut.isDamaged)
        #expect(cut.rows.count == means.count)
        let isSame = cut.rows.prefix(means.count / 4) == means.prefix(means.count / 4)
        #expect(isSame)
        #expect(Set(means.suffix(40)).count > 2)
        #expect(Set(cut.rows.suffix(40)).count == 2)
    }

    @Test(
        "a progressive file that ends anywhere after the first scan header is shown if a partial image is allowed",
        arguments: [PixelSize(48, 40), PixelSize(6, 5)])
    func anywhere(size: PixelSize) throws {
        let file = Files.progressiveJPEG
        let target = TargetSize.pixels(width: size.width, height: size.height)
        let part = DecodeOptions(targetSize: target, allowsPartial: true)
        // The header of a scan of three components has 14 bytes.
        for end in (scans(of: file)[0] + 14)..<(file.count - 2) {
            let image = try coder.decode(file[..<end], part)
            #expect(image.metadata.isPartial && image.size == size)
            #expect(throws: ImageError.self) { try coder.decode(file[..<end], DecodeOptions(targetSize: target)) }
        }
    }

    @Test("a baseline file that ends anywhere after its scan header is shown if a partial image is allowed")
    func anywhereInBaseline() throws {
        let file = try Files.jpeg(Images.noise(48, 40, seed: 3), quality: 0.5)
        let whole = try coder.decode(file, DecodeOptions()).pixels.pixels
        var partCount = 0
        for end in (scans(of: file)[0] + 14)..<file.count {
            let image = try coder.decode(file[..<end], lenient)
            if image.metadata.isPartial { partCount += 1 } else { #expect(image.pixels.pixels == whole) }
        }
        // The last bits of a file may be padding, and its end marker contains no pixels.
        #expect(partCount >= file.count - scans(of: file)[0] - 14 - 4)
    }

    @Test("a file that ends between two scans, in the tables, shows its complete scans")
    func tables() throws {
        let file = try Files.noisyJPEG(quality: 0.8, isProgressive: true)
        let scan = scans(of: file)[3]
        let whole = try coder.decode(file, DecodeOptions()).pixels
        let shown = try coder.decode(file[..<(scan - 4)], lenient)
        #expect(shown.metadata.isPartial)
        #expect(shown.pixels.structuralSimilarity(to: whole) > 0.5)
        #expect(throws: ImageError.self) { try coder.decode(file[..<(scan - 4)], DecodeOptions()) }
    }

    @Test(
        "a second frame header instead of a scan ends the file there, as a scan of five components does",
        arguments: [0xC0, 0xC2, 0xC9, 0xCA] as [UInt8])
    func secondFrame(_ marker: UInt8) throws {
        var file = try Files.noisyJPEG(quality: 0.8, isProgressive: true)
        let scan = scans(of: file)[3]
        let whole = try coder.decode(file, DecodeOptions()).pixels
        var other = file
        other[scan + 4] = 5
        let expected = try coder.decode(other, lenient)
        file[scan + 1] = marker
        let shown = try coder.decode(file, lenient)
        #expect(shown.metadata.isPartial && expected.metadata.isPartial)
        #expect(shown.pixels.hasSamePixels(as: expected.pixels))
        #expect(shown.pixels.structuralSimilarity(to: whole) > 0.5)
        #expect(throws: ImageError.self) { try coder.decode(file, DecodeOptions()) }
    }

    @Test("a damaged baseline file in pieces has the same rows as the complete file")
    func damagedRows() throws {
        let file = try Files.noisyJPEG(quality: 0.8, isProgressive: false)
        var damagedCount = 0
        for damaged in DamagedFiles.cut(file, places: 20) + DamagedFiles.changed(file, count: 40) {
            let whole = JPEGShim.whole(damaged)
            let arriving = JPEGShim.arriving(damaged, piece: 3000)
            let isBeginning = whole.rows.starts(with: arriving.rows)
            #expect(isBeginning)
            damagedCount += whole.isDamaged ? 1 : 0
        }
        #expect(damagedCount > 10)
    }

    @Test("a damaged progressive file in pieces has the same pixels at its end as the complete file")
    func damagedScans() throws {
        let file = try Files.noisyJPEG(quality: 0.8, isProgressive: true)
        var sameCount = 0
        for damaged in DamagedFiles.changed(file, count: 40) {
            let arriving = JPEGShim.arriving(damaged, piece: 3000)
            if arriving.rows.isEmpty { continue }
            let isSame = arriving.rows == JPEGShim.whole(damaged).rows
            #expect(isSame)
            sameCount += 1
        }
        #expect(sameCount > 10)
    }

    @Test("a run of zeros beyond the end of a block is damage", arguments: [1, 2, 4, 8] as [Int32])
    func passesLimit(_ denominator: Int32) {
        let ends: [[(run: Int, value: Int)]] = [
            [(15, 0)], [(14, 1)], [(0, -1), (15, 0)], [(0, -1), (14, 1)], [(1, 1), (1, -1)],
        ]
        for end in ends {
            let tooLong = [(run: Int, value: Int)](repeating: (0, 1), count: 60) + end
            let file = HandmadeJPEG(
                coefficients: { $0 == 2000 ? tooLong : [(0, 20)] }, difference: { [0, 3, -3, 40, -40][$0 % 5] }
            ).data()
            let whole = JPEGShim.whole(file, denominator: denominator)
            #expect(whole.rows.count == Int(HandmadeJPEG.side * HandmadeJPEG.side * 4) / Int(denominator * denominator))
            let isBeginning = whole.rows.starts(
                with: JPEGShim.arriving(file, piece: 999, denominator: denominator).rows)
            #expect(isBeginning)
        }
    }
}
